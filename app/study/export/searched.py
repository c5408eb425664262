"""What leaves in a shareable bundle without being read text by text, and what is found in it.

Every text column is searched, except in rows whose text a researcher reads (`release` is not
empty) and in MADE: columns that hjstudy fills with words, numbers and hashes of its own. So are the
study's own texts, which go into README.md and other files, and large numbers from browsers. What is
found is named, not left out; where nothing is found, the texts count as unread.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from app.store.export import dump_figures
from app.study.design.spec import StudySpec, parse_spec
from app.study.design.spec_parts import Texts
from app.study.design.studies import StudyView
from app.study.export import unsearchable
from app.study.export.columns import EXPORT_COLUMNS
from app.study.export.describe import TEXTS
from app.study.export.release import FIELDS, HOLDS_EMAIL, HOLDS_ID, HOLDS_PHONE
from app.study.export.sent_numbers import DAY_MS
from app.study.export.source import Source
from app.study.mail_marks import holds_email
from app.study.name_marks import NameMarker, words_of
from app.study.phone_marks import holds_long_number, holds_phone

LONG_NUMBER, NAME = "long_number", "looks_like_name"
KINDS = {  # kind -> in words
    HOLDS_ID: "a platform ID, session ID, code or token",
    HOLDS_EMAIL: "an e-mail address",
    HOLDS_PHONE: "a telephone number",
    LONG_NUMBER: "another number of seven digits or more",
    NAME: "a word that looks like a name",
}
LARGE = 1_000_000  # the smallest number of seven digits
SENT = {"turn": ("think_ms", "client_ms"), "process": ("value", "client_ms")}  # by browsers
OWN_ID = re.compile(r"[-wgrp\d]*")  # what follows a person's random ID in IDs made from it
MOST_ROWS = 1000  # that are listed of one column; all are counted
MOST_KNOWN = 10_000  # texts whose findings are kept in memory, and different texts of a place
CERTIFICATE = "documentation/parity-certificate.json"
GAME = "every table with words of the game"
ABOUT = "README.md, dataset_description.json"

OF_DESIGN = {"study", "task", "lexicon", "coverage", "variant_hash"}  # see `of_game`
EVERYWHERE = OF_DESIGN | {
    *("participant_id", "block_id", "episode_id", "explanation_id", "alike_with", "page"),
    *("kind", "item_kind", "run_kind", "study_kind", "player_kind", "format", "family", "form"),
    *("state", "end_reason", "left_out", "excluded", "release", "text_reason", "phase", "asked"),
    *("consent_hash", "rubric_hash", "prompt_hash", "words_hash", "digest", "prompts"),
    *("engine_name", "engine_version", "code_version", "language", "status", "method", "preset"),
    *("entity", "class", "role", "answer", "stated_item", "stated_activity", "stated_placed"),
    *("verb", "argument", "parse_status", "code", "params", "message", "location", "item", "did"),
    *("conditions", "certificate", "content", "figure_reason", "rv_source", "rv_reason"),
    *("scope", "figure", "stage", "event", "action", "cells", "ended", "explains", "playbook"),
    *("mode", "rater", "handed_from", "skip_reason", "first_skip_reason", "rule_version"),
    *("first_rule_version", "saved_rule_version", "presentation", "ask_source", "source_guess"),
    *("first_source_guess", "opinions", "stratum", "purpose"),
}
HJSTUDYS = {"source"}  # where it says which engine a variant is of
MADE: dict[str, set[str]] = {
    **dict.fromkeys(EXPORT_COLUMNS, EVERYWHERE),
    **dict.fromkeys(("block", "episode", "baseline", "variant"), EVERYWHERE | HJSTUDYS),
    "model_episode": EVERYWHERE | HJSTUDYS | {"unit"},
    "model_turn": EVERYWHERE | {"unit"},
    "model_result": (EVERYWHERE | HJSTUDYS) - {"task", "lexicon"},  # as the file names them
    "summary": EVERYWHERE | {"reason"},
    "flow": EVERYWHERE | {"reason"},
    "seat": EVERYWHERE | {"reason"},
}
TYPED = {**FIELDS, "item": ("text",)}  # table -> columns of texts that researchers read
COPIED = {("model_episode", "label"), ("model_result", "model")}  # into the certificate


def searched(table: str) -> dict[str, int]:
    """Return the columns of a table that are searched -> their places."""
    columns = enumerate(EXPORT_COLUMNS[table])
    made = MADE[table]
    return {one.name: at for at, one in columns if one.kind == "text" and one.name not in made}


def of_study(study: StudyView) -> Iterator[tuple[str, str, str]]:
    """Yield (file, field of the study file, text) of what the files that are no tables quote."""
    yield "every file", "slug", study.slug
    yield ABOUT, "title", study.title
    for name, text in study.spec.baseline.model_dump().items():
        yield ABOUT, f"baseline.{name}", text
    for name in TEXTS:
        yield "README.md", f"texts.{name}", getattr(study.spec.texts, name)


def of_game(spec: StudySpec) -> Iterator[tuple[str, str]]:
    """Yield (field, text) of each name and word in a study's own tasks and lexica."""
    for field, data in (("tasks", spec.tasks), ("lexica", spec.lexica)):
        yield from ((field, text) for text in texts_in(data))


def texts_in(data: Any) -> Iterator[str]:
    """Yield every text in nested lists and mappings, keys included."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for key, value in data.items():
            yield from (str(key), *texts_in(value))
    elif isinstance(data, list | tuple):
        for one in data:
            yield from texts_in(one)


class Place(NamedTuple):
    """Where something was found. `file`: a table, or names of other files."""

    file: str
    column: str
    kind: str


class Unread:
    """Texts in one place that leave without anyone having read them.

    `texts`: different ones, up to MOST_KNOWN. `marked`: rows in which something was found.
    """

    def __init__(self) -> None:
        self.rows = self.marked = 0
        self.texts = set[int]()

    def see(self, text: str, *, is_marked: bool) -> None:
        """Count a text."""
        self.rows += 1
        self.marked += is_marked
        if len(self.texts) < MOST_KNOWN:
            self.texts.add(hash(text))


class Search:
    """Searches what nobody reads text by text. Of each place, it keeps at most MOST_ROWS rows."""

    def __init__(self, source: Source) -> None:
        self._gate, self._source = source.gate, source
        ours = set(words_of(Texts().model_dump_json()))  # "page" is a name too
        self._names = NameMarker(source.game_words | ours, source.study.spec.language)
        self._known: dict[str, tuple[str, ...]] = {}
        self._counts = Counter[Place]()
        self._rows: dict[Place, list[int]] = defaultdict(list)
        self._copied = set[str]()
        self._unread: dict[tuple[str, str], Unread] = defaultdict(Unread)
        self._unsearchable = unsearchable.people_of(source.db, source.study.id)
        self._theirs = Counter[tuple[str, str]]()  # (table, column) -> rows of these people
        self._study_texts()

    def kinds(self, text: str) -> tuple[str, ...]:
        """Return which of KINDS a text holds."""
        found = self._known.get(text)
        if found is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            found = self._known[text] = tuple(self._kinds(text))
        return found

    def _kinds(self, text: str) -> Iterator[str]:
        if self._gate.holds_id(text):
            yield HOLDS_ID
        if holds_email(text):
            yield HOLDS_EMAIL
        if holds_phone(text):
            yield HOLDS_PHONE
        elif holds_long_number(text):
            yield LONG_NUMBER
        if self._names.marks(text):
            yield NAME

    def see(self, file: str, column: str, text: str, row: int = 0) -> None:
        """Search a text. `row`: of the file, from 1 after the header; 0 = not a table."""
        found = self.kinds(text)
        self._unread[file, column].see(text, is_marked=bool(found))
        for kind in found:
            self._name(Place(file, column, kind), row)

    def _name(self, place: Place, row: int) -> None:
        self._counts[place] += 1
        if row and len(self._rows[place]) < MOST_ROWS:
            self._rows[place].append(row)

    def rows(self, table: str, rows: Iterable[list[Any]]) -> Iterator[list[Any]]:
        """Yield the rows of a table, searched."""
        place = {column.name: at for at, column in enumerate(EXPORT_COLUMNS[table])}
        wanted, state, who = searched(table), place.get("release"), place.get("participant_id")
        texts = set(TYPED.get(table, ()))
        sent = [(name, place[name]) for name in SENT.get(table, ())]
        for number, row in enumerate(rows, start=1):
            is_read, own = state is not None and row[state], "" if who is None else row[who]
            for name, at in wanted.items():
                text = row[at]
                if not text or (own and is_made_from(text, own)):
                    continue
                if name in texts and own in self._unsearchable:
                    self._theirs[table, name] += 1
                if not is_read or name not in texts:
                    self.see(table, name, text, number)
                    self._see_copy(table, name, text)
            for name, at in sent:
                if (row[at] or 0) >= LARGE and not is_time(row[at], row[place["received_ms"]]):
                    self._name(Place(table, name, LONG_NUMBER), number)
            yield row

    def _see_copy(self, table: str, name: str, text: str) -> None:
        """Search the name of a model once more, where the certificate has it."""
        if (table, name) in COPIED and text not in self._copied:
            self._copied.add(text)
            self.see(CERTIFICATE, "models", text)

    def _study_texts(self) -> None:
        """Search the study's own texts that go into files, and the names in every table."""
        study = self._source.study
        for file, field, text in of_study(study):
            if text.strip():
                self.see(file, field, text)
        designs = dump_figures.designs(self._source.db, study.id).values()
        words = {one for text in designs for one in of_game(parse_spec(text))}
        for column, text in sorted(words):
            self.see(GAME, column, text)

    def unread(self) -> list[dict[str, Any]]:
        """Return where texts leave that nobody has read, and how many."""
        return [
            {"file": file, "column": column, "rows": one.rows, "texts": len(one.texts),
             "marked": one.marked}
            for (file, column), one in self._unread.items()
        ]  # fmt: skip

    def unsearchable(self) -> dict[str, Any]:
        """Return of how many people no ID can be found, by reason, and where they have texts."""
        return {
            "people": unsearchable.counted(self._unsearchable),
            "texts": [
                {"file": table, "column": column, "rows": number}
                for (table, column), number in self._theirs.items()
            ],
        }

    def facts(self) -> list[dict[str, Any]]:
        """Return what was found: file, column, kind, number of rows, and the first rows."""
        return [
            {**place._asdict(), "rows": number, "listed": self._rows.get(place, [])}
            for place, number in self._counts.items()
        ]


def is_made_from(text: str, own: str) -> bool:
    """Tell whether a text is an ID that is made from a person's random ID."""
    return text.startswith(own) and OWN_ID.fullmatch(text, len(own)) is not None


def is_time(number: int, now_ms: int) -> bool:
    """Tell whether a number from a browser is the time, to the day."""
    return abs(number - now_ms) <= DAY_MS
