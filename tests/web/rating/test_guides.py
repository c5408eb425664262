"""What the guides for newcomers say about bringing data along: each way ends in this server."""

import csv
import json
import runpy
import shutil

import pytest

from app.store.rating import judges
from tests.pages import ROOT, blocks
from tests.walker import PageReader, Walker
from tests.web.conftest import SMALL

pytestmark = pytest.mark.one_database
OWN = "/admin/studies/demo/rating"
OTREE = {"id_parameters": ["participant_label"]}  # as the guide says
TEXT = 'The class decides; "size" does not.\nAlways ünï.'
# Files that the tools themselves wrote: oTree 6.0.15 (its bots), Label Studio 1.23.2 (Export, and a
# snapshot with predictions and accounts), Potato 2.12.1, jsPsych 7.3.4 (two people, a line each, as
# JATOS writes results as plain text).
REAL = ROOT / "tests" / "data" / "elsewhere"


@pytest.fixture
def boss(desk):
    return desk.browser("boss", "researcher")


@pytest.fixture
def script(tmp_path, monkeypatch):
    """Run a script of a guide in an empty folder; returns the folder."""
    monkeypatch.chdir(tmp_path)

    def run(page, title):
        (block,) = [one for one in blocks(ROOT / "docs" / page) if one.title == title]
        (tmp_path / title).write_text(block.text, encoding="utf-8")
        runpy.run_path(title)
        return tmp_path

    return run


def store(boss, kind, path):
    """Upload a file on a page of the round's desk, and confirm."""
    page = boss.client.post(f"{OWN}/{kind}", files={"file": (path.name, path.read_bytes())})
    form = PageReader(page.text).form("ticket")
    answer = boss.client.post(form.action, data=form.fields, follow_redirects=False)
    assert answer.status_code == 303, page.text


def stored(desk):
    """Return what an item is: its ID, its source and its text."""
    return [(row.external_id, row.source, row.text) for row in desk.items()]


@pytest.fixture
def real(tmp_path):
    """Copy what a tool wrote to where the guide's script looks for it."""

    def copy(name, target):
        copying = shutil.copytree if (REAL / name).is_dir() else shutil.copyfile
        copying(REAL / name, tmp_path / target)

    return copy


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_wide_file_that_otree_wrote_becomes_items(desk, boss, script, real):
    real("otree.csv", "all_apps_wide.csv")
    store(boss, "models", script("from-otree.md", "items.py") / "items.csv")
    text = TEXT.replace("\nAlways", " Always,")  # oTree writes a line break as a space
    assert stored(desk) == [("gngskxap", "otree", text), ("xsdzrxf4", "otree", text)]


def test_results_of_several_people_that_jatos_wrote_become_items(desk, boss, script, real):
    real("jatos.txt", "results.txt")
    store(boss, "models", script("from-jspsych.md", "items.py") / "items.csv")
    assert stored(desk) == [("p1-0", "jspsych", TEXT), ("p2-0", "jspsych", "Size decides.")]


def test_snapshot_that_label_studio_wrote_becomes_items_scores_and_ratings(
    desk, boss, script, real, tmp_path
):
    real("label-studio-snapshot.json", "export.json")
    folder = script("from-label-studio.md", "items.py")
    store(boss, "models", folder / "items.csv")
    store(boss, "judges", folder / "scores.csv")
    assert stored(desk) == [("a", "gpt", TEXT), ("b", "gpt", "Size decides.")]
    assert table(tmp_path / "scores.csv")[1:] == [["a", "2", "judge 2"], ["b", "0", "judge 2"]]
    with desk.store.read() as db:
        (run,) = judges.runs(db, desk.study.id)
        assert [row.score for row in judges.scores(db, run.id)] == [2, 0]
    ratings = table(script("from-label-studio.md", "ratings.py") / "ratings.csv")
    assert ratings[1:] == [["1", "1", "2"], ["1", "2", "2"], ["2", "1", "1"], ["2", "2", "0"]]
    assert "example.org" not in (tmp_path / "ratings.csv").read_text()  # an ID, not an address


def test_export_of_label_studio_without_its_predictions_gives_items_and_says_what_to_do(
    script, real, tmp_path
):
    real("label-studio.json", "export.json")
    with pytest.raises(SystemExit, match="snapshot"):
        script("from-label-studio.md", "items.py")
    assert [row[0] for row in table(tmp_path / "items.csv")[1:]] == ["a", "b"]
    assert not (tmp_path / "scores.csv").exists()
    assert len(table(script("from-label-studio.md", "ratings.py") / "ratings.csv")) == 5


def test_states_that_potato_wrote_become_ratings(script, real):
    real("potato", "annotation_output")
    ratings = table(script("from-label-studio.md", "potato.py") / "potato.csv")
    assert ratings[1:] == [["a", "ann", "2"], ["b", "ann", "2"], ["a", "bo", "2"], ["b", "bo", "0"]]


def test_explanations_of_an_otree_study_become_items(desk, boss, script, tmp_path):
    field = "rules.1.player.explanation"
    with (tmp_path / "all_apps_wide.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["participant.id_in_session", "participant.code", field])
        rows.writerows([[1, "abc12xyz", TEXT], [2, "left4her", ""]])
    store(boss, "models", script("from-otree.md", "items.py") / "items.csv")
    assert stored(desk) == [("abc12xyz", "otree", TEXT)]


def test_texts_of_a_jspsych_study_become_items(desk, boss, script, tmp_path):
    about = {"participant": "p1", "task": "A-Over", "seed": 1}
    typed = {"trial_type": "survey-text", "trial_index": 4, "response": {"Q0": TEXT}}
    (tmp_path / "results.txt").write_text(json.dumps([{"trial_type": "html"}, {**typed, **about}]))
    store(boss, "models", script("from-jspsych.md", "items.py") / "items.csv")
    assert stored(desk) == [("p1-4", "jspsych", TEXT)]


def test_tasks_of_label_studio_become_items_and_predictions_scores(desk, boss, script, tmp_path):
    def task(name, value):
        result = [{"from_name": "score", "value": value}, {"from_name": "why", "value": {}}]
        data = {"id": name, "source": "gpt", "text": TEXT, "task": "A-Over", "seed": 1}
        predicted = {"model_version": "judge 2", "result": result}
        return {"data": data, "predictions": [predicted], "annotations": []}

    tasks = [task("a", {"rating": 2}), task("b", {"choices": ["0"]})]
    (tmp_path / "export.json").write_text(json.dumps(tasks))
    folder = script("from-label-studio.md", "items.py")
    store(boss, "models", folder / "items.csv")
    store(boss, "judges", folder / "scores.csv")
    assert stored(desk) == [("a", "gpt", TEXT), ("b", "gpt", TEXT)]
    with desk.store.read() as db:
        (run,) = judges.runs(db, desk.study.id)
        scores = [row.score for row in judges.scores(db, run.id)]
    assert (run.judge, sorted(scores)) == ("judge 2", [0, 2])


def test_people_whom_otree_or_qualtrics_sends_come_with_their_id(client, make_study):
    make_study(**{**SMALL, "slug": "two-tasks", "options": OTREE})
    make_study(**{**SMALL, "slug": "after"})
    for slug, name in (("two-tasks", "participant_label"), ("after", "participant")):
        first = Walker(client).get(f"/s/{slug}?{name}=R_1").send("answer", answer="yes")
        again = Walker(client).get(f"/s/{slug}?{name}=R_1")
        assert again.token == first.token  # one place for each ID
        assert Walker(client).get(f"/s/{slug}?{name}=R_2").page.name == "consent"
    unfilled = client.get("/s/after", params={"participant": "${e://Field/PID}"})
    assert unfilled.status_code == 400
    assert "Piped Text" in unfilled.text
