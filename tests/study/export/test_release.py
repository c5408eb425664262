"""Which free texts a shareable bundle holds, decided row by row."""

from hashlib import sha256
from types import SimpleNamespace

import pytest

from app.study.export.release import FIELDS, Gate, state_of, text_hash

RULE_TEXTS = {"text": "", "inputs": "Both decide.", "output": "", "how": "", "found_how": ""}
KEPT_BACK = {"text": "", "inputs": "", "output": "", "how": "", "found_how": ""}
IDS = {"5f3c9d2e1b", "abc"}


def row(state=None, digest=""):
    return SimpleNamespace(release_state=state, release_hash=digest)


def decided(state, facts, kind="explanation"):
    return row(state, text_hash(kind, facts))


def test_a_hash_is_of_every_text_of_a_row_and_of_where_each_stands():
    moved = {**RULE_TEXTS, "inputs": "", "output": "Both decide."}
    assert text_hash("explanation", RULE_TEXTS) != text_hash("explanation", moved)
    assert text_hash("explanation", RULE_TEXTS) == text_hash(
        "explanation", {**RULE_TEXTS, "other": "x"}
    )
    assert text_hash("answer", {"value": "x"}) == text_hash("note", {"text": "x"})
    joined = "\x1fBoth decide.\x1f\x1f\x1f"  # decisions that are stored must go on fitting
    assert text_hash("explanation", RULE_TEXTS) == sha256(joined.encode()).hexdigest()
    assert text_hash("note", {"text": "höre"}) == sha256("höre".encode()).hexdigest()


@pytest.mark.parametrize("field", FIELDS["explanation"])
def test_a_row_with_any_text_is_unreviewed_until_someone_decides(field):
    facts = {**KEPT_BACK, field: "x"}
    assert state_of("explanation", facts, row()) == "unreviewed"
    assert state_of("explanation", facts, decided("released", facts)) == "released"
    assert state_of("explanation", facts, decided("withheld", facts)) == "withheld"


def test_a_row_without_text_has_nothing_to_decide():
    assert state_of("explanation", KEPT_BACK, decided("released", KEPT_BACK)) == ""


def test_a_text_that_was_changed_afterwards_is_unreviewed():
    before = decided("released", {"text": "first"}, "note")
    assert state_of("note", {"text": "second"}, before) == "unreviewed"


def test_a_plain_bundle_holds_every_text_and_says_what_was_decided():
    gate = Gate(shareable=False, ids=IDS)
    assert gate.passes("explanation", RULE_TEXTS, row()) == {
        "release": "unreviewed",
        "text_reason": "",
    }
    assert gate.own({"note": "mine"}, "note") == {"text_reason": ""}
    assert not gate.held("5f3c9d2e1b")


@pytest.mark.parametrize(
    ("state", "reason"), [(None, "unreviewed"), ("withheld", "withheld"), ("released", "")]
)
def test_a_shareable_bundle_empties_what_is_not_released(state, reason):
    found = Gate(shareable=True, ids=IDS).passes(
        "explanation", RULE_TEXTS, decided(state, RULE_TEXTS)
    )
    emptied = KEPT_BACK if reason else {}
    assert found == {"release": state or "unreviewed", "text_reason": reason, **emptied}


def test_a_released_text_with_an_id_in_it_is_emptied_all_the_same():
    facts = {**RULE_TEXTS, "how": "I am 5F3C9D2E1B."}
    found = Gate(shareable=True, ids=IDS).passes("explanation", facts, decided("released", facts))
    assert found == {"release": "released", "text_reason": "holds_an_id", **KEPT_BACK}


def test_a_row_without_text_gives_no_reason():
    gate = Gate(shareable=True)
    found = gate.passes("explanation", KEPT_BACK, row())
    assert found == {"release": "", "text_reason": ""}


def test_what_researchers_wrote_is_never_shared():
    gate = Gate(shareable=True)
    facts = {"note": "mine", "why": "", "place": 3}
    assert gate.own(facts, "note", "why") == {"text_reason": "not_shared", "note": "", "why": ""}
    assert gate.own(facts, "why") == {"text_reason": ""}


@pytest.mark.parametrize("text", ["5f3c9d2e1b", "x5f3c9d2e1b", "5F3C9D2E1By", "abcd", "ab abcd"])
def test_an_id_is_found_wherever_it_stands(text):
    gate = Gate(shareable=True, ids={"5f3c9d2e1b", "abcd"})
    assert gate.holds_id(text)
    assert gate.held(text) == "holds_an_id"
    assert not gate.held("check_location")


def test_ids_of_fewer_than_four_characters_are_not_looked_for():
    assert not Gate(shareable=True, ids=IDS).holds_id("the abc of it")
    assert not Gate(shareable=True).holds_id("anything")
    assert not Gate(shareable=True, ids={"abcd"}).holds_id("abc")


def test_without_the_key_of_deleted_ids_every_text_and_typed_value_is_kept_back():
    gate = Gate(shareable=True)
    assert not gate.held("go shop")
    gate.is_blind = True
    assert gate.held("go shop") == "id_key_missing"
    assert gate.reason(["go shop"], "released") == "id_key_missing"


def test_a_released_text_with_an_email_address_in_it_is_kept_back():
    gate = Gate(shareable=True)
    assert gate.reason(["Write to ada@example.org"], "released") == "holds_an_email"
    assert gate.reason(["Write to Ada"], "released") == ""


STRANGERS = "3TXD01ZLD4HUP5" + "OSLQ0H4VAXIJ3U4R"  # an assignment that is stored nowhere


@pytest.mark.parametrize("kind", FIELDS)
def test_what_has_the_form_of_an_id_is_kept_back_where_someone_typed_it(kind):
    facts = dict.fromkeys(FIELDS[kind], f"mine is {STRANGERS}")
    found = Gate(shareable=True).passes(kind, facts, decided("released", facts, kind))
    assert found["text_reason"] == "holds_an_id"
    assert {found[name] for name in FIELDS[kind]} == {""}


def test_programs_texts_may_have_such_words():
    assert Gate(shareable=True).reason([f"chatcmpl-{STRANGERS}"], "released") == ""
