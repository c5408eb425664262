"""Let a scripted model play a stored study, in this process."""

from datetime import UTC, datetime

from app.models.asker import Asker, Endpoint
from app.models.limits import Limits, Meter
from app.study.design import studies
from app.study.design.library import Library
from app.study.models import runs
from app.study.models.cells import choose
from app.study.models.prices import Price
from app.study.models.running import Runner
from tests.models.scripted import Players, Scripted

NOW = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
NAME = "clever-model"


def play(
    store,
    slug,
    faults=(),
    bot="oracle",
    attempts=1,
    preset="paper",
    created=lambda _store: None,
    **changes,
):
    """Run the model to its end; returns how it went. `created`: called before it is asked."""
    library = Library()
    with store.read() as db:
        found = studies.find(db, slug)
        variants = [library.variant(db, name) for name in found.hashes.values()]
    with Scripted(Players(variants, bot), faults).serving() as url:
        wanted = runs.Wanted(
            *("play", NAME, url, "plain", preset, {"temperature": 1.0}),
            cells=choose(found, (), (), direct=False),
            **{"explains": "demonstrations", "price": (1000.0, 10_000.0), **changes},
        )
        number = runs.create(store, found, wanted, NOW)
        created(store)
        with store.read() as db:
            made = runs.find(db, found, number)
        to = Endpoint(url, NAME, attempts=attempts, parameters=made.parameters)
        asker = Asker(to, Meter(Limits(), Price()), 2)
        outcome = Runner(store, made, asker, lambda: NOW).drive(2)
        asker.close()
    runs.end(store, made, outcome.problems, NOW)
    return outcome
