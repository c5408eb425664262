"""Explanations by players become items: which ones, as what text, and after erasure."""

import pytest

from app.store import erasure
from app.store.export.dump import Scope
from app.store.play import episodes, explanations, participants
from app.store.rating import items, judges
from app.study.design import studies
from app.study.export.columns import EXPORT_COLUMNS
from app.study.export.rows import rows_of
from app.study.export.source import Source
from app.study.rating import judge_file, player_items
from app.study.rating.player_items import text_of
from app.study.tickets import new_ticket
from tests.study.story import Story

THREE = """Which traits matter: class

What they decide: (left empty)

How they decide it: one each"""


class Row:
    form, text, inputs, output, how, do_not_know = "one", "", "", "", "", False

    def __init__(self, **values):
        self.__dict__.update(values)


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (Row(text="  The class.\n"), "The class."),
        (Row(do_not_know=True), "I do not know the rule."),
        (Row(do_not_know=True, text="Perhaps"), "I do not know the rule.\n\nPerhaps"),
        (
            Row(form="three", inputs="class", how="one each"),
            THREE,
        ),
        (Row(form="three", do_not_know=True), "I do not know the rule."),
    ],
)
def test_a_rule_form_reads_as_one_labelled_text(row, text):
    assert text_of(row) == text


@pytest.fixture
def story(store):
    return Story(store)


def stored(story):
    with story.store.read() as db:
        return list(items.known(db, story.study_id).values())


@pytest.fixture
def finished_story(story):
    """One participant's explanations, two of them of one block, and a test participant's."""
    with story.store.read() as db:
        story.study_id = studies.find(db, "story").id
    token = story.enter()
    for position in (0, 1):
        story.win(token, 0, position)
        story.explain(token, 0, position)
    test = story.enter(is_test=True)
    story.win(test, 0, 0)
    story.explain(test, 0, 0)
    story.person_id = story.person(token).id
    return story


def take_in(story):
    return player_items.take_in(story.store, story.study_id, story.now())


def test_what_players_explained_comes_in_once_and_test_people_do_not(finished_story):
    assert take_in(finished_story) == 2
    assert take_in(finished_story) == 0
    (public,) = {row.cluster for row in stored(finished_story)}
    names = [row.external_id for row in stored(finished_story)]
    assert names == [f"{public}-w1-r1", f"{public}-w1-r2"]
    assert {(row.kind, row.source, row.task) for row in stored(finished_story)} == {
        ("player", "players", "A-Over")
    }


def test_item_keeps_the_text_as_it_was_written(story):
    """Raters see another form of it (`presentation`), which is made anew for every page."""
    with story.store.read() as db:
        story.study_id = studies.find(db, "story").id
    token, written = story.enter(), "- **class**\n-  role,  both\n\n“each”"
    story.win(token, 0, 0)
    story.explain(token, 0, 0, inputs=written)
    take_in(story)
    assert stored(story)[0].text.startswith(f"Which traits matter: {written}\n\n")


def test_item_ids_are_the_explanation_ids_of_the_exports(finished_story):
    take_in(finished_story)
    with finished_story.store.read() as db:
        view = studies.find(db, "story")
        scope = Scope(view.id, include_test=False, include_practice=False)
        source = Source(db, view, scope)
        place = [column.name for column in EXPORT_COLUMNS["explanation"]].index("explanation_id")
        exported = [row[place] for row in rows_of(source, "explanation")]
    assert exported == [row.external_id for row in stored(finished_story)]


@pytest.mark.parametrize(("which", "asked"), [("last", [1]), ("first", [0]), ("all", [0, 1])])
def test_last_first_or_all_explanations_of_a_block_are_eligible(finished_story, which, asked):
    take_in(finished_story)
    ids = [row.id for row in stored(finished_story)]
    with finished_story.store.read() as db:
        assert player_items.eligible(db, finished_story.study_id, which) == [
            ids[place] for place in asked
        ]


def test_people_excluded_from_analysis_are_not_chosen(finished_story):
    take_in(finished_story)
    with finished_story.store.write() as db:
        participants.change(db, finished_story.person_id, {"excluded": "a friend of mine"})
    with finished_story.store.read() as db:
        assert player_items.eligible(db, finished_story.study_id, "all") == []


@pytest.mark.parametrize("state", ["withdrawn", "failed_check"])
def test_who_does_not_count_in_the_analysis_is_not_chosen_either(finished_story, state):
    take_in(finished_story)
    with finished_story.store.write() as db:
        participants.change(db, finished_story.person_id, {"state": state})
    with finished_story.store.read() as db:
        assert player_items.eligible(db, finished_story.study_id, "all") == []


def test_explanations_of_someone_whose_every_episode_is_voided_are_not_chosen(finished_story):
    take_in(finished_story)
    with finished_story.store.write() as db:
        db.execute(episodes.episode.update().values(voided_at=finished_story.now()))
    with finished_story.store.read() as db:
        assert player_items.eligible(db, finished_story.study_id, "all") == []


def test_erasing_someone_blanks_their_items_and_what_judges_quoted(finished_story):
    take_in(finished_story)
    name = stored(finished_story)[0].external_id
    line = f'{{"item": "{name}", "score": 1, "model": "j", "raw": "You wrote: the class"}}'
    judge_file.store_all(
        finished_story.store,
        finished_story.study_id,
        line,
        "",
        "ada",
        new_ticket(),
        finished_story.now(),
    )
    with finished_story.store.write() as db:
        erasure.erase(db, finished_story.person_id)
        participants.change(db, finished_story.person_id, {"erased_at": finished_story.now()})
    assert take_in(finished_story) == 0
    assert {(row.text, row.is_erased) for row in stored(finished_story)} == {("", True)}
    with finished_story.store.read() as db:
        assert items.of_study(db, finished_story.study_id) == []
        assert player_items.eligible(db, finished_story.study_id, "all") == []
        (score,) = judges.scores(db, judges.runs(db, finished_story.study_id)[0].id)
        assert explanations.of_participant(db, finished_story.person_id) == []
    assert (score.score, score.raw) == (1, "")
