"""Kinds of answers: named in the codebook, and free text unless known to be closed."""

import re
from typing import Any

from app.study.design.spec import check_study
from app.study.design.spec_people import QUESTION_KINDS
from app.study.export.coarse import numbers_of
from app.study.export.columns import EXPORT_COLUMNS
from app.study.export.source import CLOSED, FREE_TEXT
from app.study.play import questions

STUDY = {"slug": "s", "title": "S", "blocks": [{"task": "A-Add", "seeds": [1]}]}


def test_every_kind_is_either_closed_or_reviewed_before_it_is_shared():
    assert sorted([*CLOSED, *FREE_TEXT]) == sorted([*QUESTION_KINDS, "comment"])
    assert set(CLOSED) & set(FREE_TEXT) == set()
    assert "text" in FREE_TEXT


def test_meaning_of_the_kind_column_names_every_kind():
    column = next(one for one in EXPORT_COLUMNS["answer"] if one.name == "kind")
    named = set(re.findall(r"\w+", column.about.partition(";")[0])) - {"or"}
    assert named == {*QUESTION_KINDS, "comment"}


def test_bands_are_offered_for_every_kind_that_only_accepts_numbers():
    asked: list[dict[str, Any]] = [
        {"key": kind, "label": "?", "kind": kind} for kind in QUESTION_KINDS
    ]
    for one in asked:
        one["options"] = ["a", "b"] if one["kind"] == "choice" else []
    spec = check_study({**STUDY, "questions": {"before": asked[:2], "after": asked[2:]}})
    before, after = spec.questions.before, spec.questions.after
    numeric = [one.key for one in (*before, *after) if accepts(one, "3") and not accepts(one, "b?")]
    assert numbers_of(spec) == numeric
    assert set(numeric) <= set(CLOSED)


def accepts(question, text):
    return not questions.read_one(question, text)[1]
