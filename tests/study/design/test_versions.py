"""Versions: what the first real consent freezes, what stays free, and for whom."""

from pathlib import Path

import pytest

from app.errors import StudyError
from app.study.design import draft, publishing, studies
from app.study.design.freeze import FREE, differences, frozen_hash, with_free
from app.study.design.spec import check_study
from app.study.tickets import new_ticket
from tests.study.desk import NOW, SMALL, Desk


@pytest.fixture
def desk(store):
    return Desk(store)


OTHER = "Other instructions, for those who come later."


def test_change_before_anybody_real_consented_keeps_the_version_number(desk):
    desk.make()
    done = desk.publish(texts__instructions=OTHER)
    assert (done.what, done.version) == ("version", 1)
    assert desk.view().spec.texts.instructions == OTHER


def test_change_after_a_real_consent_makes_version_2_for_new_people_alone(desk):
    first = desk.make().arrive()
    assert desk.publish(texts__instructions=OTHER).version == 2
    second = desk.arrive()
    texts = [desk.player(one).spec.texts.instructions for one in (first, second)]
    assert texts == [SMALL["texts"]["instructions"], OTHER]
    assert [desk.player(one).row.design_version for one in (first, second)] == [1, 2]


def test_test_people_freeze_nothing(desk, store):
    desk.make().arrive(publishing.test_link(store, "autumn", now=NOW))
    assert not desk.view().is_frozen
    assert desk.publish(texts__instructions=OTHER).version == 1


def test_free_fields_change_in_place_for_people_who_run(desk):
    first = desk.make().arrive()
    desk.publish(texts__instructions=OTHER)
    part = {"texts__contact": "b@example.org", "title": "Winter", "people__quota": 7}
    done = desk.publish(**part, codes={"kind": "static", "finished": "C0DE"})
    player = desk.player(first)
    assert (done.what, done.version) == ("free", 2)
    assert player.row.design_version == 1
    assert player.spec.texts.contact == "b@example.org"
    assert player.spec.codes.finished == "C0DE"
    assert player.row.study_title == player.spec.title == desk.view().title == "Winter"
    assert player.spec.texts.instructions == SMALL["texts"]["instructions"]


def test_free_change_leaves_the_frozen_hash_of_every_design(desk):
    desk.make().arrive()
    before = frozen_hash(desk.view().spec)
    desk.publish(people__quota=3, baseline={"population": "adults"})
    assert frozen_hash(desk.view().spec) == before
    assert desk.view().spec.people.quota == 3


def test_publishing_what_is_in_force_already_does_nothing(desk):
    desk.make().arrive()
    assert desk.publish(title="Autumn").what == "nothing"
    assert [one.made_by for one in desk.history()] == ["command line"]  # its creation


def test_grouping_the_same_cells_otherwise_is_no_change(desk):
    desk.make().arrive()
    lines = [{"task": "A-Over", "seeds": [0]}, {"task": "A-Over", "seeds": [1]}]
    blocks = [*lines, {"task": "P-Comp", "seeds": [2]}]
    assert desk.publish(blocks=blocks).what == "nothing"


def test_quota_of_one_cell_reaches_people_on_the_old_version(desk):
    first = desk.make().arrive()
    desk.publish(texts__instructions=OTHER)
    blocks = [{"task": "A-Over", "seeds": [1], "quota": 5}, {"task": "A-Over", "seeds": [0]}]
    desk.publish(blocks=[*blocks, {"task": "P-Comp", "seeds": [2], "quota": 2}])
    quotas = {cell.key: cell.quota for cell in desk.player(first).spec.cells()}
    assert quotas == {
        "A-Over/0/semantic/1": None,
        "A-Over/1/semantic/1": 5,
        "P-Comp/2/semantic/1": 2,
    }
    cells = [cell.key for cell in desk.player(first).spec.cells()]
    assert cells == list(quotas)  # in the order of version 1


def test_cells_that_a_new_version_drops_stay_playable_for_those_who_have_them(desk):
    first = desk.make(per_player=3, order="fixed").arrive()
    desk.publish(blocks=[{"task": "A-Add", "seeds": [0]}], per_player=1)
    assert [block.task for block in desk.player(first).blocks] == ["A-Over", "A-Over", "P-Comp"]
    assert [block.task for block in desk.player(desk.arrive()).blocks] == ["A-Add"]


def test_history_says_who_changed_what(desk):
    desk.make().arrive()
    desk.publish(texts__minutes=25)
    desk.publish(people__quota=9)
    assert [(one.event, one.version, one.made_by, one.changes) for one in desk.history()] == [
        ("changed", 2, "ada", (("people.quota", "", "9"),)),
        ("published", 2, "ada", (("texts.minutes", "20", "25"),)),
        ("published", 1, "command line", ()),
    ]


def test_differences_name_cells_and_questions_by_their_keys():
    new = {**SMALL, "blocks": [{"task": "A-Over", "seeds": "0-1", "quota": 3}]}
    new["questions"] = {"before": [{"key": "age", "label": "Your age?", "kind": "number"}]}
    found = differences(check_study(SMALL), check_study(new))
    assert [(name, before, after) for name, before, after in found if "questions" not in name] == [
        ("cells.A-Over/0/semantic/1", "4 distractors, no quota", "4 distractors, quota 3"),
        ("cells.A-Over/1/semantic/1", "4 distractors, no quota", "4 distractors, quota 3"),
        ("cells.P-Comp/2/semantic/1", "4 distractors, no quota", ""),
    ]
    assert found[-1][0] == "questions.before.age"


def test_free_fields_stand_in_the_docs():
    text = (Path(__file__).parents[3] / "docs" / "study-file.md").read_text("utf-8")
    table = text.partition("## Change a running study")[2]
    assert {name for name in FREE if f"`{name}`" not in table} == set()
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in row.split("|")[1].replace("`", "").split(",")}
    assert {name.strip() for name in named} == set(FREE)


@pytest.mark.parametrize("path", FREE)
def test_each_free_field_leaves_the_frozen_part_and_is_carried_over(path):
    values = {
        "title": "Another",
        "texts.contact": "c@example.org",
        "codes": {"kind": "static", "finished": "X", "return_url": "https://example.org/{code}"},
        "people.quota": 5,
        "people.cell_quota": 6,
        "people.burst": 200,
        "people.resume": "link",
        "people.require": "signature",
        "people.groups": ["linguist"],
        "blocks.*.quota": [{**one, "quota": 4} for one in SMALL["blocks"]],
        "options.hide_outcomes": True,
        "options.main_rv": "judge",
        "baseline": {"population": "adults"},
    }
    old = check_study(SMALL)
    key = "blocks" if path.startswith("blocks") else path
    new = check_study(draft.merged(old.model_dump(mode="json"), {key: values[path]}))
    assert new != old
    assert frozen_hash(new) == frozen_hash(old)
    assert not differences(with_free(old, new), new)


def test_every_other_field_changes_the_frozen_part():
    old = check_study(SMALL).model_dump(mode="json")
    changed = {"seed": 3, "order": "fixed", "per_player": 2, "kind": "real"}
    parts = {"rule_form.when": "block", "texts.pay": "GBP 3", "options.tap": False}
    more = {"clocks.idle_minutes": 7, "payment.base_cents": 9, "people.withdrawal": "keep"}
    for path, value in {**changed, **parts, **more}.items():
        new = check_study(draft.merged(old, {path: value}))
        assert frozen_hash(new) != frozen_hash(check_study(SMALL)), path


def test_link_to_an_old_version_goes_on_playing_that_version(desk, store):
    desk.make().arrive()
    link = publishing.test_link(store, "autumn", now=NOW)
    desk.publish(texts__instructions=OTHER)
    player = desk.player(desk.arrive(link))
    assert player.row.design_version == 1
    assert player.row.is_test


def test_preview_plays_a_draft_that_no_one_else_can_enter(desk, store):
    document = check_study(SMALL).model_dump(mode="json")
    draft.make(store, document, ticket=new_ticket(), by="ada", now=NOW)
    token = desk.arrive(publishing.preview(store, "autumn", now=NOW))
    assert desk.player(token).row.is_test
    with pytest.raises(studies.NoStudyError):
        desk.arrive()


def test_preview_becomes_the_version_when_it_is_published_unchanged(desk, store):
    document = check_study(SMALL).model_dump(mode="json")
    draft.make(store, document, ticket=new_ticket(), by="ada", now=NOW)
    first = desk.player(desk.arrive(publishing.preview(store, "autumn", now=NOW)))
    publishing.change_state(store, "autumn", "open", by="ada", now=NOW)
    assert desk.view().design_id == first.row.design_id
    assert [one.event for one in desk.history()] == ["opened", "published", "created"]


def test_open_refuses_a_draft_without_cells_in_words(desk, store):
    document = {**check_study(SMALL).model_dump(mode="json"), "blocks": []}
    draft.make(store, document, ticket=new_ticket(), by="ada", now=NOW)
    with pytest.raises(StudyError, match=r"^blocks: needs at least one entry$"):
        publishing.change_state(store, "autumn", "open", by="ada", now=NOW)


def test_closing_needs_no_revision_and_is_written_down_once(desk, store):
    desk.make()
    desk.save(texts__minutes=25)
    for _ in range(2):
        publishing.change_state(store, "autumn", "closed", by="ada", now=NOW)
    assert desk.view().state == "closed"
    assert [one.event for one in desk.history()] == ["closed", "published"]


def test_stale_save_is_refused_and_stores_nothing(desk, store):
    desk.make()
    desk.save(texts__minutes=25)
    facts = {"revision": 1, "ticket": new_ticket(), "by": "bob", "now": NOW}
    with pytest.raises(draft.StaleDesignError, match="ada"):
        draft.save(store, "autumn", {"texts.minutes": 30}, **facts)
    with store.read() as db:
        assert draft.load(db, "autumn").document["texts"]["minutes"] == 25


def test_second_post_of_a_ticket_saves_nothing_more(desk, store):
    desk.make()
    facts = {"revision": 1, "ticket": new_ticket(), "by": "bob", "now": NOW}
    for _ in range(2):
        assert draft.save(store, "autumn", {"texts.minutes": 30}, **facts) == 2


def test_publishing_an_old_revision_is_refused(desk, store):
    desk.make()
    desk.save(texts__minutes=25)
    with pytest.raises(draft.StaleDesignError):
        publishing.publish(store, "autumn", revision=1, by="bob", now=NOW)


@pytest.mark.parametrize(("before", "after"), [("bots", "real"), ("pilot", "bots")])
def test_a_study_with_participants_never_turns_bots_into_people(desk, before, after):
    desk.make(kind=before)
    desk.publish(kind=after)
    desk.publish(kind=before)
    desk.arrive()
    with pytest.raises(StudyError) as refused:
        desk.publish(kind=after)
    assert refused.value.code == "study/kind"
    assert desk.view().kind == before
