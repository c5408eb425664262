"""Addresses that take only forms: opened as a page, such as after a reload, they lead further up.

The answer to a form can be a page at the form's own address. Whoever reloads it, or returns to it
later, sends a GET, and gets to the nearest page above that address.
"""

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match

from app.web.errors import message_page
from app.web.pages import see_other

WRONG_METHOD = 405


def install(app: FastAPI) -> None:
    """Register the handler."""

    @app.exception_handler(WRONG_METHOD)
    def wrong_method(request: Request, error: HTTPException) -> Response:
        above = page_above(request) if request.method == "GET" else ""
        return see_other(above) if above else message_page(request, error.status_code, "")


def page_above(request: Request) -> str:
    """Return the nearest address above a request's that is a page, or ''."""
    routes, path = request.app.router.routes, request.url.path
    while path := path.rpartition("/")[0]:
        scope = {**request.scope, "path": path}
        if any(route.matches(scope)[0] is Match.FULL for route in routes):
            return path
    return ""
