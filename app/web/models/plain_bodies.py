"""Bodies in JSON without a second meaning: no field twice, only finite numbers."""

from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.responses import Response

from app.errors import FieldError
from app.game import plain_json


class StrictRoute(APIRoute):
    """A route that refuses JSON with a second meaning, such as a field that is given twice."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler, which first reads the body as uploads of JSON are read."""
        handle = super().get_route_handler()

        async def read_first(request: Request) -> Response:
            body = await request.body()
            with suppress(UnicodeDecodeError):  # FastAPI says so
                if text := body.decode().strip():
                    try:
                        plain_json.load(text, "body")
                    except FieldError as error:
                        raise refused_body(error) from error
            return await handle(request)

        return read_first


def refused_body(error: FieldError) -> RequestValidationError:
    """Return the error of a body that is not plain JSON, as FastAPI describes such errors."""
    return RequestValidationError([{"loc": ("body", error.field), "msg": error.problem}])
