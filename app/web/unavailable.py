"""The answer while the database is busy or away: 503, with what was typed, ready to send again."""

from dataclasses import dataclass
from typing import Any

import structlog
from fastapi import Request
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from app.errors import BusyError, StoreError, UnavailableError
from app.languages.text import joined, phrase
from app.web.deps import MOST_FIELDS, get_server
from app.web.pages import Page, is_htmx, render

log = structlog.get_logger()
STATUS = 503
ERROR_HEADER = "X-Error"  # lets the script tell our answer from a proxy's
RETRY_S: dict[type[StoreError], int] = {BusyError: 3, UnavailableError: 30}
MOST_FILES = 5
SECRETS = {"password"}  # typed again, never sent back
# Fields that a person writes in; all others (choices, tickets, numbers), and those left empty, are
# sent again as hidden fields.
WRITTEN = {
    *("raw", "text", "inputs", "output", "how", "found_how", "comment", "note", "reason", "title"),
}
LONGEST_LINE = 200


@dataclass(frozen=True, slots=True)
class Sent:
    """The fields of a form as posted, and the names of its fields with a file."""

    fields: list[tuple[str, str]]
    files: list[str]


async def read_sent(request: Request) -> Sent:
    """Return what a form sent; nothing if it cannot be read."""
    limit = get_server(request).settings.upload_limit_bytes
    try:
        form = await request.form(max_files=MOST_FILES, max_fields=MOST_FIELDS, max_part_size=limit)
    except (HTTPException, RuntimeError, ClientDisconnect):  # too long, not a form, half read
        return Sent([], [])
    await form.close()  # of files, only the names are needed
    items = form.multi_items()
    return Sent(
        [(name, value) for name, value in items if isinstance(value, str)],
        [name for name, value in items if isinstance(value, UploadFile) and value.filename],
    )


def show_field(name: str, value: str) -> dict[str, Any]:
    """Return a field as the page shows it: hidden, on one line, on several, or as a password."""
    if name in SECRETS:
        return {"name": name, "value": "", "kind": "password"}
    if not value or (name not in WRITTEN and not name.startswith("q_")):
        return {"name": name, "value": value, "kind": "hidden"}
    is_line = "\n" not in value and len(value) <= LONGEST_LINE
    return {"name": name, "value": value, "kind": "line" if is_line else "area"}


async def unavailable(request: Request, error: StoreError) -> Response:
    """Answer with a page that can send the form again, or a line for the script."""
    if isinstance(error, UnavailableError):
        log.error("store.unavailable", reason=error.reason)
    is_busy = isinstance(error, BusyError)
    if is_htmx(request):
        words = phrase("The server is very busy.")
        if not is_busy:
            words = phrase("The server cannot save anything now.")
        advice = phrase("Nothing was saved. Please try again in a moment.")
        g = {"alert": joined((words, advice))}
        template = "play/game/_alert.html"
        answer: Response = render(request, template, STATUS, may_look_up=False, g=g)
    else:
        answer = await page(request, is_busy=is_busy)
    answer.headers["Retry-After"] = str(RETRY_S[type(error)])
    answer.headers[ERROR_HEADER] = error.code
    return answer


async def page(request: Request, *, is_busy: bool) -> Response:
    """Render the page: what is wrong, what was typed, a button to send it again."""
    is_post = request.method == "POST"
    sent = await read_sent(request) if is_post else Sent([], [])
    url = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    u = {
        "is_busy": is_busy,
        "is_post": is_post,
        "url": url,
        "fields": [show_field(name, value) for name, value in sent.fields],
        "files": sent.files,
    }
    title = phrase("The server cannot save anything right now")
    if is_busy:
        title = phrase("The server is very busy")
    shown = Page("away", title)
    return render(request, "errors/unavailable.html", STATUS, may_look_up=False, page=shown, u=u)
