"""Judges and players started from their pages: a job with progress, keys by name, refusals."""

import shutil
import sqlite3
import time

import pytest

from app.agents.answering import response_format
from app.settings import Settings
from app.store.models import plays
from app.store.models.runs import model_run
from app.store.rating import judges
from app.study.models import endpoints, runs, starting
from app.study.models.cells import choose
from app.study.models.endpoints import EndpointError
from tests.models import scripted
from tests.models.played import play
from tests.models.scripted import Players, Scripted
from tests.web.conftest import NOW

JUDGE = "/admin/studies/demo/rating/judges/run"
PLAY = "/admin/studies/demo/report/models/start"
RUN = "/admin/studies/demo/report/models/runs"
WISHES = {"model": "j", "endpoint": "local", "method": "overall", "preset": "paper"}


@pytest.fixture
def script():
    return Scripted(Players([]))


@pytest.fixture
def sqlite_url(sqlite_template, tmp_path):
    path = tmp_path / "test.db"
    shutil.copyfile(sqlite_template, path)
    return f"sqlite:///{path}"


@pytest.fixture
def settings(sqlite_url, tmp_path, script):
    with script.serving() as url:
        named = f"local={url}, keyed={url} JUDGE_KEY"
        (tmp_path / "prices.json").write_text('{"j": {"input": 1, "output": 1}}')
        yield Settings(
            database_url=sqlite_url,
            data_dir=tmp_path / "data",
            htmx_source="local",
            threads=8,
            model_endpoints=named,
            model_prices=tmp_path / "prices.json",
        )


@pytest.fixture
def explained(server, study):
    """The study with two explanations by a model."""
    play(server.store, study.slug)
    return study


def send(researcher, page, **wishes):
    """Fill in and send the form of a page."""
    return researcher.get(page).send("endpoint", **{**WISHES, **wishes}).answer


def waited(researcher, answer):
    """Follow a job until it is over; returns the last page's text."""
    assert answer.status_code == 200, answer.text
    url, end = str(answer.url), time.monotonic() + 60
    text = answer.text
    while 'http-equiv="refresh"' in text and time.monotonic() < end:
        time.sleep(0.2)
        text = researcher.get(url).answer.text
    return " ".join(text.split())


@pytest.mark.long  # test_whole_study.py starts one too
def test_judge_is_started_from_its_page_and_shown_with_its_scores(
    researcher, server, explained, script
):
    assert JUDGE in researcher.get("/admin/studies/demo/rating").page.links
    assert "local:" in researcher.get(JUDGE).answer.text
    text = waited(researcher, send(researcher, JUDGE, repeats="2", schema="yes"))
    assert "Scores, repeat 1: 2 of 2" in text
    assert "Scores, repeat 2: 2 of 2" in text
    assert "State: finished" in text
    assert len(script.requests) == 4
    body, headers = script.requests[0]
    assert (body["model"], body["temperature"]) == ("j", 0)
    assert body["response_format"] == response_format("overall")
    assert "clever-model" not in str(body)  # who wrote it
    assert headers["authorization"] == "Bearer none"
    with server.store.read() as db:
        found = judges.runs(db, explained.id)
        assert [len(judges.scores(db, one.id)) for one in found] == [2, 2]
        assert {one.made_by for one in found} == {"researcher"}


@pytest.mark.long
def test_key_comes_from_the_environment_by_name_and_is_stored_nowhere(
    researcher, explained, script, sqlite_url, monkeypatch
):
    answer = send(researcher, JUDGE, endpoint="keyed")
    assert answer.status_code == 422
    assert "no JUDGE_KEY" in answer.text
    monkeypatch.setenv("JUDGE_KEY", "sk-very-secret")
    waited(researcher, send(researcher, JUDGE, endpoint="keyed"))
    assert script.requests[0][1]["authorization"] == "Bearer sk-very-secret"
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as db:
        assert "sk-very-secret" not in "\n".join(db.iterdump())


@pytest.mark.long
def test_player_that_stops_is_gone_on_with_from_the_page_of_its_run(
    researcher, server, study, script
):
    assert PLAY in researcher.get(RUN).page.links
    with server.store.read() as db:
        variants = [server.library.variant(db, name) for name in study.hashes.values()]
    script.answer, script.faults = Players(variants), [scripted.NO_KEY]
    made = send(researcher, PLAY, method="plain", label="From the page")
    text = waited(researcher, made)
    assert "invalid api key" in text
    assert "State: stopped" in text
    assert "Continue this run" in text
    answer = researcher.get(f"{RUN}/1").send("run").answer
    assert "State: finished" in waited(researcher, answer)
    with server.store.read() as db:
        run = runs.find(db, study, 1)
        assert {row.state for row in plays.of_run(db, run.id)} == {"won"}
    assert run.label == "From the page"


@pytest.mark.long
def test_run_stops_at_its_limit_and_continues_with_another(researcher, explained, script):
    text = waited(researcher, send(researcher, JUDGE, repeats="9", max_cost="0.0001"))
    assert "The limit of 0.0001 for the cost is reached" in text
    asked = len(script.requests)
    assert 1 <= asked <= 8  # at once
    assert "Cost: 0.00" in text
    text = waited(researcher, researcher.get(f"{RUN}/2").send("run", max_calls="12").answer)
    assert "The limit of 12 calls is reached" in text
    answer = researcher.get(f"{RUN}/2").send("run", max_calls="99").answer
    assert "State: finished" in waited(researcher, answer)
    assert len(script.requests) == 18


@pytest.mark.parametrize(
    ("preset", "chosen", "rubric"),
    [
        ("paper", "", "overall"),
        ("package", "", "criteria"),
        ("package", "overall", "overall"),
    ],
)
def test_rubric_of_a_judge_is_the_presets_unless_it_is_chosen(
    study, settings, preset, chosen, rubric
):
    (to, _) = endpoints.read(settings.model_endpoints)
    typed = {**WISHES, "method": chosen, "preset": preset, "schema": "yes"}
    wanted = starting.read(study, "judge", to, typed, "researcher")
    assert wanted.method == rubric
    assert wanted.parameters["response_format"] == response_format(rubric)


def test_page_of_a_judge_names_the_rubric_of_each_preset_first(researcher, study):
    text = " ".join(researcher.get(JUDGE).answer.text.split())
    first = "as the preset says: overall with paper, criteria with package"
    assert text.index(first) < text.index('<option value="overall">')
    assert researcher.page.form("endpoint").fields["method"] == ""


def test_pages_of_players_say_which_preset_has_other_distractors(researcher, study, stopped):
    """As the command does: the small study's variants have four, the package's none."""
    line = "The study&#39;s variants have 4 distractors, those of the preset package have 0."
    answer = researcher.get(PLAY).answer
    assert answer.text.count("distractors, those of the preset") == 1
    assert line in answer.text
    assert "distractors" not in researcher.get(JUDGE).answer.text
    assert "distractors" not in researcher.get(stopped(None)).answer.text
    assert line in researcher.get(stopped(None, "package")).answer.text


@pytest.fixture
def stopped(server, study, settings):
    """Return the address of a run that stopped, made with a price or without one."""

    def make(price, preset="paper"):
        url = endpoints.read(settings.model_endpoints)[0].url
        wanted = runs.Wanted(
            *("play", "m", url, "plain", preset, {}),
            cells=choose(study, (), (), direct=False),
            explains="none",
            price=price,
        )
        number = runs.create(server.store, study, wanted, NOW)
        with server.store.read() as db:
            run = runs.find(db, study, number)
        runs.end(server.store, run, ["It was interrupted."], NOW)
        return f"{RUN}/{number}"

    return make


WRONG = {
    "timeout_s": ("soon", "Longest wait: must be from 0.1 to 3600 seconds"),
    "max_calls": ("0", "Calls: must be a whole number from 1"),
    "max_tokens": ("-5", "Tokens: must be a whole number from 1"),
    "max_cost": ("a lot", "Cost: must be a number above 0"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_limit_of_a_run_is_shown_at_its_field_with_what_was_typed(
    researcher, stopped, script, name
):
    value, words = WRONG[name]
    typed = {"timeout_s": "20", "max_calls": "30", "max_tokens": "40", "max_cost": "50"}
    answer = researcher.get(stopped((1.0, 1.0))).send("run", **{**typed, name: value}).answer
    assert answer.status_code == 422
    page = researcher.page
    assert page.name == "model-run"
    assert page.form("run").fields | {**typed, name: value} == page.form("run").fields
    assert f'<p class="error" id="{name}-error">{words}' in answer.text
    assert answer.text.count('class="error"') == 1
    assert f'aria-describedby="{name}-error"' in answer.text
    assert script.requests == []


def test_run_without_a_price_has_no_limit_of_money(researcher, stopped):
    page = researcher.get(stopped(None)).page
    assert "max_cost" not in page.form("run").fields
    assert "Cost:" not in researcher.answer.text
    answer = researcher.send("run", max_cost="1").answer
    assert answer.status_code == 422
    assert "Cost: this run has no price" in answer.text


def test_run_whose_endpoint_is_gone_shows_why_on_its_own_page(researcher, server, stopped):
    url = stopped(None)
    with server.store.write() as db:
        db.execute(model_run.update().values(base_url="http://127.0.0.1:1/v1"))
    answer = researcher.get(url).send("run", max_calls="7").answer
    assert (answer.status_code, researcher.page.name) == (422, "model-run")
    assert "an endpoint that this server does not have" in answer.text
    assert researcher.page.form("run").fields["max_calls"] == "7"


REFUSED = {
    "endpoint": ("http://127.0.0.1:1/v1", "is not one of"),
    "method": ("clever", "method: must be one of overall, criteria"),
    "preset": ("own", "preset: must be one of paper, package"),
    "items": ("sample:4", "has no sample 4"),
    "repeats": ("21", "repeats: must be a number from 1 to 20"),
    "model": ("", "model: must have 1 to 100"),
    "label": ("x" * 129, "too long"),
    "timeout_s": ("soon", "Longest wait: must be from 0.1 to 3600 seconds"),
    "max_calls": ("0", "Calls: must be a whole number from 1, or empty"),
    "max_tokens": ("1e6", "Tokens: must be a whole number from 1, or empty"),
    "max_cost": ("-1", "Cost: must be a number above 0, or empty"),
}


def test_wishes_that_cannot_be_met_are_refused_with_what_was_typed(researcher, study, script):
    for name, (value, words) in REFUSED.items():
        answer = send(researcher, JUDGE, **{name: value})
        assert answer.status_code == 422, name
        assert words in answer.text.replace("&#39;", "'"), name
    assert send(researcher, JUDGE, repeats="0012345").status_code == 422
    assert script.requests == []
    other = send(researcher, JUDGE, model="other", max_cost="1")
    assert "Cost: this server has no price for" in other.text
    assert '<p class="error" id="max_cost-error">' in other.text


def test_endpoints_are_read_from_the_setting_or_refused():
    found = endpoints.read("a=http://x/v1/, b=https://y KEY_B")
    assert [(one.name, one.url, one.key_name) for one in found] == [
        ("a", "http://x/v1", ""),
        ("b", "https://y", "KEY_B"),
    ]
    assert endpoints.read("") == ()
    for text in ("http://x", "a=ftp://x", "a=http://x key", "=http://x"):
        with pytest.raises(EndpointError):
            endpoints.read(text)
