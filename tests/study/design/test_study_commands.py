"""hjstudy study: link --test, file, update, open and close."""

import json

import pytest
from typer.testing import CliRunner

from app.cli import app
from app.study.design import draft, publishing, testlink
from app.study.design.spec import check_study, parse_study
from app.study.design.studies import NotPublishedError
from app.study.tickets import new_ticket
from tests.study.desk import NOW, SMALL, Desk


@pytest.fixture
def desk(store):
    return Desk(store)


@pytest.fixture
def run(store_url, monkeypatch):
    """Run `hjstudy study ...` on the test's database; return its output."""
    monkeypatch.setenv("HJSTUDY_DATABASE_URL", store_url)
    monkeypatch.setenv("HJSTUDY_BASE_URL", "https://study.example.org")

    def study(*arguments, code=0):
        result = CliRunner().invoke(app, ["study", *map(str, arguments)])
        assert result.exit_code == code, result.output
        return result.stdout

    return study


def test_test_link_is_printed_and_opens_the_study(desk, run):
    desk.make()
    found = json.loads(run("link", "autumn", "--test", "--json"))
    base, value = found["link"].split("?test=")
    assert base == "https://study.example.org/s/autumn"
    with desk.store.read() as db:
        assert testlink.study_of(db, "autumn", value, NOW).version == 1


def test_test_link_of_a_draft_plays_the_draft(desk, run):
    document = check_study(SMALL).model_dump(mode="json")
    draft.make(desk.store, document, ticket=new_ticket(), by="ada", now=NOW)
    link = run("link", "autumn", "--test").strip()
    assert desk.player(desk.arrive(link)).row.is_test


def test_file_is_the_design_and_update_takes_it_back(desk, run, tmp_path):
    desk.make().arrive()
    text = run("file", "autumn")
    assert parse_study(text) == desk.view().spec
    path = tmp_path / "study.yaml"
    path.write_text(text.replace("minutes: 20", "minutes: 33"), encoding="utf-8")
    assert json.loads(run("update", path, "--json")) == {
        "slug": "autumn",
        "changed": "version",
        "version": 2,
    }
    assert parse_study(run("file", "autumn")).texts.minutes == 33
    assert parse_study(run("file", "autumn", "--version", 1)).texts.minutes == 20


def test_opening_a_draft_publishes_it(desk, run):
    document = check_study(SMALL).model_dump(mode="json")
    draft.make(desk.store, document, ticket=new_ticket(), by="ada", now=NOW)
    run("open", "autumn")
    assert (desk.view().state, desk.view().version) == ("open", 1)
    run("close", "autumn")
    assert [one.event for one in desk.history()][:2] == ["closed", "opened"]
    assert {one.made_by for one in desk.history()[:3]} == {"command line"}


def test_closing_a_draft_is_refused(desk, store):
    document = check_study(SMALL).model_dump(mode="json")
    draft.make(store, document, ticket=new_ticket(), by="ada", now=NOW)
    with pytest.raises(NotPublishedError):
        publishing.change_state(store, "autumn", "closed", by="ada", now=NOW)
