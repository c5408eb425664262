"""Import of explanations by models: read, checked line by line, then stored all at once."""

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.errors import FieldError, GameError
from app.game.certify import certify
from app.game.variant import normal_coverage
from app.progress import Track, untracked
from app.store.base import AnyRow
from app.store.bulk import Incoming
from app.store.db import Store
from app.store.design import studies, variants
from app.store.rating import items
from app.study import table_file
from app.study.design.certificate import certificate_json
from app.study.design.library import Library
from app.study.design.spec import MAX_SEED, CellSpec
from app.study.design.studies import StudyView, make_variant, stored_row
from app.study.rating import player_items
from app.study.table_cells import read_whole
from app.study.table_file import Line, check_whole
from app.study.tickets import once

LIMIT = 20_000  # characters per explanation
MAX_ID, MAX_SOURCE = 200, 128
COLUMNS = ("id", "source", "task", "seed", "lexicon", "coverage", "variant_hash", "cluster", "text")
PART_COLUMNS = tuple(name for _, name in player_items.PARTS)  # in place of the text
ALIASES = {"item": "id", "external_id": "id", "model": "source", "explanation": "text"}
PLAYERS_ID = re.compile(r".+-w\d+-r\d+")


@dataclass(slots=True)
class Found(table_file.Found):
    """What an import of explanations would do; see `table_file.Found`."""

    warnings: list[str] = field(default_factory=list)
    variants: dict[str, dict[str, object]] = field(default_factory=dict)

    def table(self) -> list[tuple[str, str, int]]:
        """Return (source, task, number) of the new items."""
        numbers = Counter((one["source"], one["task"]) for one in self.new)
        return [(*key, number) for key, number in sorted(numbers.items())]

    def facts(self) -> dict[str, Any]:
        """Return what the preview shows."""
        return {"new": len(self.new), "same": self.same, "table": self.table(), "judges": []}


class Reader(table_file.Reader[Found]):
    """Reader of the lines of one file for one study; makes each variant once."""

    def __init__(self, db: Connection, study: StudyView, library: Library, now: datetime) -> None:
        self.db, self.study, self.library, self.now = db, study, library, now
        super().__init__(Found(), items.known(db, study.id))
        self._hashes: dict[tuple[str, int, str, str], str | GameError] = {}

    def key(self, row: dict[str, Any]) -> str:
        """Return the ID."""
        return str(row["external_id"])

    def twice(self, row: dict[str, Any], line: int) -> str:
        """Return the message for a repeated ID."""
        return f"the id '{row['external_id']}' is already on line {line}"

    def changed(self, old: AnyRow, row: dict[str, Any]) -> str:
        """Return the message for an ID stored with another text, source or rule, or ''."""
        found = difference(old, row)
        name = row["external_id"]
        return f"the item '{name}' is already stored with a different {found}" if found else ""

    def row(self, line: Line) -> dict[str, Any]:
        """Return the item of a line. Raises FieldError, GameError."""
        name, source = line.get("id"), line.get("source")
        text = text_of(line)
        for key, value, limit in (("id", name, MAX_ID), ("source", source, MAX_SOURCE)):
            if not value or len(value) > limit or not value.isprintable():
                raise FieldError(key, f"must have 1 to {limit} printable characters")
        if PLAYERS_ID.fullmatch(name):
            raise FieldError(
                "id", f"'{name}' looks like the ID of a player's explanation (-w1-r1); use another"
            )
        if source == items.PLAYERS:
            raise FieldError("source", f"'{source}' is reserved for the study's players")
        if not text.strip() or len(text) > LIMIT:
            raise FieldError("text", f"must have 1 to {LIMIT:,} characters, but has {len(text):,}")
        cell = self.cell(line)
        return {
            "study_id": self.study.id,
            "external_id": name,
            "kind": items.MODEL,
            "explanation_id": None,
            "participant_id": None,
            "source": source,
            "cluster": line.get("cluster") or f"{source}|{cell['variant_hash'][:16]}",
            **cell,
            "text": text,
            "is_erased": False,
        }

    def cell(self, line: Line) -> dict[str, Any]:
        """Return the variant of a line, by hash or by task, seed and so on."""
        given = line.get("variant_hash")
        if given:
            try:
                variant = self.library.variant(self.db, given)
            except KeyError:
                raise FieldError("variant_hash", "no variant with this hash is stored") from None
            task, seed = variant.task.name, variant.seed
            if line.get("task") not in {"", task}:
                raise FieldError("task", f"the variant with this hash has {task}")
            if line.get("seed") and read_seed(line.get("seed")) != seed:
                raise FieldError("seed", f"the variant with this hash has {seed}")
            lexicon, coverage = variant.lexicon, variant.coverage
        else:
            task, lexicon = line.get("task"), line.get("lexicon") or "semantic"
            coverage = normal_coverage(line.get("coverage") or "1")
            seed = read_seed(line.get("seed"))
            given = self.hash_of(task, seed, lexicon, coverage)
        return {
            "task": task,
            "seed": seed,
            "lexicon": lexicon,
            "coverage": coverage,
            "variant_hash": given,
        }

    def hash_of(self, task: str, seed: int, lexicon: str, coverage: str) -> str:
        """Return the hash of a variant of the study, or of one made with the study's settings."""
        key = (task, seed, lexicon, coverage)
        found = self._hashes.get(key)
        if found is None:
            try:
                found = self.make(*key)
            except GameError as error:
                found = error
            self._hashes[key] = found
        if isinstance(found, GameError):
            raise found
        return found

    def make(self, task: str, seed: int, lexicon: str, coverage: str) -> str:
        """Find or generate a variant; a generated one is stored with the import."""
        spec = self.study.spec
        cell = CellSpec(task, seed, lexicon, coverage)
        own = self.study.hashes.get(cell.key) or self.study.hashes.get(f"{cell.key}/direct")
        if own:
            return own
        try:
            variant = make_variant(spec, cell)
        except KeyError:
            raise FieldError(
                "task", f"'{task}' is neither a built-in task nor a task of this study"
            ) from None
        row = stored_row(variant, certificate_json(variant, certify(variant)), self.now)
        self.found.variants[str(row["hash"])] = row
        return str(row["hash"])


def difference(old: AnyRow, row: dict[str, Any]) -> str:
    """Return in words how a line differs from the stored item."""
    words = {"source": "source", "variant_hash": "ground truth", "text": "text"}
    return " and ".join(word for key, word in words.items() if getattr(old, key) != row[key])


def text_of(line: Line) -> str:
    """Return a line's text, or its three parts as one text. Raises FieldError: both, and unlike."""
    given, parts = line.values.get("text", ""), player_items.labelled(line.values)
    if given.strip() and parts and given.strip() != parts:
        names = ", ".join(PART_COLUMNS)
        raise FieldError("text", f"differs from the parts in {names}; give the text or the parts")
    return given or parts


def read_seed(text: str) -> int:
    """Return a seed. Raises FieldError."""
    found = read_whole(text)
    if found is None or not 0 <= found <= MAX_SEED:
        actual = f", but is '{text[:40]}'" if text else ""
        raise FieldError("seed", f"must be a whole number from 0 to {MAX_SEED:,}{actual}")
    return found


def check(
    db: Connection,
    study: StudyView,
    library: Library,
    text: str,
    now: datetime,
    track: Track = untracked,
) -> Found:
    """Return what importing a file would do, without storing it. Raises TableFileError."""
    table = table_file.read_as_work(text, (*COLUMNS, *PART_COLUMNS), ALIASES, track)
    no_rule = not {"task", "seed"} <= set(table.columns) and "variant_hash" not in table.columns
    also = ["task and seed, or variant_hash"] if no_rule else []
    written = "text" if not set(PART_COLUMNS) & set(table.columns) else PART_COLUMNS[0]
    table_file.has_columns(table, ("id", "source", written), also)
    reader = Reader(db, study, library, now)
    reader.found.problems += table.problems
    for line in track(table.lines, "Checking the lines", len(table.lines)):
        reader.take(line)
    reader.found.warnings += table.warnings
    reader.found.problems.sort(key=lambda one: one.line)
    return reader.found


def store_all(
    store: Store,
    study: StudyView,
    library: Library,
    text: str,
    by: str,
    ticket: str,
    now: datetime,
    track: Track = untracked,
) -> dict[str, int]:
    """Store a whole import, once; return {new, same}. Raises TableFileError (a line has errors).

    Locks the study's row, so that no id can be stored twice. Checks the lines before, and again
    only if the items have changed meanwhile, so that no one waits for it.
    """
    player_items.take_in(store, study.id, now)
    with store.read() as db:
        state, checked = items.state(db, study.id), check(db, study, library, text, now, track)
    incoming = Incoming(items.item, checked.new)
    with store.write(incoming) as db:
        studies.lock(db, study.id)

        def do() -> dict[str, Any]:
            player_items.gather(db, study.id, now)
            found, new = checked, incoming
            if items.state(db, study.id) != state:
                found = check(db, study, library, text, now)
                new = Incoming(items.item, found.new)
            check_whole(found.problems)
            variants.add_missing(db, found.variants.values())
            new.insert(db, imported_by=by, created_at=now)
            return {"new": len(found.new), "same": found.same}

        return once(db, ticket, f"account/{by}", now, do)
