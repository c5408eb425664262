"""The source of export rows: one snapshot of one study, and data shared by many rows."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Literal

from sqlalchemy import Connection

from app.agents.asking import hash_of
from app.agents.words import given
from app.game.expectation import episode_floors
from app.game.model import Variant
from app.game.say import is_worded_here
from app.game.view import player_view
from app.languages.catalogue import ENGLISH
from app.progress import Track, untracked
from app.store.base import AnyRow
from app.store.export import dump, dump_figures
from app.store.export.dump import Scope
from app.study.design.library import Library
from app.study.design.spec_people import QUESTION_KINDS, QuestionKind
from app.study.design.studies import StudyView
from app.study.export import (
    release,
    verify,
)
from app.study.export.row_keys import spot
from app.study.export.sent_numbers import SentNumbers
from app.study.name_marks import NameMarker, words_of

Facts = Mapping[str, Any]  # column -> value; None = missing


AnswerKind = QuestionKind | Literal["comment"]
CLOSED: tuple[AnswerKind, ...] = ("choice", "number")  # answers that cannot hold free text
# A kind that is not listed as closed is reviewed before it is shared.
FREE_TEXT = tuple(kind for kind in (*QUESTION_KINDS, "comment") if kind not in CLOSED)


MILLISECOND = timedelta(milliseconds=1)


class Source:
    """The source of the rows: one snapshot, one study, the scope, the stored variants."""

    def __init__(
        self,
        db: Connection,
        study: StudyView,
        scope: Scope,
        *,
        shareable: bool = False,
        with_prompts: bool = False,
        key: bytes = b"",
        track: Track = untracked,
    ) -> None:
        self.db, self.study, self.scope, self.track = db, study, scope, track
        self.key, self.with_prompts = key, with_prompts
        open_gate = release.Gate(shareable=False)
        self.gate = release.gate_of(db, study.id, key) if shareable else open_gate
        self.numbers = SentNumbers(db, scope, self.gate)
        self.emptied = Counter[tuple[str, str, str]]()  # (table, column, reason) -> rows
        self.library, self.versions = Library(), dump.versions(db, study.id)
        self._wrong: set[int] | None = None
        self._words: dict[tuple[str, int, str], str] = {}
        self._floors: dict[tuple[str, int], tuple[float, ...]] = {}

    def empty(
        self,
        table: str,
        facts: Facts,
        names: Iterable[str],
        reason: str,
        instead: str | None = None,
    ) -> dict[str, str | None]:
        """Return columns without their values, and count the values left out, for the report."""
        found: dict[str, str | None] = dict.fromkeys(names, instead)
        held = (name for name in found if facts[name] not in (None, ""))
        self.emptied.update((table, name, reason) for name in held)
        return found

    def replays(self, episode_id: int) -> bool:
        """Return whether an episode's stored turns match the engine's results (verified once)."""
        if self._wrong is None:
            self._wrong = verify.wrong_episodes(self.db, self.study.id, self.track)
        return episode_id not in self._wrong

    def spot(self, row: AnyRow) -> Facts:
        """Return the columns that identify the participant and the episode."""
        return {**self.who(row), **spot(row)}

    def variant(self, name: str) -> Variant:
        """Return a stored variant."""
        return self.library.variant(self.db, name)

    def floors(self, name: str, episode: int) -> tuple[float, ...]:
        """Return the bots' expected scores in one episode of a variant, in the order of FLOORS.

        Empty for a variant of another engine.
        """
        key = name, episode
        if self.variant(name).built:
            return ()
        if key not in self._floors:
            found = episode_floors(self.variant(name), episode)
            self._floors[key] = tuple(map(float, found))
        return self._floors[key]

    def kind_of(self, design_id: int, phase: str, question: str) -> AnswerKind:
        """Return the kind of a question, or free text if the design does not have it."""
        if phase == "comprehension":
            return "choice"
        spec = self.library.spec(self.db, design_id).questions
        asked = spec.before if phase == "before" else spec.after
        known = {one.key: one.kind for one in asked}
        return known.get(question, "comment")

    def words_hash(self, row: AnyRow) -> str:
        """Return the hash of an episode's words, or '' if they are from another engine version.

        They are made anew in English from the stored variant. In another language, its code comes
        first, because those words are not the ones that models read.
        """
        if not is_worded_here(row.engine_name, row.engine_version):
            return ""
        form = str(row.format or "")
        shows_budget = self.library.spec(self.db, row.design_id).options.show_budget
        language = self.language(row)
        key = row.variant_hash, row.variant_episode, f"{form} {shows_budget} {language}"
        if key not in self._words:
            variant = self.variant(row.variant_hash)
            view = player_view(variant, row.variant_episode, budget_shown=shows_budget)
            before = "" if language == ENGLISH else f"{language}\n"
            self._words[key] = hash_of(before + given(view, form))
        return self._words[key]

    def name_marker(self) -> NameMarker:
        """Return what finds possible names in texts; it knows the study's words."""
        spec = self.study.spec
        said = set(words_of(f"{self.study.title} {spec.texts.model_dump_json()}"))
        return NameMarker(self.game_words, spec.language, said)

    @cached_property
    def game_words(self) -> frozenset[str]:
        """Return the words of all variants, in small letters."""
        own = set[str]()
        for row in dump.rows(self.db, dump_figures.variants(self.scope)):
            content = json.dumps(json.loads(row.content), ensure_ascii=False)
            own |= set(words_of(content))
        return frozenset(own)

    def language(self, row: AnyRow) -> str:
        """Return the code of the language of a participant's pages."""
        return self.library.spec(self.db, row.design_id).language

    def who(self, row: AnyRow) -> dict[str, Any]:
        """Return the columns that identify the participant, and the version if known."""
        facts = {
            "study": self.study.slug,
            "participant_id": row.public_id,
            "is_test": row.is_test,
        }
        if "design_id" in row._fields:
            facts["design_version"] = self.versions.get(row.design_id)
        return facts


def between(start: datetime | None, end: datetime | None) -> int | None:
    """Return the milliseconds between two times, if both are known."""
    return None if start is None or end is None else (end - start) // MILLISECOND
