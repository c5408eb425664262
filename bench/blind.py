"""Whether form alone tells people's texts from models' in a blind round, through the real round.

People send the rule form in three parts, and models' texts come from a file, in many styles: those
that the neutral form was made with, and others that it was not. The thoughts in both are drawn from
one pool, so only the form differs. `python -m bench.blind FOLDER`
writes what an annotator sees as a numbered list (`items.txt`) and who wrote it (`key.txt`), for
someone who has not seen them to guess.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from app.scoring.surface import Telling, telling
from app.store.db import Store
from app.store.people import accounts as account_table
from app.store.rating import ratings
from app.store.rating import rounds as round_table
from app.study.design import studies
from app.study.design.library import Library
from app.study.design.spec import check_study
from app.study.design.studies import StudyView
from app.study.people import accounts
from app.study.play import rule_form
from app.study.play.commands import Table
from app.study.rating import form_check, model_items, presentation, rater_view, rounds
from app.study.rating.player_items import labelled
from app.study.rating.rubric import DEFAULT_RUBRIC
from app.study.tickets import new_ticket
from bench import stage
from bench.blind_styles import HELD_OUT, KNOWN, Style
from bench.measure import Result

SLUG, PEOPLE, SEED = "blind", 20, 7
TELLING = 0.6
STUDY = {
    "slug": SLUG,
    "title": "Who wrote it?",
    "seed": 3,
    "blocks": [{"task": "A-Over", "seeds": [1]}],
    "options": {"practice": False, "episodes_per_block": 1},
    "rule_form": {"when": "block", "parts": "three", "confidence": False, "found_how": False},
    "questions": {"comment": False},
}
ROUND = {
    "title": "Who wrote it?",
    "mode": "overall",
    "rubric": DEFAULT_RUBRIC,
    "rubric_version": "1",
    "k": "1",
    "seed": str(SEED),
    "repeat_percent": "0",
    "items": "last",
}
WHAT = (
    *("the class matters most", "the first trait counts and the second hardly does"),
    *("both traits matter, but not equally", "you have to look at the class first"),
    *("the class and, in one case, the place", "only the class for nearly all of them"),
    *("class and home region", "I looked at the class and at where they live"),
    *("the kind of guardian is what counts", "it is about the class, the place is an exception"),
    *("mainly the class", "two things, the class and the region"),
)
DECIDES = (
    *("they decide which weapon is right", "the weapon follows from it"),
    *("each class has one weapon", "which item has to be bought"),
    *("every class wants the same weapon each time", "what you need from the shop"),
    *("one weapon per class", "the weapon, nothing else changes"),
    *("the shop item that defeats the guardian", "that gives the weapon"),
    *("what to buy before the visit", "the item, but not the place to go"),
)
HOW = (
    *(
        "one region overrides the class and always takes the same weapon",
        "class to weapon, with one exception",
    ),
    *("look the class up, then check whether the region is the special one", "like a table"),
    *("by class unless the guardian is from the one region", "the region wins in one case"),
    *("a fixed list by class with a single exception", "the same class gives the same weapon"),
    *("the exception holds for all classes", "I am not sure about the region, it was one case"),
    *("first the class, the region only if it is the odd one", "there is one special region"),
)
Thoughts = tuple[str, str, str]
Styles = Mapping[str, Style]


def thoughts(number: int) -> list[Thoughts]:
    """Return what that many authors think, in three parts; parts may be empty."""
    rng = Random(SEED)

    def one(pool: tuple[str, ...]) -> str:
        return pool[int(rng.random() * len(pool))]

    found = dict[Thoughts, None]()
    while len(found) < number:
        found[one(WHAT), one(DECIDES), one(HOW) if rng.random() < 0.75 else ""] = None
    return list(found)


def as_person(parts: Thoughts, rng: Random) -> dict[str, str]:
    """Return the fields of the rule form as someone types them."""

    def typed(text: str) -> str:
        ways = (text, text.capitalize(), f"{text}.", f"{text}  ", f"{text}\n", f"- {text}")
        return ways[int(rng.random() * len(ways))] if text else ""

    return dict(zip(("inputs", "output", "how"), map(typed, parts), strict=True))


def as_model(parts: Thoughts, rng: Random, styles: Styles) -> str:
    """Return the thoughts in one of the styles, as a model's text."""
    sure = [f"{text[:1].upper()}{text[1:]}" for text in parts if text]
    ways = list(styles.values())
    return ways[int(rng.random() * len(ways))](sure)


def by_people(store: Store, written: list[Thoughts]) -> None:
    """Let people play the study and send the rule form."""
    table, rng = Table(store, Library()), Random(SEED)
    for number, parts in enumerate(written):
        at = stage.NOW + timedelta(minutes=number)
        token = stage.enter(store, table.library, SLUG, at)
        view = stage.first_view(table, token)
        for seq in range(1, view.budget + 1):
            at += timedelta(seconds=2)
            table.act(token, 0, 0, seq, "check_inventory", at)
        fields = as_person(parts, rng)
        rule_form.submit(store, token, 0, -1, fields, new_ticket(), at)


def by_models(store: Store, study: StudyView, written: list[Thoughts], styles: Styles) -> None:
    """Import models' explanations from a file."""
    rng, own = Random(SEED + 1), {"task": "A-Over", "seed": 1}
    lines = [
        {"id": f"m{at}", "source": f"model {at % 4}", "text": as_model(parts, rng, styles), **own}
        for at, parts in enumerate(written)
    ]
    text = "\n".join(map(json.dumps, lines))
    model_items.store_all(store, study, Library(), text, "bench", new_ticket(), stage.NOW)


def make_round(store: Store, number: int, styles: Styles) -> int:
    """Make texts of that many people and models and open a round with them; return its id."""
    now: datetime = stage.NOW
    studies.create(store, check_study(STUDY), now)
    with store.read() as db:
        study = studies.find(db, SLUG)
    written = thoughts(2 * number)
    by_people(store, written[::2])
    by_models(store, study, written[1::2], styles)
    accounts.add(store, "ann", "annotator", now)
    with store.read() as db:
        rater = account_table.by_name(db, "ann")
    form = {**ROUND, f"rater_{rater.id}": "1"}
    made = rounds.create(store, study.id, form, "bench", new_ticket(), now)
    rounds.open_round(store, study.id, made, 1, now)
    with store.read() as db:
        return int(round_table.find(db, study.id, made).id)


def seen(store: Store, round_id: int) -> list[tuple[str, str]]:
    """Return (source, text as the annotator sees it), in the annotator's order."""
    with store.read() as db:
        rater = account_table.by_name(db, "ann")
        who = {row.round_item_id: row.item_kind for row in round_table.items(db, round_id)}
        found = []
        for place in ratings.list_of_rater(db, round_id, rater.id):
            row = ratings.assignment_of(db, place.token, rater.id)
            view = rater_view.item_view(db, Library(), rater.id, place.token)
            found.append((who[row.round_item_id], view.text))
    return found


def told(store: Store, round_id: int, form: str) -> Telling:
    """Return how well a form of the texts tells people from models, as a round's page says."""
    with store.read() as db:
        found = form_check.check(round_table.items(db, round_id), form, SEED)
    assert found is not None
    return found


def run(*, tiny: bool) -> Iterator[Result]:
    """Compare the texts as written with the texts as annotators see them."""
    number = 10 if tiny else PEOPLE
    for name, styles in (("styles", KNOWN), ("held-out styles", HELD_OUT)):
        with stage.folder() as folder, stage.database(folder / "blind.db", 1) as store:
            round_id = make_round(store, number, styles)
            raw = told(store, round_id, presentation.AS_WRITTEN)
            shown = told(store, round_id, presentation.VERSION)
        for form, one in (("as written", raw), ("as shown", shown)):
            print(f"  {name}, {form}: {one.area:.2f} ({one.low:.2f} to {one.high:.2f})")
        yield Result(f"blind: pairs told apart by form, {name}, as written", raw.area, 0.9)
        yield Result(
            f"blind: low end of the interval, {name}, as shown", shown.low, 0.5, at_least=False
        )
    alone = list(apart())
    telling_ones = [name for name, area in alone if area > TELLING]
    print(f"  held-out styles that tell, each alone: {telling_ones} of {len(alone)}")


def apart() -> Iterator[tuple[str, float]]:
    """Yield each held-out style and how well form tells its texts from people's, as shown.

    Both have the same thoughts, so 0.5 means that no trace is left.
    """
    rng, written = Random(SEED), thoughts(2 * PEOPLE)
    people = [labelled(as_person(parts, rng)) for parts in written]
    forms = [presentation.shown(text, presentation.VERSION) for text in people]
    for name, style in HELD_OUT.items():
        texts = [as_model(parts, rng, {name: style}) for parts in written]
        shown = [presentation.shown(text, presentation.VERSION) for text in texts]
        yield name, telling(forms, shown, SEED).area


def main(folder: Path) -> None:
    """Write a round as a list to guess from, and its key."""
    with stage.folder() as scratch, stage.database(scratch / "blind.db", 1) as store:
        round_id = make_round(store, PEOPLE, {**KNOWN, **HELD_OUT})
        listed = list(enumerate(seen(store, round_id), start=1))
        print(form_check.words(told(store, round_id, presentation.VERSION)))
    folder.mkdir(parents=True, exist_ok=True)
    items = "\n\n".join(f"{at}. {text}" for at, (_, text) in listed)
    (folder / "items.txt").write_text(f"{items}\n", "utf-8")
    key = "\n".join(f"{at} {source}" for at, (source, _) in listed)
    (folder / "key.txt").write_text(f"{key}\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
