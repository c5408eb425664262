"""After a manifest was signed a study lives on: nothing that people do then is tampering.

Each deletion that a log names is named by `verify` too; a row that goes without a line is found.
"""

import json
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from app.store.rating import judges
from app.store.tables import metadata
from app.study.design import studies
from app.study.export import anchors, signing, verify
from app.study.models import agent_keys
from app.study.people import identifiers, withdrawal
from app.study.play import pace
from app.study.tickets import new_ticket
from tests.models.played import play
from tests.rating_desk import model_line
from tests.walker import Walker
from tests.web.journeys import (
    STUDIES,
    design_a_study,
    manage_accounts,
    manage_models,
    manage_people,
    play_demo,
    rate,
    store,
    try_and_work,
    watch_raters,
)

RESULTS = "model,task,seed,episode,success,actions_used,rv\n{},A-Over,1,1,true,8,0.5\n"
OWN = "/admin/studies/demo"
HELD = (  # tables of what people, models and judges left, which the manifest of the test lists
    *("rating_item", "judge_score", "model_result", "agent_key", "model_call", "model_episode"),
    *("round_rater", "round_item", "assignment", "rating", "sample_item", "id_hash", "problem"),
    *("adjudication", "text_release", "study_change", "process_event"),
)


@pytest.fixture
def study(make_study):
    for slug, changes in STUDIES.items():
        made = make_study(slug=slug, **changes)
    return made


@pytest.fixture
def place(server, tmp_path):
    """Make a manifest as it is after it was kept in a file, and verify with it."""
    key = signing.own_key(tmp_path / "manifest-key.pem")

    class Place:
        def manifest(self, slug="demo"):
            made = anchors.make(server.store, slug, key, datetime.now(UTC))
            self.document = json.loads(json.dumps(made))
            return self.document

        def found(self):
            return verify.verify(server.store, jobs=1, manifest=self.document)

    return Place()


def results(boss, model):
    own = f"{OWN}/report/models"
    store(boss, boss.client.post(own, data={"text": RESULTS.format(model)}))


def remove_results(boss, model):
    wanted = {"model": model, "ticket": new_ticket()}
    boss.client.post(f"{OWN}/report/models/remove", data=wanted)


def delete_import(boss, kind, **chosen):
    """Delete what a file brought; `chosen`: the source, or the number of the judge."""
    wanted = {**chosen, "ticket": new_ticket()}
    boss.client.post(f"{OWN}/rating/{kind}/delete", data=wanted)


def make_key(server, ticket, now):
    """Make a key, or within 30 seconds of its form's clock another one in its place."""
    with server.store.read() as db:
        study = studies.find(db, "demo")
    return agent_keys.make(server.store, study, "agents", "play", "ada", now, ticket)


def enter(client, who):
    """Let a player agree, answer and win the practice."""
    walker = Walker(client)
    walker.get(f"/s/demo?PROLIFIC_PID={who}").send("answer", answer="yes").send("ticket")
    return walker.send("ticket", q_why="because").leave_practice()


def live(server, client, boss, desk, look):
    """Recruit, play, rate, import and run models; return the first player."""
    first = Walker(client)
    play_demo(first, look)
    manage_people(boss, look, first.token)
    client.post(f"/p/{first.token}/process", data={"events": '[["focus", 1, "", null]]'})
    boss.client.post(f"{OWN}/rating/gather")
    rate(boss, desk, lambda walker: walker)
    desk.import_models([model_line(number, source="wrong") for number in (7, 8)])
    desk.judge({"m7": 1, "m8": 2}, model="mistaken")
    with server.store.read() as db:
        newest = judges.runs(db, desk.study.id)[-1].number
    boss.get(f"{OWN}/rating").send("per_level", per_level="1", judge=str(newest))
    results(boss, "old-model")
    play(server.store, "demo", explains="none")
    lists = "Submission id,Participant id,Status\ns2,5f3a9c0d2b7e8a1f6c4d3b2a,RETURNED\n"
    store(boss, boss.client.post(f"{OWN}/recruit/import", data={"text": lists}))
    identifiers.sweep(server.store, server.library, datetime.now(UTC) + timedelta(days=400))
    pace.take(server.store, desk.study.id, desk.study.spec, "an address", datetime.now(UTC))
    desk.draft(("zoe", "yan"), items="last")
    return first


def go_on(server, client, boss, desk, look, first):
    """Do everything that people and staff do."""
    second = enter(client, "two")
    second.type(*look.solution(second.token, 0, 0)).to_rule().explain()
    identifiers.sweep(server.store, server.library, datetime.now(UTC) + timedelta(days=400))
    delete_import(boss, "models", source="wrong")
    with server.store.read() as db:
        newest = judges.runs(db, desk.study.id)[-1].number
    delete_import(boss, "judges", number=str(newest))
    desk.import_models([model_line(number, source="right") for number in (17, 18)])
    desk.judge({"m17": 0, "m18": 0}, model="better")
    remove_results(boss, "old-model")
    results(boss, "new-model")
    watch_raters(boss, desk, lambda walker: walker)
    design_a_study(boss)
    manage_models(boss)
    try_and_work(boss)
    manage_accounts(boss)
    withdrawal.withdraw(server.store, first.token, new_ticket(), datetime.now(UTC))


@pytest.mark.timeout(300)
def test_ordinary_actions_after_a_manifest_are_no_tampering(
    client, desk, look, researcher, server, place
):
    server.runner.stop()
    boss, ticket, now = researcher, new_ticket(), datetime.now(UTC)
    first = live(server, client, boss, desk, look)
    make_key(server, ticket, now)
    document = place.manifest()
    listed = {name for name, rows in document["rows"].items() if rows}
    assert set(HELD) - listed == set()
    assert place.found().first_difference is None
    make_key(server, ticket, now)
    go_on(server, client, boss, desk, look, first)
    found = place.found()
    assert (found.first_difference, found.ok) == (None, True)
    named = "; ".join(found.deleted)
    assert "results of old-model" in named
    assert "items of wrong" in named
    assert "scores of the judge" in named
    assert f"rows of {look.person(first.token).public_id}, erased at" in named
    rating = metadata.tables["rating"]
    one = rating.c.id == int(next(iter(document["rows"]["rating"])))
    with server.store.write() as db:
        db.execute(sa.update(rating).where(one).values(comment="another"))
    assert place.found().first_difference.field == "rating"
    with server.store.write() as db:
        db.execute(sa.delete(rating).where(one))
    gone = place.found().first_difference
    assert (gone.field, gone.stored) == ("rating", None)
