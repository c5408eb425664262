"""What is said of a name that is taken names one that is free and that passes the same check."""

import re

import pytest

from app.study.design import slugs
from app.study.design.spec import SLUG, check_study
from app.study.design.studies import StudyExistsError, create
from app.study.taken import free_name
from tests.web.conftest import NOW, SMALL


@pytest.mark.parametrize(
    ("name", "taken", "free"),
    [
        ("a", (), "a"),
        ("a", ("a",), "a-2"),
        ("a", ("a", "a-2"), "a-3"),
        ("x" * 64, ("x" * 64,), "x" * 62 + "-2"),
        ("x" * 61 + "-yz", ("x" * 61 + "-yz",), "x" * 61 + "-2"),
    ],
)
def test_free_name_is_valid(name, taken, free):
    found = free_name(name, taken, 64)
    assert found == free
    assert re.fullmatch(SLUG, found)


def test_file_of_a_study_that_exists_is_told_a_free_address_that_works(store):
    create(store, check_study({**SMALL, "slug": "mine"}), NOW)
    with pytest.raises(StudyExistsError) as caught:
        create(store, check_study({**SMALL, "slug": "mine"}), NOW)
    assert "'mine' is taken by another study. 'mine-2' is free." in caught.value.message
    assert create(store, check_study({**SMALL, "slug": "mine-2"}), NOW).slug == "mine-2"
    with store.read() as db:
        assert slugs.free_slug(db, "mine") == "mine-3"
