"""Spans of requests for an OpenTelemetry collector, if HJSTUDY_OTLP_ENDPOINT names one.

FastAPI's own telemetry sends the addresses of requests, and the address of a player's page is their
credential. So it is turned off, and we make the spans: a request's route, method, status, id and
times, and nothing else. The SDK and the exporter are imported only if there is a collector.
"""

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fastapi.telemetry import TelemetryConfig

from app import __version__
from app.settings import SettingsError
from app.web.counts import facts_of
from app.web.peer import request_id

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

# Otherwise it would send to whatever the environment or `opentelemetry-instrument` sets up.
FASTAPI_OFF: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
TRACES = "/v1/traces"  # where collectors take spans
EXPORT_TIMEOUT_S = 3.0  # so that a server stops in time when its collector is away
KEPT = 2048  # spans that wait for the collector; more are dropped
NS = 1_000_000_000
ERROR = 500
MISSING = (
    "HJSTUDY_OTLP_ENDPOINT needs packages that are not installed. Install them with "
    "`pip install 'hjstudy[telemetry]'`, or remove the setting."
)


class Spans:
    """Sends a span of each request from a thread of its own; no request waits for it."""

    def __init__(self, provider: "TracerProvider") -> None:
        self._provider, self._tracer = provider, provider.get_tracer("hjstudy", __version__)

    def add(self, scope: Mapping[str, Any], status: int, took_s: float) -> None:
        """Note one answered request, which took this long until now."""
        from opentelemetry.context import Context
        from opentelemetry.trace import SpanKind, StatusCode

        method, route = facts_of(scope)
        end = time.time_ns()
        span = self._tracer.start_span(
            f"{method} {route}",
            context=Context(),  # a caller's trace is not continued
            kind=SpanKind.SERVER,
            start_time=end - int(took_s * NS),
            attributes={
                "http.request.method": method,
                "http.route": route,
                "http.response.status_code": status,
                "hjstudy.request_id": request_id(scope),
            },
        )
        if status >= ERROR:
            span.set_status(StatusCode.ERROR)
        span.end(end)

    def end(self) -> None:
        """Send what is left, and stop."""
        self._provider.shutdown()


def spans_to(endpoint: str) -> Spans | None:
    """Return what sends spans to a collector, or None without an address.

    `endpoint`: `http://127.0.0.1:4318`, or the whole address of its traces. Raises SettingsError.
    """
    if not endpoint:
        return None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise SettingsError(MISSING) from error
    address = endpoint.rstrip("/")
    address = address if address.endswith(TRACES) else address + TRACES
    facts = Resource({"service.name": "hjstudy", "service.version": __version__})
    provider = TracerProvider(resource=facts, shutdown_on_exit=False)
    exporter = OTLPSpanExporter(address, timeout=EXPORT_TIMEOUT_S)
    provider.add_span_processor(BatchSpanProcessor(exporter, max_queue_size=KEPT))
    return Spans(provider)
