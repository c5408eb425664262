"""A short run of the form fuzzer; `make fuzz` is the long one."""

import shutil
from collections import Counter

import pytest

from tests.fuzz.engine import Fuzz
from tests.fuzz.scene import scene

EACH = 3  # odd versions of each form
LEAST = 40  # different forms


@pytest.fixture(scope="module")
def folder(tmp_path_factory, sqlite_template):
    made = tmp_path_factory.mktemp("fuzz")
    shutil.copyfile(sqlite_template, made / "template.db")
    return made


def told(fuzz):
    return "\n".join(
        f"{where}: {fault} ({detail})" for (where, fault), detail in fuzz.faults.items()
    )


def test_odd_forms_meet_no_server_error_and_no_text_comes_back_unescaped(folder):
    with scene(folder, folder / "template.db") as here:
        fuzz = Fuzz(here, seed=1)
        for person in here.people:
            forms = fuzz.find(person)
            for form in forms:
                for _ in range(EACH):
                    fuzz.spoil(person, form)
            fuzz.find(person)  # what was stored is shown
    assert told(fuzz) == ""
    assert len(fuzz.forms) >= LEAST, Counter(fuzz.forms)


def test_forms_change_nothing_without_the_right(folder):
    with scene(folder, folder / "template.db") as here:
        fuzz = Fuzz(here, seed=1)
        for person in here.people:
            for form in fuzz.find(person):
                fuzz.without_right(person, form)
    assert told(fuzz) == ""
    assert fuzz.sent > LEAST
