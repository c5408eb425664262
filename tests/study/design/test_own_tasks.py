"""Own tasks: the documented examples, the schema, names that are taken, and warnings."""

import json
from pathlib import Path

import jsonschema
import pytest

from app.errors import FieldError
from app.game.certify import certify
from app.game.say import say
from app.game.tasks import TASKS, parse_task, task_to_dict
from app.game.variant import generate
from app.game.world import episode_world, replay
from app.study.design import game_files
from app.study.design.check_item import FINE, LOOK
from app.study.design.checklist import checks
from app.study.design.spec import StudyFileError, check_study, parse_study
from app.study.design.studies import lexicon_of
from app.study.design.task_advice import warnings
from tests.game.test_task_faults import FAULTS, MISSING, edited

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
TASK_FILES = [path for path in EXAMPLES.glob("*.json") if path.name != "task.schema.json"]
FORMS = {path.stem: parse_task(path.read_text("utf-8")) for path in TASK_FILES}
SCHEMA = json.loads((EXAMPLES / "task.schema.json").read_text("utf-8"))
STUDY = {"slug": "own", "title": "Own", "blocks": [{"task": "Mine", "seeds": [1]}]}


def mine(base="A-Over", **changes):
    return {**task_to_dict(TASKS[base]), "name": "Mine", **changes}


def test_every_form_has_an_example_that_is_proved_and_can_be_won():
    found = {task.form: task for task in FORMS.values()}
    assert set(found) == {"additive", "compositional", "conditional", "override"}
    assert {task.family for task in found.values()} == {"attribute", "procedural"}
    for task in found.values():
        for seed in range(4):
            made = generate(task, seed, game_files.lexicon("nonce"))
            assert certify(made).unique, task.name
            turns = replay(episode_world(made, 0), made.episodes[0].solutions[0])
            assert turns[-1][2].success, task.name
        assert warnings(task) == []


def test_laboratory_is_a_whole_study_in_its_own_words():
    spec = parse_study((EXAMPLES / "laboratory.yaml").read_text("utf-8"))
    own = {word for word in json.dumps(spec.lexica["laboratory"]).split('"') if word.isalpha()}
    for cell in spec.cells():
        made = generate(spec.own_tasks()[cell.task], cell.seed, lexicon_of(spec, cell.lexicon))
        assert certify(made).unique
        assert {*made.classes, *made.roles, *made.labels} <= own
        turns = replay(episode_world(made, 0), made.episodes[0].solutions[0])
        assert say(turns[-1][2]).endswith("The day is yours!")
    assert [one.level for one in checks(spec) if one.name == "tasks"] == [FINE]


def test_schema_holds_for_all_tasks_and_finds_faults_of_structure():
    schema = jsonschema.Draft202012Validator(SCHEMA)
    schema.check_schema(SCHEMA)
    for task in (*TASKS.values(), *FORMS.values()):
        data = {k: v for k, v in task_to_dict(task).items() if k != "fixed" or v}
        if task.form != "conditional":
            del data["varies"]
        assert [error.message for error in schema.iter_errors(data)] == [], task.name
    missed = [
        field
        for name, path, value, field in FAULTS
        if value is MISSING and schema.is_valid(edited(name, path, value))
    ]
    assert missed == []
    found = sum(not schema.is_valid(edited(name, path, value)) for name, path, value, _ in FAULTS)
    assert found > len(FAULTS) / 2


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"tasks": [mine(name="A-Add")]}, "tasks: A-Add is the name of a built-in task"),
        ({"tasks": [mine(), mine("A-Add")]}, "tasks: Mine is the name of two tasks"),
        ({"tasks": [mine()], "lexica": {"nonce": {}}}, "lexica: nonce is the name of a built-in"),
        ({"tasks": '{"name": "Mine", "name": "Mine"}'}, "name is given twice"),
    ],
)
def test_names_that_are_taken_are_refused_but_not_in_stored_designs(changes, problem):
    with pytest.raises(StudyFileError, match=problem):
        check_study({**STUDY, **changes})
    if "A-Add" in problem:
        old = {**STUDY, "blocks": [{"task": "A-Add", "seeds": [1]}], **changes}
        assert check_study(old, stored=True).own_tasks()


def test_file_of_a_task_with_a_built_in_name_is_refused(tmp_path):
    path = tmp_path / "t.json"
    path.write_text(json.dumps(task_to_dict(TASKS["A-Add"])), "utf-8")
    with pytest.raises(FieldError, match="name of a built-in task"):
        game_files.task(str(path))


ODD = [
    (mine("P-Comp", tables={"class": [0, 0], "role": [1, 1]}), "every guardian requires the same"),
    (mine("P-Comp", tables={"class": [0, 0], "role": [0, 1]}), "the class decides nothing"),
    (mine("P-Comp", tables={"class": [0, 1], "role": [0, 0]}), "the role decides nothing"),
    (mine("A-Comp", n_tries=8), "n_tries is 8, but the rule has 9 answers"),
]


@pytest.mark.parametrize(("data", "problem"), ODD)
def test_a_task_that_is_probably_not_meant_is_warned_about(data, problem):
    items = checks(check_study({**STUDY, "tasks": [data]}))
    (found,) = [one for one in items if one.name == "tasks"]
    assert (found.level, found.path) == (LOOK, "tasks")
    assert problem in found.found
