"""Problem details (RFC 9457): errors for programs, with a type, a title, a status, what to do."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

API = "/api/"  # addresses whose errors are problems instead of pages
MEDIA_TYPE = "application/problem+json"
TYPE = "/api/v1/docs#"  # and the code: the page explains each of CODES
NO_TYPE = "about:blank"  # a problem that says no more than its status
CODES: tuple[tuple[int, str, str], ...] = (
    (400, "http/400", "the request is not text in UTF-8"),
    (400, "models/no_cells", "the study has no such task or seed"),
    (400, "models/bad_run", "the run cannot have this name, or the key has opened too many runs"),
    (401, "api/key", "no key, or an unknown or revoked one"),
    (403, "api/scope", "the key can only read results"),
    (403, "http/403", "the request came from a page of another site"),
    (404, "api/not_found", "this key has no such run, or the run no such episode or variant"),
    (404, "http/404", "there is nothing at this address"),
    (405, "http/405", "the address does not accept this method"),
    (408, "http/408", "the request took too long to arrive; nothing was stored"),
    (409, "turn/stale", "the command has the wrong number; `expected` is the next one"),
    (409, "turn/over", "the episode is over"),
    (409, "api/not_yet", "it comes later: when the episodes are over, or everything is explained"),
    (409, "api/already", "it was already sent with other content; the first counts"),
    (409, "api/format", "the episode has the other format"),
    (413, "http/413", "the request is too long"),
    (421, "http/421", "the server does not answer under this host name"),
    (422, "api/invalid", "a field is missing, unknown or of the wrong kind; `errors` names it"),
    (422, "input/empty", "the command is empty; it costs no action"),
    (422, "input/too_long", "the command is too long; it costs no action"),
    (422, "input/control_character", "the command has a control character; it costs no action"),
    (422, "input/look_alike", "a letter only looks Latin; it costs no action"),
    (422, "input/broken_character", "the command is not valid Unicode; it costs no action"),
    (422, "explain/answer", "the answer or explanation cannot be used; `errors` names the fields"),
    (429, "api/rate", "too many requests in a minute; wait as long as `Retry-After` says"),
    (500, "http/500", "an error on our side; nothing stored before is lost"),
    (500, "study/no_reference", "the server lacks the package that plays these variants"),
    (503, "store/busy", "the database is busy; send the request again"),
    (503, "store/unavailable", "the database cannot be reached; send the request again"),
)
KNOWN = frozenset(code for _, code, _ in CODES)
TITLES = {
    400: "The request cannot be used",
    401: "No valid key",
    403: "Not allowed",
    404: "Not found",
    405: "Wrong method",
    408: "The request took too long to arrive",
    409: "Conflict with what is stored",
    413: "The request is too long",
    415: "Wrong content type",
    421: "Wrong host",
    422: "Invalid content",
    429: "Too many requests",
    500: "Error on our side",
    503: "Temporarily unavailable",
}
ANYWHERE = (401, 408, 413, 421, 429, 500, 503)  # what every call can be refused with
HEADERS = {401: "WWW-Authenticate", 429: "Retry-After", 503: "Retry-After"}


class Problem(BaseModel):
    """Why a request was refused."""

    model_config = ConfigDict(extra="forbid")

    type: str = Field(description="leads to the explanation of `code`")
    title: str
    status: int
    detail: str = Field(description="what is wrong, and what to do")
    code: str
    errors: dict[str, str] = Field({}, description="field -> what is wrong with it")
    sent: int = Field(0, description="turn/stale: the number that was sent")
    expected: int = Field(0, description="turn/stale: the number of the next command")


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return what a call can be refused with, for its description in OpenAPI.

    `statuses`: those of this call, besides ANYWHERE.
    """
    return {status: refusal(status) for status in sorted({*ANYWHERE, *statuses})}


def refusal(status: int) -> dict[str, Any]:
    """Return the description of one status: its codes, its header, the kind of content."""
    codes = ", ".join(f"`{code}`" for one, code, _ in CODES if one == status)
    found: dict[str, Any] = {
        "description": f"{TITLES[status]}: {codes}",
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    if header := HEADERS.get(status):
        found["headers"] = {header: {"required": True, "schema": {"type": "string"}}}
    return found


def problem(
    status: int, code: str, detail: str, headers: dict[str, str] | None = None, **more: Any
) -> Response:
    """Return a problem. `more`: members of its own, such as the expected number."""
    body = {
        "type": TYPE + code if code in KNOWN else NO_TYPE,
        "title": TITLES.get(status, TITLES[400]),
        "status": status,
        "detail": detail,
        "code": code,
        **more,
    }
    return JSONResponse(body, status, headers, media_type=MEDIA_TYPE)
