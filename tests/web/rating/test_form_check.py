"""Before and after a round opens, its page says whether form alone tells people from models."""

import json

import pytest
import sqlalchemy as sa

from app.store.rating.items import item
from app.study.agreement import methods
from tests.walker import one_line

pytestmark = pytest.mark.one_database

OWN = "/admin/studies/demo/rating/rounds/1"
SHORT = "The class decides {n}."
LONG = "First (a), the class; then, as {n} shows, the role: it decides - always, in every case."


@pytest.fixture
def boss(desk):
    return desk.browser("boss", "researcher")


def drafted(desk, people, models, number=24):
    """Draft a round of people's and models' texts, in equal numbers."""
    desk.models(2 * number)
    with desk.store.write() as db:
        for n, row in enumerate(desk.items()):
            text, kind = (people, "player") if n % 2 else (models, "model")
            values = {"text": text.format(n="so" * (n // 2 % 4 + 1)), "kind": kind}
            db.execute(sa.update(item).where(item.c.id == row.id).values(values))
    desk.draft(("ann",), items="ids", ids="\n".join(row.external_id for row in desk.items()))


@pytest.mark.parametrize(("people", "models", "tells"), [(SHORT, LONG, True), (LONG, LONG, False)])
def test_draft_page_warns_only_if_form_tells_and_the_report_has_the_figure(
    desk, boss, people, models, tells
):
    drafted(desk, people, models)
    text = one_line(boss.get(OWN).answer.text)
    said = "Form alone distinguishes" if tells else "Form alone does not tell"
    mark = ' class="notice"' if tells else ""
    assert f"<p{mark}>{said} people from models:" in text
    assert ("report this figure with the results" in text) == tells
    boss.send("ticket", action="open")
    report = json.loads(boss.get(f"{OWN}/agreement/report.json").answer.text)
    form = report["form"]
    assert (form["people"], form["models"], form["tells"]) == (24, 24, tells)
    assert (form["low"] > 0.5) == tells
    assert f"{form['area']:.0%} of pairs" in text
    figures = f"AUC {form['area']:.3f}, 95% interval {form['low']:.3f} to {form['high']:.3f}"
    assert figures in report["methods"][0]
    assert f"Form alone {'told' if tells else 'did not tell'} people" in report["methods"][0]


def test_raters_see_a_text_without_the_marks_that_tell_who_wrote_it(desk):
    desk.models(1)
    with desk.store.write() as db:
        db.execute(sa.update(item).values(text="**Rule:**\n- the class decides"))
    desk.open(("ann",))
    [place] = desk.places("ann")
    page = desk.browser("ann").get(f"/rate/item/{place.token}").answer.text
    assert "The class decides." in page
    assert "**" not in page


def test_too_few_texts_are_said_not_to_have_been_compared(desk, boss):
    drafted(desk, SHORT, LONG, number=4)
    assert "Form was not compared: this needs at least 10 texts" in boss.get(OWN).answer.text
    boss.send("ticket", action="open")
    report = json.loads(boss.get(f"{OWN}/agreement/report.json").answer.text)
    assert report["form"] is None
    assert "was not tested (too few texts)" in report["methods"][0]


@pytest.mark.parametrize(
    ("presentation", "said"),
    [(None, "shown as written, with the headings"), ("2", "shown in one form (version 2)")],
)
def test_methods_say_in_which_form_the_texts_were_shown(presentation, said):
    assert said in methods.presented({"presentation": presentation})
