"""Two runs of the form fuzzer: of seconds, and of minutes; `make fuzz` is the long one."""

import re
from collections import Counter
from random import Random

import pytest

from app.study.rights import Role
from tests.fuzz import roles
from tests.fuzz.api import Api
from tests.fuzz.engine import Fuzz, fault_of
from tests.fuzz.scene import scene

pytestmark = pytest.mark.timeout(400)
EACH = 2  # odd versions of each form
BODIES = 20  # odd ones for each operation of the API
LEAST = 60  # different forms
FIRST, LEAST_FIRST = 12, 12  # pages of each person in the short run, and its different forms
# a second study with the same pages, and the same tables in other formats
TWICE = re.compile("/admin/studies/whole|/download/.*/(excel|jsonl)")


@pytest.fixture(scope="module")
def here(tmp_path_factory, sqlite_template):
    with scene(tmp_path_factory.mktemp("fuzz"), sqlite_template) as made:
        yield made


def fuzz_report(fuzz):
    return "\n".join(
        f"{where}: {fault} ({detail})" for (where, fault), detail in fuzz.faults.items()
    )


def test_first_forms_of_everybody_meet_no_error_and_change_nothing_without_right(here):
    fuzz = Fuzz(here, seed=2)
    for person in here.people:
        forms = fuzz.find(person, TWICE, most=FIRST)
        fuzz.all_without_right(person, forms)
        for form in forms:
            fuzz.spoil(person, form)
    assert fuzz_report(fuzz) == ""
    assert len(fuzz.forms) >= LEAST_FIRST, Counter(fuzz.forms)


def test_every_form_with_a_right_belongs_to_a_route_and_some_roles_may_not_send_it(here):
    assert roles.without_right("/admin/studies/demo/members") == [
        *(roles.OUTSIDER, Role.EDITOR, Role.VIEWER, Role.PAYER, Role.COORDINATOR)
    ]
    assert roles.without_right("/admin/studies/demo/recruit/links") == [
        *(roles.OUTSIDER, Role.VIEWER, Role.COORDINATOR)
    ]
    assert roles.without_right("/admin/studies/demo/jobs") == [roles.OUTSIDER]
    assert roles.without_right("/admin/new-study") == []
    fuzz = Fuzz(here, seed=3)
    forms = fuzz.find(here.named("researcher"), TWICE, most=FIRST)
    assert {one.action for one in forms if not roles.route_of(one.action)} == {"/admin/logout"}


@pytest.mark.long
def test_odd_forms_meet_no_error_come_back_escaped_and_change_nothing_without_right(here):
    fuzz = Fuzz(here, seed=1)
    found = {person.name: fuzz.find(person, TWICE) for person in here.people}
    for person in here.people:
        fuzz.all_without_right(person, found[person.name])
    assert fuzz_report(fuzz) == ""
    for person in here.people:
        for form in found[person.name]:
            for _ in range(EACH):
                fuzz.spoil(person, form)
    assert fuzz_report(fuzz) == ""
    assert len(fuzz.forms) >= LEAST, Counter(fuzz.forms)


def test_bodies_of_the_api_that_no_schema_describes_meet_no_error(here):
    api = Api(here.named("stranger").client, here.key, Random(1))
    wrong = {}
    for path, fields in api.operations():
        for body in api.bodies(fields)[:BODIES]:
            answer = api.call(path, body)
            if fault := fault_of(answer):
                wrong[path] = (fault, body[:200])
    assert wrong == {}
    assert len(api.operations()) == 4
