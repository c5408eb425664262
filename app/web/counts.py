"""Counters of one server process: requests by method, route and status, and their times.

A request is counted by its route (`/p/{token}/...`), as in the log, so no label names a person.
"""

from collections.abc import Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.process_collector import ProcessCollector

METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"})
BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


def facts_of(scope: Mapping[str, Any]) -> tuple[str, str]:
    """Return method and route of a request, as labels; neither repeats what a stranger sent."""
    route = getattr(scope.get("route"), "path", None) or "-"
    return scope["method"] if scope["method"] in METHODS else "other", route


class Counts:
    """The counters, and the registry that `/metrics` reads."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.requests = Counter(
            "hjstudy_requests",
            "Requests answered since the process started.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "hjstudy_request_seconds",
            "Time from a request's headers to the end of its answer.",
            ("route",),
            buckets=BUCKETS_S,
            registry=self.registry,
        )

    def add(self, scope: Mapping[str, Any], status: int, took_s: float) -> None:
        """Count one answered request."""
        method, route = facts_of(scope)
        self.requests.labels(method, route, str(status)).inc()
        self.seconds.labels(route).observe(took_s)
