"""The application under /api/v1: its routes, and its errors as problem details.

It has no cookies and no pages but the one that describes it.
"""

from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Match

from app import __version__
from app.errors import HjstudyError, StoreError
from app.study.models.agent_keys import BadKeyError, ScopeError
from app.study.models.agents import AlreadyError, NoPlaceError, NotYetError, WrongFormatError
from app.study.play.commands import StaleSeqError
from app.study.text_checks import AnswerError
from app.web.deps import Server
from app.web.errors import status_of
from app.web.models import agent_api
from app.web.models.agent_api import ABOUT, PREFIX
from app.web.problems import Problem, problem
from app.web.rates import RateError
from app.web.telemetry import FASTAPI_OFF

log = structlog.get_logger()
STATUS: dict[type[HjstudyError], int] = {
    BadKeyError: 401,
    ScopeError: 403,
    NoPlaceError: 404,
    NotYetError: 409,
    AlreadyError: 409,
    WrongFormatError: 409,
    RateError: 429,
}
DETAILS = {
    400: "The content cannot be read. Send JSON in UTF-8.",
    404: "There is nothing at this address. See /api/v1/docs.",
    405: "This address does not accept this method. See /api/v1/docs.",
    408: "Nothing was stored. Send it again.",
    413: "Nothing was stored. Send less.",
    500: "Nothing you sent before is lost. Try again.",
}


def status_in_api(error: HjstudyError) -> int:
    """Return the HTTP status of one of our errors."""
    status = next((STATUS[one] for one in type(error).__mro__ if one in STATUS), None)
    if status is None:
        status = 503 if isinstance(error, StoreError) else status_of(error)
    return status


def of_error(error: HjstudyError) -> Response:
    """Return one of our errors as a problem."""
    status = status_in_api(error)
    headers, more = dict[str, str](), dict[str, Any]()
    if isinstance(error, StoreError):
        headers["Retry-After"] = "1"
    elif isinstance(error, RateError):
        headers["Retry-After"] = str(error.wait_s)
    elif isinstance(error, BadKeyError):
        headers["WWW-Authenticate"] = "Bearer"
    elif isinstance(error, StaleSeqError):
        more = {"sent": error.expected, "expected": error.current}
        return problem(
            status,
            error.code,
            f"Command {error.expected} was not played: the next one is {error.current}. Read the "
            "episode, then send the command again if you still want to.",
            **more,
        )
    elif isinstance(error, AnswerError):
        more = {"errors": error.problems}
    return problem(status, error.code, error.message, headers, **more)


def allowed(request: Request) -> list[str]:
    """Return the methods that an address accepts. Starlette names only those of its first route."""
    routes = [one for one in request.app.routes if one.matches(request.scope)[0] != Match.NONE]
    return sorted({method for one in routes for method in one.methods})


def install(app: FastAPI) -> None:
    """Register the handlers."""

    @app.exception_handler(HjstudyError)
    async def ours(_request: Request, error: HjstudyError) -> Response:
        return of_error(error)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        status, headers = error.status_code, dict(error.headers or {})
        if "Allow" in headers:
            headers["Allow"] = ", ".join(allowed(request))
        detail = DETAILS.get(status, str(error.detail))
        return problem(status, f"http/{status}", detail, headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> Response:
        found = {
            ".".join(str(part) for part in one["loc"] if part != "body") or "body": one["msg"]
            for one in error.errors()
        }
        detail = "; ".join(f"{name}: {text}" for name, text in found.items())
        return problem(422, "api/invalid", f"{detail}.", errors=found)

    @app.exception_handler(ClientDisconnect)
    async def gone(_request: Request, _error: Exception) -> Response:
        return Response(status_code=400)

    @app.exception_handler(Exception)
    async def unexpected(_request: Request, error: Exception) -> Response:
        log.error("request.failed", error=type(error).__name__)
        return problem(500, "http/500", DETAILS[500])


class Api(FastAPI):
    """The application; its description also has the form of every problem."""

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document, made once."""
        if self.openapi_schema is None:
            document = super().openapi()
            document["components"]["schemas"]["Problem"] = Problem.model_json_schema()
        return super().openapi()


def make_api(server: Server) -> FastAPI:
    """Return the application that is mounted at PREFIX."""
    api = Api(
        title="hjstudy",
        version=__version__,
        description=ABOUT,
        servers=[{"url": PREFIX}],
        root_path_in_servers=False,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        telemetry=FASTAPI_OFF,
        redirect_slashes=False,
    )
    api.state.server = server
    api.router.routes.extend(agent_api.router.routes)
    install(api)
    return api
