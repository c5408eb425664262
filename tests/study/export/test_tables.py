"""The computed tables and logs of an export, compared with values computed by hand."""

import csv
import io
from datetime import timedelta

import pytest

from app.store.play.episodes import episode
from app.store.play.participants import participant
from app.store.play.process_data import insert as insert_process
from app.store.play.turns import turn
from app.study.design import draft, publishing
from app.study.export import files
from app.study.people import manual_actions, withdrawal
from app.study.play import enrol
from app.study.play.arrival import Arrival
from app.study.tickets import new_ticket
from tests.study.story import ODD, Story

MINUTE_MS = 60_000
ADMIN = "a note about 5f3c9d2e1b"


@pytest.fixture
def story(store):
    return Story(store)


@pytest.fixture
def token(story):
    return story.varied(platform="prolific_pid", external_id="5f3c9d2e1b")


def rows(store, table, **options):
    text = b"".join(files.stream_csv(store, "story", table, "csv", **options)).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_timing_takes_gaps_beyond_the_idle_limit_out(story, token):
    row = story.episode(token, 0, 0)
    away = 31 * MINUTE_MS  # the idle limit is 30 minutes
    with story.store.write() as db:
        late = (turn.c.episode_id == row.id) & (turn.c.seq >= 5)
        db.execute(turn.update().where(late).values(received_ms=turn.c.received_ms + away))
    found = rows(story.store, "timing")[0]
    number = len(ODD) + 4
    assert found["actions"] == str(number)
    assert found["wall_ms"] == str((number - 1) * 1000 + away)
    assert found["active_ms"] == str((number - 2) * 1000)
    assert found["idle_ms"] == found["longest_gap_ms"] == str(away + 1000)
    assert (found["idle_gaps"], found["idle_limit_ms"]) == ("1", str(30 * MINUTE_MS))


def test_timing_tells_thinking_before_the_first_action_and_time_hidden(story, token):
    person = story.person(token)
    common = {"participant_id": person.id, "detail": "", "client_ms": None, "received_ms": 1}
    page = "world/1/guardian/1"
    with story.store.write() as db:
        insert_process(
            db,
            [
                {**common, "page": page, "kind": "hidden", "value": 400},
                {**common, "page": page, "kind": "hidden", "value": 100},
                {**common, "page": "world/1/guardian/2", "kind": "open", "value": 9},
                {**common, "page": "world/2/guardian/1/rule", "kind": "hidden", "value": 7},
            ],
        )
    first, second, third = rows(story.store, "timing")
    assert [one["lead_ms"] for one in (first, second, third)] == ["1000"] * 3
    assert [one["hidden_ms"] for one in (first, second, third)] == ["500", "0", ""]
    assert [one["hidden_times"] for one in (first, second, third)] == ["2", "0", ""]
    assert (first["first_think_ms"], second["first_think_ms"]) == ("951", "")
    assert first["think_ms"] == str(sum(950 + n for n in range(1, len(ODD) + 5)))


def test_baseline_scores_units_as_reckoned_by_hand(story, token):
    won, begun = rows(story.store, "baseline")
    used = len(ODD) + 4
    norm_eff = (4 / (used / 4) - 1) / 3
    assert float(won["norm_eff"]) == pytest.approx(norm_eff)
    assert float(won["ecsr"]) == pytest.approx(norm_eff / 2)
    assert (won["episodes"], won["successes"], won["success_rate"]) == ("2", "1", "0.5")
    assert float(won["first_ecsr"]) == pytest.approx(norm_eff)
    clean = (4 / ((used - 5) / 4) - 1) / 3  # five of the odd commands were not understood
    assert float(won["clean_norm_eff"]) == pytest.approx(clean)
    assert (begun["ecsr"], begun["figure_reason"], begun["rv_reason"]) == (
        "",
        "no_episode",  # still in progress: neither won nor lost
        "no_explanation",
    )
    assert (won["rv"], won["rv_reason"], won["rv_source"]) == ("", "not_rated", "final")


def test_episode_left_for_good_is_a_failure_in_baseline_and_missing_beside_it(story, token):
    with story.store.write() as db:
        db.execute(participant.update().values(state="timed_out"))
    found = rows(story.store, "baseline")[1]
    assert (found["episodes"], found["unfinished"], found["success_rate"]) == ("1", "1", "0.0")
    assert (found["ecsr"], found["finished_ecsr"], found["analysed"]) == ("0.0", "", "true")


def test_direct_format_has_a_share_of_right_answers_and_no_efficiency(store):
    story = Story(
        store, blocks=[{"task": "A-Over", "seeds": [1], "format": "direct"}], per_player=1
    )
    token = story.enter()
    item = story.solution(token, 0, 0)[1].removeprefix("buy ")
    story.state_directly(token, 0, 0, item=item)
    (found,) = rows(store, "baseline")
    assert (found["success_rate"], found["ecsr"], found["figure_reason"]) == (
        "1.0",
        "",
        "direct_format",
    )
    assert rows(store, "timing")[0]["wall_ms"] == ""


def test_summary_is_the_mean_of_the_units_that_count(story, token):
    found = {
        (row["task"], row["scope"], row["figure"]): row for row in rows(story.store, "summary")
    }
    (unit, _) = rows(story.store, "baseline")
    one = found["A-Over", "all", "ecsr"]
    assert (one["value"], one["reason"]) == (unit["ecsr"], "one player: no interval")
    assert found["A-Over", "first", "ecsr"]["value"] == unit["first_ecsr"]
    assert found["P-Add", "all", "ecsr"]["reason"] == "no data"
    story.varied()
    again = {
        (row["task"], row["scope"], row["figure"]): row for row in rows(story.store, "summary")
    }
    assert again["A-Over", "all", "ecsr"]["players"] == "2"
    assert again["A-Over", "all", "ecsr"]["reason"] == "no variance: no interval"


def test_excluded_and_withdrawn_people_are_flagged_and_not_summed(story, token):
    public_id = story.person(token).public_id
    manual_actions.act(story.store, None, public_id, "exclude", ADMIN, new_ticket(), story.now())
    (person,) = rows(story.store, "participant")
    assert (person["analysed"], person["left_out"]) == ("false", "excluded")
    assert person["excluded"] == ADMIN
    assert rows(story.store, "summary") == []
    assert {row["left_out"] for row in rows(story.store, "baseline")} == {"excluded"}


def test_variant_carries_its_certificate_and_the_floors_of_all_bots(story, token):
    found = rows(story.store, "variant")
    assert {row["task"] for row in found} == {"A-Over", "P-Add"}
    for row in found:
        assert (row["unique"], row["share_determined"]) == ("true", "1.0")
        assert float(row["floor_oracle"]) == 1.0
        assert all(row[name] for name in row if name.startswith("floor_"))


def test_flow_tells_how_far_people_got_and_why_they_left(story, token):
    enrol.decline(story.store, "story", Arrival("link", "gone"), new_ticket(), story.now())
    found = rows(story.store, "flow")
    reached = {row["stage"]: row["people"] for row in found if row["kind"] == "reached"}
    assert reached == {
        **dict.fromkeys(("consented", "instructions", "practice", "played", "analysed"), "1"),
        "arrived": "2",
        "finished": "0",
    }
    left = {(row["stage"], row["reason"]): row["people"] for row in found if row["kind"] == "left"}
    assert left["analysed", "no_consent"] == "1"
    assert left["played", "active"] == "1"
    assert sum(stage == "arrived" for stage, _ in left) == 1


def test_erased_person_leaves_a_tombstone_and_no_text(story, token):
    later = story.now() + timedelta(minutes=1)
    withdrawal.withdraw(story.store, token, new_ticket(), later)
    (person,) = rows(story.store, "participant")
    assert (person["is_erased"], person["state"], person["left_out"]) == (
        "true",
        "withdrawn",
        "withdrawn",
    )
    for table in ("turn", "explanation", "answer", "note", "problem", "process"):
        assert rows(story.store, table) == []
    assert {row["state"] for row in rows(story.store, "episode")} == {"open"}


def test_voided_episode_is_counted_as_such_and_nowhere_else(story, token):
    row = story.episode(token, 0, 0)
    story.change(episode, episode.c.id == row.id, voided_at=story.now())
    found = rows(story.store, "baseline")[0]
    assert (found["voided"], found["episodes"], found["success_rate"]) == ("1", "1", "0.0")


def test_every_row_of_a_person_names_the_version_they_run_under(store):
    story = Story(store, questions={"comment": False, "before": [{"key": "age", "label": "Age?"}]})
    people = {person_id(story, story.varied(answers={"age": "40"})): "1"}
    with store.read() as db:
        revision = draft.load(db, "story").revision
    facts = {"by": "ada", "now": story.now()}
    saved = draft.save(
        store, "story", {"texts.minutes": 25}, revision=revision, ticket=new_ticket(), **facts
    )
    publishing.publish(store, "story", revision=saved, **facts)
    people[person_id(story, story.varied(answers={"age": "50"}))] = "2"
    tables = ("participant", "block", "episode", "turn", "timing", "answer", "explanation")
    for table in (*tables, "baseline"):
        found = {(row["participant_id"], row["design_version"]) for row in rows(store, table)}
        assert found == set(people.items()), table


def person_id(story, token):
    """Return a participant's ID in exports."""
    return story.person(token).public_id
