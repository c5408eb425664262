"""Kinds of answers: named in the codebook, and free text unless known to be closed."""

import re
from pathlib import Path
from typing import Any

import pytest

from app.study.design.spec import check_study
from app.study.design.spec_people import QUESTION_KINDS
from app.study.export.coarse import numbers_of
from app.study.export.columns import EXPORT_COLUMNS
from app.study.export.source import CLOSED, FREE_TEXT
from app.study.play import questions
from tests.bots import test_forms as bots
from tests.e2e.stored import RICH
from tests.web.play import tour

ROOT = Path(__file__).parents[3]
NEEDED: dict[str, dict[str, Any]] = {  # fields that a kind cannot do without
    "choice": {"options": ["a", "b"]},
}
STUDY = {"slug": "s", "title": "S", "blocks": [{"task": "A-Add", "seeds": [1]}]}


def test_every_kind_is_either_closed_or_reviewed_before_it_is_shared():
    assert sorted([*CLOSED, *FREE_TEXT]) == sorted([*QUESTION_KINDS, "comment"])
    assert set(CLOSED) & set(FREE_TEXT) == set()
    assert "text" in FREE_TEXT


def test_meaning_of_the_kind_column_names_every_kind():
    column = next(one for one in EXPORT_COLUMNS["answer"] if one.name == "kind")
    named = set(re.findall(r"\w+", column.about.partition(";")[0])) - {"or"}
    assert named == {*QUESTION_KINDS, "comment"}, "answer.kind in columns_play.py names them"


@pytest.mark.parametrize("page", ["study-file.md", "from-qualtrics.md"])
def test_documentation_names_every_kind(page):
    text = (ROOT / "docs" / page).read_text("utf-8")
    assert [kind for kind in QUESTION_KINDS if f"`{kind}`" not in text] == []


@pytest.mark.parametrize("study", [bots.STUDY, tour.STUDY, RICH], ids=["bots", "tour", "RICH"])
def test_studies_that_ask_everything_ask_a_question_of_every_kind(study):
    asked = study["questions"]
    kinds = {one.get("kind", "text") for one in (*asked["before"], *asked.get("after", ()))}
    if asked.get("comment", True):
        kinds.add("text")
    assert {*QUESTION_KINDS} - kinds == set(), "add a question of each of these kinds"


def test_bands_are_offered_for_every_kind_that_only_accepts_numbers():
    asked: list[dict[str, Any]] = [
        {"key": kind, "label": "?", "kind": kind, **NEEDED.get(kind, {})} for kind in QUESTION_KINDS
    ]
    spec = check_study({**STUDY, "questions": {"before": asked[:2], "after": asked[2:]}})
    before, after = spec.questions.before, spec.questions.after
    numeric = [one.key for one in (*before, *after) if accepts(one, "3") and not accepts(one, "b?")]
    assert numbers_of(spec) == numeric, "NUMERIC in app/study/export/coarse.py names these kinds"
    assert set(numeric) <= set(CLOSED)


def accepts(question, text):
    return not questions.read_one(question, text)[1]
