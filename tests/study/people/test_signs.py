"""Signs of automation: each is seen where it should be, and not where no one looked."""

import json
from pathlib import Path

import pytest

from app.study.people import signs
from app.study.people.signs import DEFINITIONS, Evidence
from app.study.play import canary, process_data
from tests.study.story import Story

LEXICA = Path(signs.__file__).parents[2] / "lexica"
ALL = dict.fromkeys(DEFINITIONS, "not observed")
LONG = "The class of the guardian decides which weapon is needed, and the region does not matter."
OTHER = "I think that it depends on both traits, first on the element and then on their favourite."


@pytest.fixture
def story(store):
    return Story(store)


def write(story, text, *events, page="rule", word=""):
    """Let someone win a guardian and explain it, with what their browser reported on that page."""
    token = story.enter()
    story.type(token, 0, 0, *story.solution(token, 0, 0))
    path = "world/1/guardian/1" + ("/rule" if page == "rule" else "")
    batch = json.dumps([[kind, value, detail, None] for kind, value, detail in events])
    process_data.store_batch(story.store, token, path, batch, "Firefox/1", story.now())
    story.explain(token, 0, 0, inputs=f"{text}{word}")
    return story.person(token).public_id


def seen(story):
    """Return the signs of each person, without the table's other columns."""
    with story.store.read() as db:
        study_id = db.exec_driver_sql("SELECT id FROM study").scalar_one()
        rows = signs.of_study(db, study_id)
    return {
        row["participant"]: {key: row[f"sign_{key}"] for key in DEFINITIONS} for row in rows
    }, rows


@pytest.mark.parametrize(
    ("kind", "is_test", "listed"), [("bots", 0, 0), ("pilot", 1, 0), ("pilot", 0, 1)]
)
def test_bots_and_test_players_have_no_signs(story, kind, is_test, listed):
    name = write(story, LONG, ("client", 1, "webdriver"), ("open", 10, "800x600"))
    with story.store.write() as db:
        db.exec_driver_sql(f"UPDATE study SET kind = '{kind}'")
        db.exec_driver_sql(f"UPDATE participant SET is_test = {'true' if is_test else 'false'}")
    assert list(seen(story)[0]) == [name] * listed
    with story.store.read() as db:
        study_id = db.exec_driver_sql("SELECT id FROM study").scalar_one()
        assert (signs.of_person(db, study_id, name) is not None) == bool(listed)


def test_each_sign_of_a_browser_is_seen_where_it_was_reported(story):
    opened = ("open", 10, "800x600")
    typed = ("keys", len(LONG), "")
    who = {
        "typed": write(story, LONG, opened, typed),
        "few_keys": write(story, OTHER, opened, ("keys", 5, "")),
        "pasted": write(story, "Regime " * 9, opened, ("keys", 70, ""), ("paste", 40, "inputs")),
        "hidden": write(story, "Fire " * 9, opened, ("keys", 50, ""), ("hidden", 60_000, "")),
        "automated": write(
            story, "Ice " * 12, opened, ("keys", 50, ""), ("client", 1, "webdriver")
        ),
        "short": write(story, "Class.", opened),
    }
    found, rows = seen(story)
    for name, person in who.items():
        yes = {key for key, value in found[person].items() if value == "yes"}
        assert yes == ({name} & set(DEFINITIONS)), name
        assert found[person]["even"] == "not observed"  # too few commands
    assert {row["observed"] for row in rows} == {"yes"}
    assert rows[-1]["sign_few_keys"] == "no"
    assert set(rows[0]) == set(signs.COLUMNS)


def test_rule_that_is_repeated_word_for_word_was_neither_typed_nor_pasted_again(story):
    token, page = story.enter(), "world/1/guardian/1/rule"
    batch = json.dumps([["open", 10, "800x600", None], ["keys", len(LONG) // 8, "", None]])
    for position, found_how in enumerate(("", "as before")):
        story.lose(token, 0, position)
        process_data.store_batch(story.store, token, page, batch, "Firefox/1", story.now())
        story.explain(token, 0, position, inputs=LONG, found_how=found_how)
        batch = "[]"
    _, [row] = seen(story)
    assert (row["chars"], row["sign_few_keys"]) == (len(LONG) + len("as before"), "no")


def test_where_no_script_ran_signs_of_browsers_are_not_observed_never_clean(story):
    nothing = write(story, LONG)
    elsewhere = write(story, OTHER, ("open", 1, "800x600"), page="guardian")
    found, rows = seen(story)
    browser = ("few_keys", "pasted", "hidden")
    assert {found[nothing][key] for key in (*browser, "automated")} == {"not observed"}
    assert {found[elsewhere][key] for key in browser} == {"not observed"}
    assert found[elsewhere]["automated"] == "no"
    assert {row["participant"]: row["observed"] for row in rows} == {
        nothing: "no",
        elsewhere: "yes",
    }


def test_text_like_anothers_of_the_same_world_is_seen_and_named(story):
    first, second = write(story, LONG), write(story, LONG.upper(), word=" Sure!")
    third = write(story, OTHER)
    found, rows = seen(story)
    assert [found[one]["alike"] for one in (first, second, third)] == ["yes", "yes", "no"]
    pairs = {row["participant"]: row["alike_with"] for row in rows}
    assert (pairs[first], pairs[second]) == (second, first)


def test_leaving_the_guardians_page_just_before_the_rule_counts_too(story):
    """Five minutes before the rule form was opened, and no more; only for a minute or longer."""
    found = {}
    cases = {"just": (299_000, 61_000), "long": (301_000, 61_000), "short": (1000, 59_000)}
    for name, (before, away) in cases.items():
        token, page = story.enter(), "world/1/guardian/1"
        story.type(token, 0, 0, *story.solution(token, 0, 0))
        for path, event in (
            (page, ["hidden", away, "", 10**12 - before]),
            (f"{page}/rule", ["open", 10, "800x600", 10**12]),
        ):
            batch = json.dumps([event])
            process_data.store_batch(story.store, token, path, batch, "Firefox/1", story.now())
        story.explain(token, 0, 0, inputs="Class.")
        found[name] = story.person(token).public_id
    by_person, rows = seen(story)
    assert {name: by_person[one]["hidden"] for name, one in found.items()} == {
        "just": "yes",
        "long": "no",
        "short": "no",
    }
    assert {row["hidden_s"] for row in rows} == {0.0, 59.0, 61.0}


def test_answers_in_words_like_anothers_are_seen_too(store):
    asked = [{"key": key, "label": "Why?"} for key in ("why", "how")]
    story = Story(store, questions={"comment": False, "before": asked})
    given = (
        {"why": LONG, "how": OTHER},
        {"why": LONG.lower(), "how": "-"},
        {"why": OTHER, "how": "-"},
    )
    people = [story.person(story.enter(answers=one)).public_id for one in given]
    found, rows = seen(story)
    assert [found[one]["alike"] for one in people] == ["yes", "yes", "no"]
    assert {row["alike_with"] for row in rows if row["sign_alike"] == "yes"} == set(people[:2])


def test_people_who_are_erased_or_tests_are_left_out(story):
    write(story, LONG)
    story.enter(is_test=True)
    with story.store.read() as db:
        study_id = db.exec_driver_sql("SELECT id FROM study").scalar_one()
        assert len(signs.of_study(db, study_id)) == 1


def test_the_word_of_the_hidden_sentence_is_a_sign_only_where_the_study_hides_one(store):
    story = Story(store, options={"canary": True})
    canary_token, plain = (story.enter() for _ in range(2))
    for token, text in (
        (canary_token, canary.word_of(story.person(canary_token).public_id)),
        (plain, OTHER),
    ):
        story.type(token, 0, 0, *story.solution(token, 0, 0))
        story.explain(token, 0, 0, inputs=f"The class decides, {text.upper()}.")
    found, _ = seen(story)
    assert found[story.person(canary_token).public_id]["canary"] == "yes"
    assert found[story.person(plain).public_id]["canary"] == "no"


def test_every_person_has_a_word_of_their_own_that_no_lexicon_has(store):
    words = {canary.word_of(f"person{at}") for at in range(2000)}
    assert len(words) == 2000
    assert {len(word) for word in words} == {8}
    known = "".join(path.read_text("utf-8") for path in LEXICA.glob("*.json")).casefold()
    assert "florvuk" in known
    assert not [word for word in words if word in known]


@pytest.mark.parametrize(
    ("step", "spread_ms", "gaps", "sign"),
    [(1000, 0, 25, True), (1000, 900, 25, False), (1000, 0, 10, None)],
)
def test_even_tempo_needs_enough_gaps(step, spread_ms, gaps, sign):
    values = [step + (spread_ms if at % 2 else -spread_ms) for at in range(gaps)]
    mean = sum(values) / gaps
    row = type("Row", (), {})()
    row.number, row.mean = gaps, mean
    row.mean_square = sum(value**2 for value in values) / gaps
    found = Evidence(0, None, None, None, None, signs.spread(row), None, "")
    assert signs.signs_of(found)["even"] is sign


def test_tempo_is_read_from_the_log(story):
    token = story.enter()
    for position in range(2):  # one command a second, to the millisecond
        story.lose(token, 0, position)
        story.explain(token, 0, position)
    found, rows = seen(story)
    assert rows[0]["variation"] == 0
    assert found[story.person(token).public_id]["even"] == "yes"
