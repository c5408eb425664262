"""Log lines on stderr: for people, or one JSON object per line. Never what a person typed.

A line is `noun.past_verb` plus facts. It never contains player tokens, form fields, query strings
or people's addresses: a request appears by its route (`/p/{token}/...`), not by its path.
"""

import logging
import re
import sys
from collections.abc import Mapping
from typing import Any

import structlog
from structlog.types import EventDict, Processor

from app.settings import Settings

WEIGHTS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}
CHATTY = ("alembic", "httpx", "httpcore")  # logged from `warning` up
QUIET_ROUTES = ("/static", "/healthz", "/metrics")
DETAIL = re.compile(
    r"^DETAIL:.*?(?=^(?:\[SQL|\(Background|Traceback|The above)|\Z)", re.MULTILINE | re.DOTALL
)


class StderrLogger:
    """Writes finished lines to the current stderr (tests replace it)."""

    def msg(self, line: str) -> None:
        """Write one line."""
        sys.stderr.write(line + "\n")
        sys.stderr.flush()

    debug = info = warning = error = critical = exception = msg


class StderrHandler(logging.Handler):
    """Writes the records of libraries in our format."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        try:
            StderrLogger().msg(self.format(record))
        except Exception:  # noqa: BLE001 - as the standard library's own handlers do
            self.handleError(record)


def without_details(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Cut PostgreSQL's DETAIL from a traceback: it repeats the row, and so what people typed."""
    if "exception" in event:
        event["exception"] = DETAIL.sub("DETAIL: (left out)\n", event["exception"])
    return event


def set_up(settings: Settings) -> None:
    """Send our own and libraries' log lines to stderr, in one format."""
    weight = WEIGHTS[settings.log_level]
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        without_details,
    ]
    written: Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if settings.log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[*shared, written],
        wrapper_class=structlog.make_filtering_bound_logger(weight),
        logger_factory=lambda *_: StderrLogger(),
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, written],
        foreign_pre_chain=shared,
    )
    set_up_libraries(formatter, weight)


def set_up_libraries(formatter: logging.Formatter, weight: int) -> None:
    """Add our handler to the standard library's root logger, once."""
    handler = StderrHandler()
    handler.setFormatter(formatter)
    root = logging.getLogger()
    for old in [old for old in root.handlers if isinstance(old, StderrHandler)]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(weight)
    for name in CHATTY:
        logging.getLogger(name).setLevel(max(weight, logging.WARNING))
    logging.getLogger("uvicorn.access").disabled = True  # its lines hold paths, so tokens


def bind_request(request_id: str) -> None:
    """Add the request's id to every line until the next request."""
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request=request_id)


def request_done(scope: Mapping[str, Any], status: int, took_ms: float) -> None:
    """Log one answered request: method, route, status, milliseconds."""
    log = structlog.get_logger()
    route = getattr(scope.get("route"), "path", None) or "-"
    facts = {"method": scope["method"], "route": route, "status": status, "ms": took_ms}
    if status >= 500:  # noqa: PLR2004 - HTTP's own line between them and us
        log.error("request.failed", **facts)
    elif str(scope["path"]).startswith(QUIET_ROUTES):
        log.debug("request.answered", **facts)
    else:
        log.info("request.answered", **facts)
