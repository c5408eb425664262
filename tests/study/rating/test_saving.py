"""The form of a rating, read without a server: what is complete, and what is stored of it."""

from datetime import UTC, datetime

import pytest

from app.study.rating.saving import MAX_MS, RatingError, milliseconds, read_rating, within

NOW = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
NOW_MS = int(NOW.timestamp() * 1000)
NOTHING = {"value": None, "inputs": None, "output": None, "structure": None, "generality": None}
EACH = {"inputs": "0", "output": "1", "structure": "2", "generality": "1"}


def read(mode="overall", **typed):
    return read_rating(typed, mode, NOW)


def missing(mode="overall", **typed):
    with pytest.raises(RatingError) as caught:
        read(mode, **typed)
    assert str(caught.value) == " ".join(caught.value.problems.values())
    return caught.value.problems


@pytest.mark.parametrize("value", [0, 1, 2])
def test_a_value_alone_is_a_rating(value):
    found = read(value=str(value))
    assert found.scores == {**NOTHING, "value": value}
    assert (found.skip_reason, found.flag, found.comment) == ("", False, "")
    assert (found.rule_version, found.active_ms, found.wall_ms) == ("", None, None)


@pytest.mark.parametrize("value", ["", "3", "-1", "01", "\N{SUPERSCRIPT TWO}"])
def test_anything_else_is_asked_for_again(value):
    assert missing(value=value) == {"value": "Choose 0, 1 or 2, or skip the item."}


def test_criteria_are_all_needed_and_no_overall_value_is_read():
    assert read("criteria", **EACH, value="2").scores == {
        **NOTHING,
        **{name: int(value) for name, value in EACH.items()},
    }
    assert list(missing("criteria", inputs="0", structure="2")) == ["output", "generality"]


def test_a_skip_needs_a_reason_and_stores_no_value():
    found = read("criteria", **EACH, value="skip", skip_reason="empty")
    assert (found.scores, found.skip_reason) == (NOTHING, "empty")
    assert list(missing(value="skip")) == ["skip_reason"]
    assert list(missing(value="skip", skip_reason="bored")) == ["skip_reason"]


def test_a_skip_for_another_reason_needs_words():
    assert list(missing(value="skip", skip_reason="other", comment="  ")) == ["comment"]
    assert read(value="skip", skip_reason="other", comment="Not English").comment == "Not English"


def test_a_reason_beside_a_value_is_not_stored():
    assert read(value="1", skip_reason="empty").skip_reason == ""


def test_a_comment_is_trimmed_and_has_2000_characters_at_most():
    assert read(value="1", comment=" a\r\nb ").comment == "a\nb"
    assert len(read(value="1", comment="x" * 2000).comment) == 2000
    assert list(missing(value="1", comment="x" * 2001)) == ["comment"]


def test_everything_missing_is_reported_at_once():
    assert list(missing(comment="x" * 2001)) == ["comment", "value"]


def test_a_flag_is_anything_sent():
    assert read(value="1", flag="yes").flag is True
    assert read(value="1", flag="").flag is False


@pytest.mark.parametrize(("shown", "kept"), [("1", "1"), ("999", ""), ("", "")])
def test_only_a_wording_of_ours_is_stored(shown, kept):
    assert read(value="1", rule_version=shown).rule_version == kept


def test_times_are_kept_where_they_can_be_true():
    found = read(value="1", active_ms="1500", shown_ms=str(NOW_MS - 4000))
    assert (found.active_ms, found.wall_ms) == (1500, 4000)
    found = read(value="1", active_ms="soon", shown_ms=str(NOW_MS + 1))
    assert (found.active_ms, found.wall_ms) == (None, None)
    found = read(value="1", active_ms=str(MAX_MS + 1), shown_ms="0")
    assert (found.active_ms, found.wall_ms) == (None, None)


@pytest.mark.parametrize(("value", "is_kept"), [(0, True), (MAX_MS, True), (-1, False)])
def test_a_duration_is_within_a_week(value, is_kept):
    assert within(value) == (value if is_kept else None)
    assert within(MAX_MS + 1) is None
    assert within(None) is None


@pytest.mark.parametrize("text", ["", "-1", "1.5", " 1", "\N{ARABIC-INDIC DIGIT ONE}", "1" * 16])
def test_milliseconds_are_digits_alone(text):
    assert milliseconds(text) is None


def test_milliseconds_have_15_digits_at_most():
    assert milliseconds("1" * 15) == int("1" * 15)
    assert milliseconds("0") == 0


def test_a_skip_needs_no_guess_of_the_source_but_a_guess_must_be_one():
    typed = {"value": "skip", "skip_reason": "empty"}
    assert read_rating(typed, "overall", NOW, asks_source=True).guess == ""
    for value in ("skip", "1"):
        with pytest.raises(RatingError) as caught:
            read_rating(
                {**typed, "value": value, "guess": "robot"}, "overall", NOW, asks_source=True
            )
        assert list(caught.value.problems) == ["guess"]
    assert read_rating({"value": "1", "guess": "robot"}, "overall", NOW).guess == ""
