"""Nothing the server sends reveals the answer: two variants that differ only in the answer of one
gen cell give byte-identical pages until the first `defeat` at the guardian."""

import json
import random
import re
import shutil
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest
from starlette.testclient import TestClient

from app.game.rules import output_space
from app.game.tasks import TASK_NAMES
from app.game.variant import canonical_json, content_hash, with_answer
from app.main import create_app
from app.settings import Settings
from app.store.design import studies as tables
from app.store.design.variants import variant as variant_table
from app.study.design import studies
from app.study.design.spec import check_study
from app.study.design.studies import stored_row
from tests.walker import Walker

NOW = datetime(2026, 11, 28, tzinfo=UTC)
SECRET = re.compile(
    r'(?<=/p/)[\w-]{22}|(?<=name="ticket" value=")[\w-]+'
    r'|(?<=data-in=")\d+|\d\d:\d\d(?= UTC)'  # the time when the session ends
)


def settings_on(template, path):
    shutil.copyfile(template, path)
    return Settings(database_url=f"sqlite:///{path}", htmx_source="local", threads=4)


@contextmanager
def server_on(settings):
    server = create_app(settings).state.server
    yield server
    server.store.dispose()


def change_answer(server, task_name):
    """Change the answer for the first gen cell of the stored variant before anyone enters."""
    with server.store.read() as db:
        study = studies.find(db, "leak")
        row = tables.by_slug(db, "leak")
        [old] = json.loads(row.variants).values()
        variant = server.library.variant(db, old)
    cell = variant.gen_cells[0]
    truth = variant.grid[cell[0]][cell[1]]
    other = next(one for one in output_space(variant.task) if one != truth)
    changed = with_answer(variant, cell, other)
    assert content_hash(changed) != old
    with server.store.write() as db:
        db.execute(variant_table.insert().values(stored_row(changed, "{}", NOW)))
        mapping = {key: content_hash(changed) for key in json.loads(row.variants)}
        db.execute(
            tables.design.update()
            .where(tables.design.c.id == study.design_id)
            .values(variants=json.dumps(mapping))
        )
    return variant, changed


def commands(variant, episode, rng, number):
    """Return the commands of a curious player who never uses `defeat` at the guardian."""
    place = variant.entity(episode.entity).place
    lines = [f"go {one}" for one in variant.places if one != place]
    lines += [f"buy {item.name}" for item in variant.items]
    lines += [f"{one.verb} {one.name}" for one in variant.activities]
    lines += [f"defeat {entity.name}" for entity in variant.entities]
    lines += ["check_inventory", "check location", "go nowhere", "dance", "buy"]
    return [rng.choice(lines) for _ in range(number)]


def masked(answer):
    """Return what a player receives, without what is random by design."""
    headers = {
        name: SECRET.sub("-", value)
        for name, value in answer.headers.items()
        if name not in {"date", "content-length", "x-request-id"}
    }
    return answer.status_code, headers, SECRET.sub("-", answer.text)


def pages(settings, lines, number):
    """Enrol, play the lines on every kind of page, and return everything received."""
    received = []
    app = create_app(settings)
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:
        walker = Walker(client).get("/s/leak")
        received.append(masked(walker.answer))
        walker.send("answer", answer="yes")
        received.append(masked(walker.answer))
        walker.send("ticket")
        received.append(masked(walker.answer))
        for seq, line in enumerate(lines, start=1):
            form = {"seq": str(seq), "raw": line}
            headers = {"HX-Request": "true"} if seq % 2 else {}
            received.append(masked(client.post(walker.url, data=form, headers=headers)))
        received.append(masked(client.get(walker.url)))
        received.append(masked(client.get("/p/" + walker.token + "/world/1/guardian/1/rule")))
    assert number == len(lines)
    return received


@pytest.mark.parametrize("task", TASK_NAMES)
def test_pages_do_not_depend_on_the_answer(task, sqlite_template, tmp_path):
    spec = check_study(
        {
            "slug": "leak",
            "title": "Leak",
            "blocks": [{"task": task, "seeds": [3]}],
            "options": {"practice": False},
        }
    )
    both = [settings_on(sqlite_template, tmp_path / f"{side}.db") for side in "ab"]
    for settings in both:
        with server_on(settings) as server:
            studies.create(server.store, spec, NOW)
    with server_on(both[1]) as server:
        variant, changed = change_answer(server, task)
    assert canonical_json(variant) != canonical_json(changed)
    budget = min(one.budget for one in (variant.episodes[0], changed.episodes[0]))
    lines = commands(variant, variant.episodes[0], random.Random(task), budget - 1)
    first, second = (pages(settings, lines, budget - 1) for settings in both)
    assert first == second
