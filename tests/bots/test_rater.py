"""A whole rating study: import, judge, sample, rate with bots over HTTP, close, read back."""

import json
from collections import Counter
from random import Random

import pytest

from app.bots.sender import Sender
from app.cli.own_server import server_at
from app.game.tasks import TASK_NAMES
from app.main import create_app
from app.scoring.agreement import alpha
from app.scoring.longrows import Row, from_rows
from app.settings import Settings
from app.store.rating import rounds, samples
from app.study.design import studies
from app.study.design.spec import check_study
from app.study.rating import long_rows, sample_draws
from app.study.tickets import new_ticket
from tests.bots.rater import HttpRater
from tests.own_forms import PASSWORD
from tests.rating_desk import NOW, Desk

SOURCES, EACH = 8, 200
ERRORS = {  # rows: true level; columns: what is given
    "ann": ((0.9, 0.1, 0.0), (0.05, 0.9, 0.05), (0.0, 0.1, 0.9)),
    "bob": ((0.8, 0.2, 0.0), (0.1, 0.8, 0.1), (0.0, 0.2, 0.8)),
}
SHARES = (0.07, 0.26, 1.0)  # cumulative shares: a skewed judge
WORDS = ("nothing of it", "half of it", "all of it")


def truth_of(text):
    """Return the true level of a made-up explanation, which is part of its text."""
    return next(level for level, words in enumerate(WORDS) if words in text)


@pytest.fixture
def settings(store_url):
    return Settings(database_url=store_url, htmx_source="local", log_level="error")


@pytest.fixture
def desk(settings):
    app = create_app(settings)
    spec = {
        "slug": "demo",
        "title": "Rated",
        "kind": "pilot",
        "blocks": [{"task": name, "seeds": [0, 1]} for name in TASK_NAMES],
    }
    studies.create(app.state.server.store, check_study(spec), NOW)
    yield Desk(app, settings)
    app.state.server.store.dispose()


def lines_of(rng):
    """Yield 8 sources x 200 explanations with their true levels."""
    for number in range(SOURCES * EACH):
        level = next(at for at, edge in enumerate(SHARES) if rng.random() < edge)
        line = {
            "id": f"e{number}",
            "source": f"source-{number % SOURCES}",
            "task": TASK_NAMES[number // SOURCES % 8],
            "seed": number // 64 % 2,
            "text": f"Explanation {number} says {WORDS[level]} & <b>more</b>.",
        }
        yield line, level


@pytest.mark.long
@pytest.mark.long_on_postgres
def test_a_whole_rating_study_ends_with_the_rows_that_annotators_entered(desk, settings):
    rng = Random(20)
    made = list(lines_of(rng))
    assert desk.import_models([line for line, _ in made]) == {"new": 1600, "same": 0}
    judged = {  # the judge errs towards 2
        line["id"]: level if rng.random() < 0.8 else min(2, level + 1) for line, level in made
    }
    assert desk.judge(judged)["new"] == 1600
    number = sample_draws.draw_sample(
        desk.store,
        desk.study.id,
        run_number=1,
        wanted="score",
        which="last",
        per_level=33,
        allocation="proportional",
        seed=4,
        by="desk",
        ticket=new_ticket(),
        now=NOW,
    )
    for name in ERRORS:
        desk.welcome(name)
    place = desk.open(tuple(ERRORS), items=f"sample:{number}", repeat_percent="10")
    raters = {}
    with server_at("", settings) as url:
        for seed, (name, errors) in enumerate(ERRORS.items()):
            sender = Sender([url], Random(seed))
            rater = HttpRater(sender, truth_of, errors, Random(seed))
            rater.log_in(name, PASSWORD)
            assert rater.rate_all() == 99 + 10
            sender.close()
            raters[name] = rater
    desk.close(place)
    check(desk, place, number, raters, judged)
    check_report(desk, place)


def check(desk, place, number, raters, judged):
    """Compare the stored rows with the bots' ratings, the sample and the judge."""
    with desk.store.read() as db:
        row = rounds.find(db, desk.study.id, place)
        rows = list(long_rows.rows_of(db, row))
        sample = samples.find(db, desk.study.id, number)
    main = [one for one in rows if not one["repeat"]]
    assert len(main) == 2 * 99
    assert Counter(one["rater"] for one in main) == {"rater_1": 99, "rater_2": 99}
    assert Counter(one["level"] for one in main) == {0: 66, 1: 66, 2: 66}
    assert all(one["judges"]["judge"]["score"] == one["level"] for one in main)
    assert all(judged[one["item"]] == one["level"] for one in main)
    strata = {one["name"]: one for one in json.loads(sample.strata)}
    sizes = Counter(judged.values())
    for one in main:
        assert one["weight"] == strata[one["stratum"]]["weight"] == sizes[one["level"]] / 33
    for name, pseudonym in (("ann", "rater_1"), ("bob", "rater_2")):
        stored = Counter((one["item"], one["value"]) for one in rows if one["rater"] == pseudonym)
        entered = Counter((f"e{one.text.split()[1]}", one.value) for one in raters[name].entered)
        assert stored == entered
    assert {one["revisions"] for one in rows} == {1}


def check_report(desk, place):
    """Compare the page's coefficients with those of what the bots said, first showings only."""
    boss = desk.browser("boss", "researcher")
    url = f"/admin/studies/demo/rating/rounds/{place}/agreement"
    assert boss.get(url).answer.status_code == 200
    report = json.loads(boss.get(f"{url}/report.json").answer.text)
    entered = {row.item: [] for row in desk.long_rows(place)}
    for row in desk.long_rows(place):
        if not row.repeat:
            entered[row.item].append(Row(row.item, row.rater, row.value))
    expected = alpha(from_rows([one for rows in entered.values() for one in rows]), "ordinal").alpha
    rows = report["rows"]
    assert rows["balanced"]["human_human"]["alpha"] == pytest.approx(expected, abs=1e-12)
    # the judge is skewed: levels that are rare in the pool are a third of the sample each
    assert rows["pool"]["human_human"]["alpha"] < rows["balanced"]["human_human"]["alpha"]
    assert [one["judge"] for one in rows["pool"]["human_judge"]] == ["judge"]
