"""The live monitor's figures, on both databases, and the rules behind its signs."""

from concurrent.futures import ThreadPoolExecutor, wait
from datetime import timedelta

import pytest

from app.store.play import participants
from app.study.design import studies
from app.study.design.library import Library
from app.study.people import monitor, overview, under_way, withdrawal
from app.study.play import rule_form
from app.study.tickets import new_ticket
from tests.study.conftest import NOW
from tests.study.people.monitored import Desk, best_lines

PAID = {"base_cents": 300, "hourly_cents": 600}


@pytest.mark.parametrize(
    ("refused", "number", "gap", "signs"),
    [
        (0, 0, 0, []),
        (4, 4, 3000, []),
        (5, 6, 3000, ["stuck"]),
        (4, 5, 3000, []),
        (0, 6, 900, ["fast"]),
        (0, 6, 1000, []),
        (0, 5, 900, []),
        (5, 6, 500, ["stuck", "fast"]),
    ],
)
def test_signs_follow_the_stated_rules(refused, number, gap, signs):
    assert under_way.signs_of(refused, [n * gap for n in range(number)]) == signs


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (59, "59 s"), (60, "1 min"), (7260, "2 h 1 min")]
)
def test_time_away_is_given_in_words(seconds, text):
    assert under_way.spell(seconds) == text


@pytest.fixture
def desk(store):
    return Desk(store)


def test_study_without_people_gives_empty_lists(desk):
    found = desk.facts()
    assert (found["people"], found["pages"], found["left"], found["problems"]) == ([], [], [], [])
    assert (found["pay"]["wage"], found["outcomes"], found["more"]) == (None, {}, 0)


def test_people_are_counted_by_the_page_they_stand_before(desk):
    desk.enter()
    desk.begin()
    desk.begin()
    assert desk.facts()["pages"] == [("world 1, guardian 1", 2), ("instructions", 1)]


def test_who_left_is_counted_by_the_page_where_they_left(desk):
    desk.end(desk.begin(), "withdrawn")
    desk.end(desk.enter(), "technical")
    found = desk.facts()
    assert found["left"] == [("instructions: technical", 1), ("world 1, guardian 1: withdrawn", 1)]
    assert found["people"] == []


def test_who_left_is_counted_also_beyond_what_a_memory_keeps(desk, monkeypatch):
    monkeypatch.setattr(monitor, "KEEP", 1)
    for _ in range(3):
        desk.end(desk.begin(), "withdrawn")
    assert desk.facts()["left"] == [("world 1, guardian 1: withdrawn", 3)]


def test_page_of_who_left_with_their_data_is_not_guessed(desk):
    withdrawal.withdraw(desk.store, desk.begin(), new_ticket(), NOW)
    assert desk.facts()["left"] == [("not known: data erased: withdrawn", 1)]


def test_test_people_are_nowhere(desk):
    desk.type(desk.begin(is_test=True), "nonsense")
    found = desk.facts()
    assert (found["people"], found["pages"], found["seen"]) == ([], [], 0)


def test_last_action_is_the_newest_command_and_stuck_people_come_first(desk):
    fine, stuck = desk.begin(), desk.begin()
    desk.type(fine, "check_location")
    desk.type(stuck, *["nonsense"] * 5)
    people = desk.facts(NOW + timedelta(seconds=100))["people"]
    assert [(one["signs"], one["away_s"]) for one in people] == [(["stuck"], 85), ([], 97)]


def test_refused_commands_are_counted_among_the_newest(desk):
    desk.type(desk.begin(), "check_location", "nonsense", "go nowhere")
    found = desk.facts()
    assert (found["refused"], found["seen"]) == (2, 3)


def test_idle_and_stale_people_are_marked(desk):
    desk.type(desk.begin(), "check_location")
    (one,) = desk.facts(NOW + timedelta(minutes=31))["people"]
    assert one["signs"] == ["idle"]
    (one,) = desk.facts(NOW + timedelta(minutes=61))["people"]
    assert one["signs"] == ["idle", "place no longer reserved"]


def test_long_lists_are_cut_and_the_rest_is_counted(desk, monkeypatch):
    monkeypatch.setattr(monitor, "SHOWN_PEOPLE", 2)
    for _ in range(3):
        desk.begin()
    found = desk.facts()
    assert (len(found["people"]), found["more"]) == (2, 1)


def test_who_is_stuck_in_the_practice_is_marked_too(store):
    desk = Desk(store, options={"practice": True})
    token = desk.begin()
    for seq in range(1, 6):
        desk.table.act(token, -1, 0, seq, "nonsense", NOW + timedelta(seconds=seq))
    found = desk.facts(NOW + timedelta(seconds=65))
    (one,) = found["people"]
    assert (one["page"], one["signs"], one["away_s"]) == ("practice", ["stuck"], 60)
    assert (found["refused"], found["seen"]) == (5, 5)


@pytest.mark.parametrize(
    ("guardians", "when", "page"),
    [
        (2, "episode", "world 1, guardian 1: rule"),
        (2, "block", "world 1, guardian 2"),
        (1, "episode", "world 1, guardian 1: rule"),
        (1, "block", "world 1: rule"),
    ],
)
def test_last_command_of_a_guardian_that_is_over_is_the_last_action(store, guardians, when, page):
    """People are at the rule form of the world they have left, not in the next one."""
    changes = {"options": {"episodes_per_block": guardians}, "rule_form": {"when": when}}
    desk = one_guardian(store, **changes)
    token = desk.begin()
    lines = best_lines(desk, token)
    desk.type(token, *lines)
    found = desk.facts(NOW + timedelta(seconds=3 * len(lines) + 60))
    (one,) = found["people"]
    assert (one["away_s"], one["signs"], found["seen"]) == (60, [], 0)
    assert one["page"] == page
    with store.read() as db:
        (listed,) = overview.people(db, studies.find(db, "watched").id)
    assert listed.step == page
    desk.end(token, "withdrawn")
    assert desk.facts()["left"] == [(f"{page}: withdrawn", 1)]


def finish(desk, at=NOW, minutes=30):
    """Let a participant win their only guardian and finish after some minutes."""
    token = desk.begin(at=at)
    lines = best_lines(desk, token)
    step = minutes * 60 / (len(lines) + 1)
    desk.type(token, *lines, at=at, gap=step)
    typed = {"text": "a rule", "inputs": "a", "output": "b", "how": "c", "confidence": "50"}
    rule_form.submit(desk.store, token, 0, 0, typed, new_ticket(), at + timedelta(minutes=minutes))
    return token


def one_guardian(store, **changes):
    return Desk(
        store,
        blocks=[{"task": "A-Over", "seeds": [1]}],
        per_player=1,
        options={"practice": False, "episodes_per_block": 1, **changes.pop("options", {})},
        questions={"comment": False},
        **changes,
    )


def test_wage_is_the_median_pay_of_an_active_hour(store):
    desk = one_guardian(store, payment=PAID)
    for _ in range(3):
        assert desk.facts()["pay"]["wage"] is None  # of one or two people it says little
        finish(desk, minutes=30)
    found = desk.facts()["pay"]
    assert found["active_minutes"] == 30.0
    assert found["wage"] == 1200  # 3 for finishing and 3 for time, earned in half an hour
    assert desk.facts()["outcomes"] == {"won": 3}


def test_who_was_active_for_less_than_a_minute_has_no_wage(store):
    desk = one_guardian(store, payment=PAID)
    for _ in range(4):
        finish(desk, minutes=0.9)
    found = desk.facts()["pay"]
    assert (found["number"], found["active_minutes"], found["wage"]) == (4, 0.9, None)


def test_quick_finish_is_named(store):
    desk = one_guardian(store, texts={"minutes": 30})
    finish(desk, minutes=9)
    assert len(desk.facts()["pay"]["quick"]) == 1


def test_speed_of_bots_and_of_test_players_is_no_sign(store):
    desk = one_guardian(store, kind="bots", texts={"minutes": 30})
    finish(desk, minutes=9)
    desk.type(desk.begin(), *["check_location"] * 7, gap=0.5)
    found = desk.facts()
    assert (found["pay"]["number"], found["pay"]["quick"]) == (1, [])
    assert [one["signs"] for one in found["people"]] == [[]]
    assert {"fast", "finished quickly"} & {sign for sign, _ in found["rules"]} == set()
    with store.write() as db:
        db.execute(participants.participant.update().values(is_test=True))
    assert (desk.facts()["people"], desk.facts()["pay"]["number"]) == ([], 0)


@pytest.mark.parametrize(("state", "shown"), [("open", None), ("closed", {"won": 3})])
def test_outcomes_stay_hidden_until_the_study_is_closed(store, state, shown):
    desk = one_guardian(
        store, options={"hide_outcomes": True}, payment={**PAID, "bonus": "50 * successes"}
    )
    for _ in range(3):
        finish(desk)
    studies.set_state(store, "watched", state)
    found = desk.facts()
    assert found["outcomes"] == shown
    assert (found["pay"]["wage"] is None) == (shown is None)


class Looking:
    """Look at the monitor some seconds after noon."""

    def __init__(self, desk):
        self.desk, self.memory, self.library = desk, monitor.Memory(), Library()

    def __call__(self, seconds, renew=False):
        now = NOW + timedelta(seconds=seconds)
        with self.desk.store.read() as db:
            study = studies.find(db, "watched")
            found = monitor.look(db, self.library, self.memory, study, now)
        if renew:
            monitor.renew(self.desk.store, self.library, self.memory, study, now)
        return found


def test_open_monitors_share_a_snapshot_and_an_old_one_is_renewed_for_the_next(desk):
    look = Looking(desk)
    first, is_old = look(0)
    assert not is_old
    desk.begin()
    assert look(1.9) == (first, False)
    shown, is_old = look(5, renew=True)
    assert (shown is first, is_old) == (True, True)
    assert look(6)[0]["pages"] == [("world 1, guardian 1", 1)]


def test_no_snapshot_older_than_twelve_seconds_is_shown(desk):
    look = Looking(desk)
    look(0)
    desk.begin()
    assert look(12)[0]["pages"] == [("world 1, guardian 1", 1)]


def test_request_during_a_renewal_does_not_start_another(desk):
    look = Looking(desk)
    first, _ = look(0)
    with look.memory.looking:
        assert look(5, renew=True)[0] is first
    assert look(6)[0] is first


def test_monitors_opened_at_once_share_the_first_look(desk):
    look = Looking(desk)
    with ThreadPoolExecutor(4) as pool:
        with look.memory.looking:
            waiting = [pool.submit(look, 0) for _ in range(4)]
            wait(waiting, timeout=0.5)
            assert not any(one.done() for one in waiting)
        shown = [one.result() for one in waiting]
    assert all(found is shown[0][0] for found, _ in shown)


def test_someone_who_is_let_in_again_is_under_way_again(desk):
    memory, library, token = monitor.Memory(), Library(), desk.begin()
    desk.end(token, "technical")

    def facts():
        with desk.store.read() as db:
            return monitor.facts(db, library, memory, studies.find(db, "watched"), NOW)

    assert facts()["left"] == [("world 1, guardian 1: technical", 1)]
    with desk.store.write() as db:
        table = participants.participant
        db.execute(table.update().where(table.c.token == token).values(state="active"))
    found = facts()
    assert (found["left"], found["pages"]) == ([], [("world 1, guardian 1", 1)])
