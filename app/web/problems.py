"""Problem details (RFC 9457): errors for programs, with a type, a title, a status, what to do."""

from typing import Any

from starlette.responses import JSONResponse, Response

API = "/api/"  # addresses whose errors are problems instead of pages
MEDIA_TYPE = "application/problem+json"
TYPE = "/api/v1/docs#"  # and the code: the page explains each
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


def problem(
    status: int, code: str, detail: str, headers: dict[str, str] | None = None, **more: Any
) -> Response:
    """Return a problem. `more`: members of its own, such as the expected number."""
    body = {
        "type": TYPE + code,
        "title": TITLES.get(status, TITLES[400]),
        "status": status,
        "detail": detail,
        "code": code,
        **more,
    }
    return JSONResponse(body, status, headers, media_type=MEDIA_TYPE)
