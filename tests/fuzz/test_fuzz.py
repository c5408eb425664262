"""Two runs of the form fuzzer: of seconds, and of minutes; `make fuzz` is the long one."""

import re
from random import Random

import pytest

from app.study.rights import Role
from tests.fuzz import roles
from tests.fuzz.api import Api
from tests.fuzz.crawler import shape
from tests.fuzz.engine import Fuzz, fault_of
from tests.fuzz.scene import scene

pytestmark = pytest.mark.timeout(400)
EACH = 2  # odd versions of each form
BODIES = 20  # odd ones for each operation of the API
ODDLY = 1  # pages of each person that the short run opens with an odd query
ANOTHER_WAY = dict[str, str]()  # routes that no page has a form for: who sends to them instead
ALL_REACHED = {"no form was sent to": set(), "no route takes": set(), "named for nothing": set()}
# a second study with the same pages, and the same tables in other formats
TWICE = re.compile("/admin/studies/(whole|old(?!/remove))|/download/.*/(excel|jsonl)")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz")


@pytest.fixture
def here(folder, sqlite_template):
    """Return a fresh copy of a server that is filled once: other tests' forms change it."""
    with scene(folder, sqlite_template) as made:
        yield made


def fuzz_report(fuzz):
    return "\n".join(
        f"{where}: {fault} ({detail})" for (where, fault), detail in fuzz.faults.items()
    )


def unreached(fuzz):
    """Return what is wrong with the routes of the forms that were found."""
    return {
        "no form was sent to": set(roles.ROUTES) - fuzz.routes - set(ANOTHER_WAY),
        "no route takes": fuzz.routes - set(roles.ROUTES),
        "named for nothing": set(ANOTHER_WAY) & fuzz.routes,
    }


def every_form(fuzz, person):
    """Return the forms of all pages that a person finds, and of those that a short run opens."""
    forms = [*fuzz.find(person, TWICE), *fuzz.find(person, first=True)]
    return [*{(shape(one.action), *sorted(one.fields)): one for one in forms}.values()]


def test_form_for_every_route_meets_no_error_and_changes_nothing_without_right(here):
    fuzz = Fuzz(here, seed=2)
    found = {person: fuzz.find(person, first=True) for person in here.people}
    for person, forms in found.items():
        fuzz.all_without_right(person, forms, most=1)
    for person, forms in found.items():
        for url in fuzz.rng.sample(sorted(fuzz.pages[person.name]), ODDLY):
            fuzz.ask_oddly(person, url)
        for form in forms:
            fuzz.spoil(person, form)
    assert fuzz_report(fuzz) == ""
    assert unreached(fuzz) == ALL_REACHED


def test_every_form_with_a_right_belongs_to_a_route_and_some_roles_may_not_send_it():
    assert roles.without_right("/admin/studies/demo/members") == [
        *(roles.OUTSIDER, Role.EDITOR, Role.VIEWER, Role.PAYER, Role.COORDINATOR)
    ]
    assert roles.without_right("/admin/studies/demo/recruit/links") == [
        *(roles.OUTSIDER, Role.VIEWER, Role.COORDINATOR)
    ]
    assert roles.without_right("/admin/studies/demo/jobs") == [roles.OUTSIDER]
    assert roles.without_right("/admin/new-study") == []


@pytest.mark.long
def test_odd_forms_meet_no_error_come_back_escaped_and_change_nothing_without_right(here):
    fuzz = Fuzz(here, seed=1)
    found = {person: every_form(fuzz, person) for person in here.people}
    for person, forms in found.items():
        fuzz.all_without_right(person, forms)
    assert fuzz_report(fuzz) == ""
    for person, forms in found.items():
        for form in forms:
            for _ in range(EACH):
                fuzz.spoil(person, form)
    assert fuzz_report(fuzz) == ""
    assert unreached(fuzz) == ALL_REACHED


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
