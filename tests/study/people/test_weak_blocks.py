"""The checklist on blocks that a bot wins without the rule: from certificates, and in drafts."""

from datetime import UTC, datetime

import pytest

from app.study.design import draft
from app.study.design.check_item import LOOK
from app.study.people import opening
from app.study.people.opening import Site
from app.study.tickets import new_ticket
from tests.study.story import Story

WEAK = {"task": "P-Cond", "seeds": "0-6"}
STRONG = {"task": "A-Comp", "seeds": "0-6"}
URL = "https://study.example.org"
SAYS = "Activity or order, by class: in 5 of 7 worlds, the bot eliminator,"


def weak(store, slug):
    with store.read() as db:
        found = opening.checklist(db, draft.load(db, slug), Site(URL))
    return [one for one in found if one.name == "weak"]


def test_block_won_without_the_rule_in_most_worlds_is_named_alone(store):
    Story(store, kind="pilot", blocks=[STRONG, WEAK])
    [found] = weak(store, "story")
    assert (found.level, found.path) == (LOOK, "blocks")
    assert found.found.startswith(SAYS)
    assert "Combine" not in found.found


@pytest.mark.parametrize(
    "parts",
    [
        {"kind": "bots"},
        {"blocks": [STRONG]},
        {"blocks": [{**WEAK, "format": "direct"}]},
        {"blocks": [{**WEAK, "seeds": [0, 1]}]},
    ],
)
def test_other_blocks_are_not_named(store, parts):
    Story(store, **{"kind": "pilot", "blocks": [WEAK], **parts})
    assert weak(store, "story") == []


def test_draft_is_judged_by_the_worlds_that_it_would_get(store):
    own = {"slug": "planned", "title": "Planned", "kind": "pilot", "blocks": [WEAK]}
    draft.make(store, own, ticket=new_ticket(), by="ada", now=datetime.now(UTC))
    [found] = weak(store, "planned")
    assert found.found.startswith(SAYS)
