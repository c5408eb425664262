"""The set-up form of a rating round: read and checked, field by field."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.store.people import accounts
from app.store.rating import items, samples
from app.store.rating.rounds import ASKED, GOLD, MAIN, MODES, TRAINING
from app.store.rating.scales import CRITERIA
from app.study.design.spec import MAX_SEED
from app.study.rating import player_items, rubric
from app.study.rating.round_start import START
from app.study.text_checks import storable, tidy

MAX_TITLE, MAX_VERSION, MAX_RUBRIC, MAX_LIST = 200, 32, 20_000, 400_000
MOST_RATERS, MOST_ADJUDICATORS, MOST_GOLD = 50, 5, 1_000
MAY_LACK = ("adjudicators", "gold_least", "gold_after")  # numbers that a form may leave out
PARTS = 3  # parts of a line with a known answer: id | answer | feedback


class RoundFormError(StudyError):
    """The set-up is not valid; `problems` says why, field by field."""

    code = "round/form"

    def __init__(self, problems: dict[str, str]) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Known:
    """An item with a known answer: the value or the four criteria, as stored JSON."""

    item_id: int
    known: str
    feedback: str


@dataclass(frozen=True, slots=True)
class Setup:
    """A checked set-up. Item ids are the database's."""

    title: str
    mode: str
    rubric: str
    rubric_version: str
    k: int
    seed: int
    repeat_percent: int
    ask_source: str
    adjudicators: int
    gold_feedback: bool
    gold_least: int
    gold_after: int
    raters: tuple[int, ...]
    sample_id: int | None
    main: tuple[int, ...]
    training: tuple[Known, ...]
    gold: tuple[Known, ...]


class FormReader:
    """Reader of one form; collects one problem per field."""

    def __init__(self, db: Connection, study_id: int, typed: Mapping[str, str]) -> None:
        self.db, self.study_id, self.typed = db, study_id, typed
        self.problems: dict[str, str] = {}
        self.known = {
            name: row for name, row in items.known(db, study_id).items() if not row.is_erased
        }

    def text(self, name: str, limit: int, *, needed: bool = True) -> str:
        """Read a text; note a problem if it is missing, too long, or cannot be stored."""
        found = tidy(self.typed.get(name, "")).strip()
        if len(found) > limit or not storable(found):
            self.problems[name] = f"Use at most {limit:,} characters, without control characters."
        elif needed and not found:
            self.problems[name] = "Fill this in."
        return found

    def number(self, name: str, low: int, high: int) -> int:
        """Read a whole number; note a problem if it is not one."""
        text = self.typed.get(name, START[name] if name in MAY_LACK else "").strip()
        if text.isascii() and text.isdecimal() and len(text) <= len(str(high)):
            found = int(text)
            if low <= found <= high:
                return found
        self.problems[name] = f"Enter a whole number from {low:,} to {high:,}."
        return low

    def choice(self, name: str, known: tuple[str, ...], problem: str) -> str:
        """Read one of some words, the first if nothing was sent; note a problem otherwise."""
        found = self.typed.get(name, known[0])
        if found not in known:
            self.problems[name] = problem
        return found

    def raters(self) -> tuple[int, ...]:
        """Read the ticked annotators; only active ones can be chosen."""
        found = tuple(
            int(row.id)
            for row in accounts.of_role(self.db, "annotator")
            if row.active and self.typed.get(f"rater_{row.id}")
        )
        if not found or len(found) > MOST_RATERS:
            self.problems["raters"] = f"Choose 1 to {MOST_RATERS} annotators."
        return found

    def chosen(self, taken: set[int]) -> tuple[int | None, tuple[int, ...]]:
        """Read the items to rate, without training and gold items."""
        source = self.typed.get("items", "")
        if source.startswith("sample:"):
            number = source.removeprefix("sample:")
            row = (
                samples.find(self.db, self.study_id, int(number))
                if number.isascii() and number.isdecimal() and len(number) < len("1000000000")
                else None
            )
            if row is None:
                self.problems["items"] = "This sample does not exist."
                return None, ()
            drawn = samples.items_of(self.db, row.id)
            live = {one.id for one in self.known.values()}
            here = [one.item_id for one in drawn if one.place is not None and one.item_id in live]
            if taken & set(here):
                words = "An item of the sample cannot also be a training or gold item."
                self.problems["items"] = words
            return int(row.id), tuple(here)
        if source in items.WHICH:
            found = player_items.eligible(self.db, self.study_id, source)
        elif source == "ids":
            found = self.by_name()
        else:
            self.problems["items"] = "Choose which items to rate."
            return None, ()
        left = tuple(one for one in found if one not in taken)
        if not left and "ids" not in self.problems:
            self.problems["items"] = "There are no such items."
        return None, left

    def by_name(self) -> list[int]:
        """Read ids, one per line, or separated by commas or spaces where ids have neither."""
        found, unknown = set[int](), list[str]()
        for line in self.text("ids", MAX_LIST, needed=True).split("\n"):
            for name in self.names_in(line.strip()):
                if name in self.known:
                    found.add(int(self.known[name].id))
                else:
                    unknown.append(name)
        if unknown:
            self.problems["ids"] = f"Not items of this study: {', '.join(unknown[:5])}."
        return sorted(found)

    def names_in(self, line: str) -> list[str]:
        """Return the ids of a line: the line itself, or its parts."""
        by_comma = [part.strip() for part in line.split(",") if part.strip()]
        for names in ([line], by_comma):
            if all(name in self.known for name in names):
                return names if line else []
        return line.replace(",", " ").split()

    def parts_of(self, line: str) -> list[str]:
        """Return id, answer and feedback of a line; the id may contain bars, too."""
        bars = [at for at, sign in enumerate(line) if sign == "|"]
        for at in reversed(bars):
            if line[:at].strip() in self.known:
                rest = line[at + 1 :].split("|", PARTS - 2)
                return [line[:at].strip(), *(part.strip() for part in rest)]
        return [part.strip() for part in line.split("|", PARTS - 1)]

    def known_answers(self, name: str, mode: str) -> tuple[Known, ...]:
        """Read lines of `id | answer | feedback`; the answer is 0 to 2, or four of these."""
        found: dict[int, Known] = {}
        for place, line in enumerate(self.text(name, MAX_LIST, needed=False).split("\n"), 1):
            if not line.strip():
                continue
            parts = self.parts_of(line)
            row = self.known.get(parts[0])
            answer = read_known(parts[1], mode) if len(parts) > 1 else None
            if row is None or answer is None or row.id in found:
                why = "is not an item of this study" if row is None else "needs an answer"
                why = "appears twice" if row is not None and row.id in found else why
                form = "0, 1 or 2" if mode == "overall" else "four numbers such as 2 1 0 2"
                self.problems[name] = (
                    f"Line {place}: '{parts[0][:60]}' {why}. Each line: id | {form} | feedback."
                )
                continue
            feedback = parts[2] if len(parts) == PARTS else ""
            found[row.id] = Known(int(row.id), json.dumps(answer), feedback)
        return tuple(found.values())


def read_known(text: str, mode: str) -> dict[str, int] | None:
    """Return a known answer by column name, or None."""
    digits = [int(one) for one in text.replace(",", " ").split() if one in {"0", "1", "2"}]
    if len(digits) != len(text.replace(",", " ").split()):
        return None
    names = ("value",) if mode == "overall" else CRITERIA
    return dict(zip(names, digits, strict=True)) if len(digits) == len(names) else None


def read_setup(db: Connection, study_id: int, typed: Mapping[str, str]) -> Setup:
    """Parse a set-up form. Raises RoundFormError."""
    form = FormReader(db, study_id, typed)
    mode = form.choice("mode", MODES, "Choose one score or the four criteria.")
    training = form.known_answers(TRAINING, mode)
    gold = form.known_answers(GOLD, mode)
    both = {one.item_id for one in training} & {one.item_id for one in gold}
    if both and "gold" not in form.problems:
        form.problems["gold"] = "An item cannot be both a training and a gold item."
    taken = {one.item_id for one in (*training, *gold)}
    sample_id, main = form.chosen(taken)
    raters = form.raters()
    text, version = form.text("rubric", MAX_RUBRIC), form.text("rubric_version", MAX_VERSION)
    text, version = rubric.fitting(mode, text, version)
    setup = Setup(
        title=form.text("title", MAX_TITLE),
        mode=mode,
        rubric=text,
        rubric_version=version,
        k=form.number("k", 1, MOST_RATERS),
        seed=form.number("seed", 0, MAX_SEED),
        repeat_percent=form.number("repeat_percent", 0, 50),
        gold_feedback=bool(typed.get("gold_feedback")),
        gold_least=form.number("gold_least", 0, 100),
        gold_after=form.number("gold_after", 1, MOST_GOLD),
        adjudicators=form.number("adjudicators", 1, MOST_ADJUDICATORS),
        ask_source=form.choice("ask_source", ASKED, "Choose when annotators are asked."),
        raters=raters,
        sample_id=sample_id,
        main=main,
        training=training,
        gold=gold,
    )
    if setup.k > len(raters) and not {"k", "raters"} & set(form.problems):
        form.problems["k"] = f"Choose at most {len(raters)}, the number of annotators selected."
    if setup.gold_least and len(gold) < setup.gold_after:
        form.problems.setdefault(
            "gold_least", f"A threshold needs at least {setup.gold_after} gold items."
        )
    if form.problems:
        raise RoundFormError(form.problems)
    return setup


def typed_of(
    row: Any, rater_ids: list[int], listed: list[Any], sample_number: int | None
) -> dict[str, str]:
    """Return a stored draft as form fields."""

    def lines(kind: str) -> str:
        return "\n".join(known_line(one) for one in listed if one.kind == kind)

    main = "\n".join(one.external_id for one in listed if one.kind == MAIN)
    return {
        "title": row.title,
        "mode": row.mode,
        "rubric": row.rubric,
        "rubric_version": row.rubric_version,
        "k": str(row.k),
        "seed": str(row.seed),
        "repeat_percent": str(row.repeat_percent),
        "ask_source": row.ask_source,
        "adjudicators": str(row.adjudicators),
        "gold_feedback": "1" if row.gold_feedback else "",
        "gold_least": str(row.gold_least),
        "gold_after": str(row.gold_after),
        "items": "ids" if sample_number is None else f"sample:{sample_number}",
        "ids": main if sample_number is None else "",
        "training": lines(TRAINING),
        "gold": lines(GOLD),
        **{f"rater_{one}": "1" for one in rater_ids},
    }


def known_line(one: Any) -> str:
    """Return a known answer as its line in the form."""
    answer = " ".join(str(number) for number in json.loads(one.known).values())
    return f"{one.external_id} | {answer} | {one.feedback}".rstrip(" |")
