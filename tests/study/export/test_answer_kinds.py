"""Kinds of answers: named in the codebook, and free text unless known to be closed."""

import re

from app.study.design.spec_people import QUESTION_KINDS
from app.study.export.columns import EXPORT_COLUMNS
from app.study.export.source import CLOSED, FREE_TEXT


def test_every_kind_is_either_closed_or_reviewed_before_it_is_shared():
    assert sorted([*CLOSED, *FREE_TEXT]) == sorted([*QUESTION_KINDS, "comment"])
    assert set(CLOSED) & set(FREE_TEXT) == set()
    assert "text" in FREE_TEXT


def test_meaning_of_the_kind_column_names_every_kind():
    column = next(one for one in EXPORT_COLUMNS["answer"] if one.name == "kind")
    named = set(re.findall(r"\w+", column.about.partition(";")[0])) - {"or"}
    assert named == {*QUESTION_KINDS, "comment"}
