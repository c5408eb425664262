"""The page that Prometheus reads. It needs a token and names no study and no person."""

import hmac
from collections.abc import Iterable

from fastapi import APIRouter, Request
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response

from app.game.say import ENGINE_VERSION
from app.study import gauges
from app.web.deps import Now, Server, ServerParts

router = APIRouter()


@router.get("/metrics")
def metrics(request: Request, server: ServerParts, now: Now) -> Response:
    """Return this process's counters and the database's numbers in Prometheus's text format."""
    token = server.settings.metrics_token
    if not token:
        raise HTTPException(404)
    sent = request.headers.get("authorization", "").encode("latin-1")
    if not hmac.compare_digest(sent, f"Bearer {token}".encode()):
        return PlainTextResponse(
            "Send the header `Authorization: Bearer TOKEN` with HJSTUDY_METRICS_TOKEN.\n",
            401,
            headers={"WWW-Authenticate": "Bearer"},
        )
    numbers = CollectorRegistry(auto_describe=False)
    numbers.register(Numbers([*own(server), *shared(gauges.read(server.store, now))]))
    text = generate_latest(server.counts.registry) + generate_latest(numbers)
    return Response(text, media_type=CONTENT_TYPE_PLAIN_0_0_4)


class Numbers:
    """Metrics whose values are known already."""

    def __init__(self, found: list[Metric]) -> None:
        self._found = found

    def collect(self) -> Iterable[Metric]:
        """Return them."""
        return self._found


def own(server: Server) -> Iterable[Metric]:
    """Yield the numbers of this process."""
    waiting = server.store.waiting
    build = GaugeMetricFamily("hjstudy_build_info", "The running version.", labels=["engine"])
    build.add_metric([ENGINE_VERSION], 1)
    yield build
    played, writes = server.table.played, waiting.begun
    yield CounterMetricFamily("hjstudy_actions", "Commands stored by this process.", played)
    yield CounterMetricFamily("hjstudy_writes", "Write transactions begun.", writes)
    yield CounterMetricFamily(
        "hjstudy_write_wait_seconds", "Time that writes waited to begin.", waiting.waited_s
    )
    yield GaugeMetricFamily("hjstudy_writes_waiting", "Writes waiting now.", waiting.now)


def shared(found: gauges.Gauges) -> Iterable[Metric]:
    """Yield the numbers of the database, the same in every process."""
    yield GaugeMetricFamily(
        "hjstudy_database_up", "Whether the database could be read.", int(found.is_up)
    )
    people = GaugeMetricFamily(
        "hjstudy_participants",
        "Participants by kind of study and state, without test participants.",
        labels=["kind", "state"],
    )
    for kind, state, number in found.people:
        people.add_metric([kind, state], number)
    yield people
    jobs = GaugeMetricFamily("hjstudy_jobs", "Jobs under way.", labels=["state"])
    for state, number in found.jobs.items():
        jobs.add_metric([state], number)
    yield jobs
