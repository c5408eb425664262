"""The agreement page, its downloads and the planner, as a researcher uses them."""

import csv
import io
import json
import re
import zipfile
from collections import Counter
from xml.etree import ElementTree as ET

import pytest
from sqlalchemy import update

from app.store.rating.judges import judge_run
from app.store.rating.ratings import rating
from app.study import jobs
from app.study.agreement import parity
from app.study.agreement.cache import desk
from app.study.report.work import works
from app.web import agreement
from tests.rated import store_round
from tests.walker import one_line

pytestmark = pytest.mark.one_database

BASE = "/admin/studies/demo/rating"
PAGE = f"{BASE}/rounds/1/agreement"


@pytest.fixture
def rated(server, study):
    """Store a round; return what was stored."""

    def make(**how):
        with server.store.write() as db:
            return store_round(db, study.id, **how)

    return make


def test_weighted_pool_figures_stand_first_and_the_unweighted_row_says_what_it_describes(
    rated, researcher
):
    rated()
    text = one_line(researcher.get(PAGE).answer.text)
    weighted, unweighted = "Pool estimate (weighted)", "Unweighted: only the items drawn"
    for name in ("alpha", "measured", "beside", "versions", "groups", "influence", "full"):
        tables = text[text.index(f'<section id="{name}"') :].partition("</section>")[0]
        tables = tables[tables.index("<table") :]
        assert 0 < tables.index(weighted) < tables.index(unweighted), name
    methods = text[text.index('<section id="methods"') :]
    assert methods.index("Estimated for the pool") < methods.index("In the sample as drawn")


def test_page_shows_both_rows_every_section_and_the_methods(rated, researcher):
    rated()
    text = one_line(researcher.get(PAGE).answer.text)
    report = json.loads(researcher.get(f"{PAGE}/report.json").answer.text)
    for row in ("balanced", "pool"):
        assert f"{report['rows'][row]['human_human']['alpha']:.3f}" in text
    for words in (
        "Unweighted: only the items drawn",
        "Pool estimate",
        "At other levels of measurement",
        "Within each judge level",
        "is not shown",
        "Confusion with the judge",
        "Corrected mean score",
        "First given, as edited, settled",
        "By task and by source",
        "Most influential items",
        "Methods",
        "2 people rated 99 explanations",
        "rater_1 - judge",
    ):
        assert words in text
    for level, rows in report["other_levels"].items():
        assert f'<th scope="col">{level}</th>' in text
        for row in rows.values():
            one = row["human_judge"][0]["mean"]
            assert (one["interval"], one["interval_reason"]["code"]) == (None, "other_level")
            assert f"<td>{one['value']:.3f}</td>" in text
    tables = text[text.index('id="confusion"') :].partition("</section>")[0]
    assert tables.count("<table") == 4 * len(report["confusion"]) + 1
    for one in report["confusion"]:
        exact = one["accuracy"]
        assert f"{one['human']} by {one['judge']}</th><td>{exact['value']:.3f}</td>" in tables
    full = text[text.index('id="full"') :]
    for row in report["rows"].values():
        for one in (row["human_human"], *row["human_judge"][1]["each"].values()):
            cells = [one["n_units"], one["n_pairable"], one["n_single"], one["n_values"]]
            cells += [one["n_pairable_values"], f"{one['Do']:.3f}", f"{one['De']:.3f}"]
            assert "".join(f"<td>{cell}</td>" for cell in cells) in full
            assert f"<td>0 of 10000</td><td>{one['data_hash'][:12]}</td>" in full
    assert "Interim" not in text
    assert text.count("<svg") == 3
    assert "style=" not in text
    assert "nan" not in re.sub(r"<[^>]*>", " ", text).lower().split()


def test_influence_leads_to_each_items_text_and_ratings(rated, researcher):
    stored = rated()
    researcher.get(PAGE)
    report = json.loads(researcher.get(f"{PAGE}/report.json").answer.text)
    text = one_line(researcher.get(PAGE).answer.text)
    for row in ("balanced", "pool"):
        for one in report["influence"][row]:
            assert re.search(rf'<a href="{BASE}/rounds/1/adjudicate/\d+">{one["item"]}</a>', text)
    assert stored.number == 1


def test_versions_stand_beside_each_other_for_every_judge(rated, researcher):
    rated()
    text = one_line(researcher.get(PAGE).answer.text)
    table = text[text.index('id="versions"') :].partition("</table>")[0]
    heads = re.findall(r'<th scope="col">(Mean human[^<]*)</th>', table)
    assert heads == ["Mean human - judge", "Mean human - second judge"]


def test_open_round_says_interim(rated, researcher):
    rated(state="open")
    assert "Interim" in researcher.get(PAGE).answer.text


def test_round_page_leads_to_the_agreement(rated, researcher):
    rated()
    assert PAGE in researcher.get(f"{BASE}/rounds/1").answer.text


def test_draft_has_nothing_to_report_and_unknown_things_are_not_found(rated, researcher):
    rated(state="draft")
    refused = researcher.get(PAGE).answer
    assert refused.status_code == 409
    assert "is not open yet, so there is nothing to report" in refused.text
    assert "Edit the draft" in refused.text
    assert researcher.client.get(f"{BASE}/rounds/7/agreement").status_code == 404
    assert researcher.client.get(f"{BASE}/rounds/0/agreement").status_code == 404


def test_unknown_criterion_or_file_is_not_found(rated, researcher):
    rated()
    assert researcher.client.get(f"{PAGE}?of=inputs").status_code == 404
    assert researcher.client.get(f"{PAGE}/else.csv").status_code == 404
    assert researcher.client.get(f"{PAGE}/else.svg").status_code == 404


def test_criteria_round_switches_between_criteria(rated, researcher):
    rated(mode="criteria")
    text = one_line(researcher.get(f"{PAGE}?of=output").answer.text)
    assert "<strong>output</strong>" in text
    assert f"{PAGE}?of=mean" in text


def test_downloads_hold_the_pages_numbers(rated, researcher):
    rated()
    report = json.loads(researcher.get(f"{PAGE}/report.json").answer.text)
    rows = list(csv.DictReader(io.StringIO(researcher.get(f"{PAGE}/coefficients.csv").answer.text)))
    headline = next(
        r for r in rows if (r["set"], r["row"], r["kind"]) == ("as_edited", "pool", "human_human")
    )
    assert float(headline["value"]) == report["rows"]["pool"]["human_human"]["alpha"]
    assert (
        float(headline["interval_low"]) == report["rows"]["pool"]["human_human"]["interval"]["low"]
    )
    assert (headline["level"], headline["domain"]) == ("ordinal", "0 1 2")
    assert headline["raters"] == "rater_1; rater_2"
    counted = [float(pair.partition(":")[2]) for pair in headline["counts"].split()]
    assert sum(counted) == pytest.approx(int(headline["n_pairable_values"]))
    assert Counter(r["level"] for r in rows if r["kind"] == "human_human") == {
        "ordinal": 6,
        "nominal": 2,
        "interval": 2,
        "ratio": 2,
    }
    ratings = researcher.get(f"{PAGE}/ratings.csv").answer.text
    assert ratings.splitlines()[0] == "item,rater,value,weight,stratum,cluster"
    packed = zipfile.ZipFile(io.BytesIO(researcher.client.get(f"{PAGE}/parity.zip").content))
    assert {"recompute.py", "recompute.R", "scores.csv", "report.json"} <= set(packed.namelist())
    plot = researcher.client.get(f"{PAGE}/coefficients.svg")
    assert plot.headers["content-type"].startswith("image/svg+xml")
    assert plot.text.startswith("<svg xmlns=")


def test_names_with_markup_are_shown_as_text(rated, researcher, server, study):
    rated()
    with server.store.write() as db:
        db.execute(update(judge_run).where(judge_run.c.judge == "judge").values(judge="<b>&judge"))
    text = one_line(researcher.get(PAGE).answer.text)
    assert "<b>&judge" not in text
    assert "&lt;b&gt;&amp;judge" in text


def test_a_judges_name_with_quotes_stays_within_the_plots(rated, researcher, server, study):
    name = '" onload="x" a=\'\' <i>' + "long" * 9
    rated()
    with server.store.write() as db:
        db.execute(update(judge_run).where(judge_run.c.judge == "judge").values(judge=name))
    for plot in ("bias", "coefficients", "confusion"):
        text = researcher.client.get(f"{PAGE}/{plot}.svg").text
        whole = ET.fromstring(text)  # noqa: S314 - made by ourselves
        assert set(whole.attrib) == {"viewBox", "width", "height", "role", "aria-label"}
        if plot == "bias":
            assert name in whole.attrib["aria-label"]
        else:
            _title, *labels = [one.text for one in whole.iter() if one.text]
            assert max(map(len, labels)) <= 50
            assert any(label.startswith(("rater_1 - ", "rater_1 (")) for label in labels)


def test_planner_shows_its_form_then_a_plan_for_typed_numbers(researcher):
    assert "Expected precision" not in researcher.get(f"{BASE}/planner").answer.text
    asked = "pool=typed&level_0=112&level_1=304&level_2=1184&width=0.3&judge_right=0.8"
    text = researcher.get(f"{BASE}/planner?{asked}&rater_right=0.9&seed=1").answer.text
    assert "Expected precision" in text
    assert "33, 33, 33" in text
    assert 'value="1184"' in text


def test_planner_takes_a_judges_scores_as_the_pool(rated, researcher):
    stored = rated()
    text = researcher.get(
        f"{BASE}/planner?pool=1&width=0.3&judge_right=0.8&rater_right=0.9&seed=1"
    ).answer.text
    numbers = [sum(item.level == level for item in stored.frame) for level in range(3)]
    assert ", ".join(f"{number} judged {level}" for level, number in enumerate(numbers)) in text


@pytest.mark.parametrize(
    "asked",
    [
        "width=9",
        "width=",
        "seed=x",
        "level_0=-3",
        "pool=99",
        "judge_right=0",
        "rater_right=2",
        "level_1=",
    ],
)
def test_planner_says_what_cannot_be_planned_and_keeps_what_was_typed(researcher, asked):
    answer = researcher.client.get(f"{BASE}/planner?{asked}")
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    name, _, value = asked.partition("=")
    if value and name != "pool":
        assert f'value="{value}"' in answer.text


def test_large_report_is_made_by_a_job_and_is_the_same(rated, researcher, server, monkeypatch):
    def run(job):
        jobs.perform(server.store, job, works(server.runner.folder))

    monkeypatch.setattr(server.runner, "_run", run)
    stored = rated(size=60, per_level=4)
    parts = ("", "/report.json", "/coefficients.csv", "/parity.zip", "/parity.zip?raw=1")
    inline = [researcher.client.get(f"{PAGE}{part}").content for part in parts]
    desk.forget()
    monkeypatch.setattr(agreement, "MOST_RATINGS", 0)
    assert researcher.client.get(f"{PAGE}/parity.zip").status_code == 409
    assert researcher.client.get(f"{PAGE}?of=odd").status_code == 404
    assert "the report takes a while" in researcher.get(PAGE).answer.text
    page = researcher.send("of").answer
    while "/jobs/" in page.url.path:
        page = researcher.client.get(str(page.url))
    assert page.url.path == PAGE
    monkeypatch.setattr(parity, "archive", None)  # the job has written them
    assert [researcher.client.get(f"{PAGE}{part}").content for part in parts] == inline
    with server.store.write() as db:
        db.execute(update(rating).values(value=0))
    page = researcher.get(PAGE)
    assert "which have changed since" in page.answer.text
    assert page.page.form("of").fields["round"] == str(stored.number)
    assert not [link for link in page.page.links if "ratings.csv" in link]
