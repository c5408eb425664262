"""The page that simulates a design, with its job."""

import json
import re
from pathlib import Path

import pytest

from app.study.design import draft, publishing, studies
from app.study.report import whatif
from app.study.report.plan_words import HEADS
from app.study.tickets import new_ticket
from tests.web.conftest import NOW
from tests.web.export.test_jobs import wait

TEMPLATES = Path(__file__).parents[3] / "templates"
OWN = "/admin/studies/demo/plan"
PLANNED = "/admin/studies/planned/plan"
DRAFT = {
    "slug": "planned",
    "title": "Planned",
    "kind": "pilot",
    "per_player": 1,
    "blocks": [{"task": "A-Over", "seeds": [0, 1]}],
}
SURE = {
    "spread": "0",
    "eff_spread": "0",
    "dropout": "0",
    "skill": "1",
    "simulated": "10",
    "people": "4",
}


def test_plan_is_made_by_a_job_and_its_page_shows_what_to_expect(researcher, study):
    page = researcher.get("/admin/studies/demo")
    assert f'href="{OWN}"' in page.answer.text
    researcher.get(OWN).send("people", **SURE)
    wait(researcher)
    text = " ".join(researcher.answer.text.split())
    assert re.search(rf"{OWN}\?job=\w+#plan-h$", str(researcher.answer.url))
    assert '<h2 id="plan-h">' in text
    assert "4.0 people finish, 0.0 leave, 0.0 find no place" in text
    assert """<td class="num">0.900</td><td class="num">0.000</td>""" in text
    assert researcher.page.form("people").fields["people"] == "4"


def test_page_explains_the_heads_of_its_tables(researcher, study):
    terms = re.findall(r"<dt>([^<]+)</dt>", researcher.get(OWN).answer.text)
    heads = (TEMPLATES / "report/plan.html").read_text("utf-8")
    assert [head for head in HEADS if head not in terms or f">{head}</th>" not in heads] == []


def test_draft_can_be_planned_before_anyone_opens_it(researcher, server):
    with server.store.write() as db:
        before = db.exec_driver_sql("SELECT count(*) FROM design").scalar_one()
    draft.make(server.store, DRAFT, ticket=new_ticket(), by="ada", now=NOW)
    assert f'href="{PLANNED}"' in researcher.get("/admin/studies/planned/design").answer.text
    researcher.get(PLANNED)
    assert not {"nonce", "direct"} & {*researcher.page.form("people").fields}
    researcher.send("people", **SURE)
    wait(researcher)
    text = " ".join(researcher.answer.text.split())
    assert "4.0 people finish, 0.0 leave, 0.0 find no place" in text
    assert "Simulate the draft" in text
    with server.store.read() as db:
        assert db.exec_driver_sql("SELECT count(*) FROM design").scalar_one() == before


def test_page_shows_how_wide_the_interval_of_a_difference_would_be(researcher, study):
    unsure = SURE | {"people": "12", "spread": "0.2", "skill": "0.6", "model": "0.5"}
    researcher.get(OWN).send("people", **unsure)
    wait(researcher)
    tests = " ".join(researcher.answer.text.split()).split("<caption>")[1]
    head = re.findall(r'<th scope="col"[^>]*>([^<]*)</th>', tests)
    assert head[3:6] == ["Mean", "Spread of 95%", "Width of interval"]
    rows = re.findall(r"<tr> <th scope=\"row\">people - model.*?</tr>", tests)
    cells = [re.findall(r'<td class="num">([^<]*)</td>', row) for row in rows]
    assert cells
    assert all(0 < float(one[2]) < 1 for one in cells)


def test_wrong_assumptions_are_marked_and_start_nothing(researcher, study, server):
    researcher.get(OWN).send("people", people="0", model="high", skill="wizard", spread="x")
    text = researcher.answer.text
    assert researcher.answer.status_code == 422
    assert "Enter a whole number from 1 to 5000, such as 60." in text
    assert "or a bot: oracle, inducer" in text
    assert "Enter a number from 0 to 1, such as 0.5." in text
    assert "Enter a number from 0 to 0.49, such as 0.2." in text
    assert researcher.page.form("people").fields["skill"] == "wizard"
    made = researcher.client.post("/admin/studies/demo/jobs", data={"kind": "plan"})
    assert made.status_code == 404
    with server.store.read() as db:
        assert db.exec_driver_sql("SELECT count(*) FROM job").scalar_one() == 0


def test_cost_is_the_pay_of_those_who_finish(make_study, server):
    pay = {"base_cents": 500, "bonus": "10 * successes", "bonus_cap_cents": 1000}
    make_study(slug="paid", payment=pay, texts={"minutes": 30})
    with server.store.read() as db:
        study = studies.find(db, "paid")
        made = whatif.plan(db, study, SURE)
        known = whatif.plan(db, study, SURE | {"skill": "oracle"})
    worlds = whatif_worlds(server, study)
    each = 500 + 10 * worlds
    assert made["cost"]["mean_cents"] == made["cost"]["most_cents"] == 4 * each
    assert made["cost"]["mean_hours"] == 2.0
    assert {one["mean"] for one in known["scores"] if one["measure"] != "RV"} == {1.0}
    assert json.loads(json.dumps(made)) == made
    assert any(f"GBP {4 * each / 100:.2f}" in line for line in whatif.lines(made))


def test_people_who_leave_cost_nothing(make_study, server):
    """A flat pay: the cost is that of those who finish, in each study and so on average."""
    make_study(slug="flat", payment={"base_cents": 500, "bonus": ""})
    with server.store.read() as db:
        made = whatif.plan(db, studies.find(db, "flat"), SURE | {"dropout": "0.5"})
    assert 0 < made["filling"]["finished"] < 4
    assert made["cost"]["mean_cents"] == pytest.approx(500 * made["filling"]["finished"])


@pytest.mark.parametrize(
    ("people", "arrivals", "finished", "refused"),
    [
        ({}, "60", 8, 0),
        ({"quota": 3}, "3", 3, 5),
        ({"quota": 3, "cell_quota": 2}, "2", 2, 6),
        ({"quota": 2, "cell_quota": 3}, "2", 2, 6),
        ({"quota": 5001}, "5000", 8, 0),
    ],
)
@pytest.mark.one_database
def test_plan_keeps_every_quota_of_the_study(
    make_study, researcher, server, people, arrivals, finished, refused
):
    """Everyone gets each of the two cells, and is paid 1 GBP."""
    make_study(slug="small", people=people, payment={"base_cents": 100})
    with server.store.read() as db:
        study = studies.find(db, "small")
        made = whatif.plan(db, study, SURE | {"people": "8"})
        usual = whatif.plan(db, study, {"simulated": "10", "spread": "0"})
    filling, cost = made["filling"], made["cost"]
    assert (filling["finished"], filling["refused"]) == (finished, refused)
    assert cost["most_cents"] == 100 * finished
    shown = researcher.get("/admin/studies/small/plan").page.form("people").fields["people"]
    enough = int(shown)
    assert usual["assumed"]["people"] == enough
    assert int(arrivals) <= enough <= int(arrivals) * 1.5


def whatif_worlds(server, study):
    """Return the guardians that a person of the study plays."""
    with server.store.read() as db:
        worlds = whatif.worlds_of(db, study, "1")
    assert len(worlds) == study.spec.per_player
    return sum(world.episodes for world in worlds)


@pytest.mark.parametrize(
    ("tasks", "levels"),
    [
        (["A-Over"], ["A-Over"]),
        (["A-Over", "P-Comp"], ["A-Over", "P-Comp", "Total"]),
        (["A-Comp", "A-Over"], ["A-Comp", "A-Over", "attribute"]),
    ],
)
def test_planned_tests_have_no_line_twice(researcher, server, tasks, levels):
    blocks = [{"task": task, "seeds": [0, 1]} for task in tasks]
    document = DRAFT | {"blocks": blocks, "per_player": len(tasks)}
    draft.make(server.store, document, ticket=new_ticket(), by="ada", now=NOW)
    unsure = SURE | {"people": "12", "spread": "0.2", "skill": "0.6", "model": "0.5"}
    researcher.get(PLANNED).send("people", **unsure)
    wait(researcher)
    page = " ".join(researcher.answer.text.split())
    row = r'<th scope="row">people - model[^<]*</th> *<td>[^<]*</td> *<td>([^<]*)<'
    assert re.findall(row, page) == levels
    with server.store.read() as db:
        made = whatif.plan(db, publishing.planned(db, "planned"), unsure)
    printed = [line for line in whatif.lines(made) if line.startswith("people - model")]
    assert [line.partition("), ")[2].partition(":")[0] for line in printed] == levels
