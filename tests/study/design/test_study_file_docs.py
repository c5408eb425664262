"""docs/study-file.md and docs/task-file.md describe every field and no others."""

import json
import re
import typing
from pathlib import Path

import pytest
from pydantic import BaseModel

from app.errors import FieldError
from app.game.model import Task
from app.game.tasks import parse_task
from app.study.design.formula import METRICS
from app.study.design.spec import StudyFileError, StudySpec, parse_study

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "study-file.md").read_text()
ROWS = re.compile(r"`([a-z_]+(?:\.[a-z_0-9]+)?)`")


def fields(model, prefix=""):
    """Yield the path of each field of a study file; questions are described as a whole."""
    for name, field in model.model_fields.items():
        kinds = [field.annotation, *typing.get_args(field.annotation)]
        inner = [one for one in kinds if isinstance(one, type) and issubclass(one, BaseModel)]
        if inner and not prefix:
            yield from fields(inner[0], f"{name}.")
        else:
            yield prefix + name


def test_every_field_of_the_study_file_is_documented():
    missing = [name for name in fields(StudySpec) if f"`{name}`" not in PAGE]
    assert missing == []


def test_names_in_bonus_formulas_are_explained_in_the_words_of_the_pages():
    assert [one for one in METRICS.items() if "| {} | {} |".format(*one) not in PAGE] == []


def test_every_documented_field_exists():
    known = set(fields(StudySpec))
    documented = {
        name for name in ROWS.findall(PAGE) if "." in name and not name.startswith("app.")
    }
    assert documented - known == set()


def test_example_of_the_page_is_a_good_study():
    example = re.search(r"```yaml\n(.*?)```", PAGE, re.DOTALL)[1]
    assert len(parse_study(example).cells()) == 6


def test_example_of_the_task_page_is_valid_and_every_field_is_documented():
    page = (DOCS / "task-file.md").read_text()
    example = re.search(r"```json\n(.*?)```", page, re.DOTALL)[1]
    assert parse_task(example).name == "My-Cond"
    assert [name for name in Task.__dataclass_fields__ if f"`{name}`" not in page] == []
    bad = {**json.loads(example), "n_tries": 1}
    with pytest.raises(FieldError, match="n_tries"):
        parse_task(json.dumps(bad))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ("blocks: []", "blocks"),
        ("blocks: [{task: Nope, seeds: 1}]", "blocks.0.task"),
        ("blocks: [{task: A-Add, seeds: 5-2}]", "blocks.0.seeds"),
        ("per_player: 9", "per_player"),
        ("colour: red", "colour"),
        ("codes: {kind: static}", "codes"),
        ("codes: {return_url: 'http://x'}", "codes"),
        ("seed: 99999999999999999999", "seed"),
        ("clocks: {seat_minutes: 1}", "clocks.seat_minutes"),
        ("people: {quota: 0}", "people.quota"),
    ],
)
def test_wrong_field_is_named(change, field):
    base = {"slug": "slug: a", "title": "title: A", "blocks": "blocks: [{task: A-Add, seeds: 1}]"}
    base[change.partition(":")[0]] = change
    with pytest.raises(StudyFileError, match=re.escape(field)):
        parse_study("\n".join(base.values()))
