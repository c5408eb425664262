"""The study file that researchers write (YAML), checked field by field.

docs/study-file.md documents each field.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from pydantic import Field, ValidationError, ValidationInfo, field_validator, model_validator

from app.counted import counted
from app.errors import FieldError, StudyError
from app.game.lexicon import parse_lexicon
from app.game.model import Task
from app.game.tasks import TASKS, task_from_dict
from app.languages.catalogue import ENGLISH, LANGUAGES
from app.study.design import arms, sources, task_advice, yaml_text
from app.study.design.default_texts import with_default_texts
from app.study.design.faults import Fault, at_lines, faults_of
from app.study.design.seeds import MAX_SEED, parse_seeds
from app.study.design.sources import OWN
from app.study.design.spec_parts import (
    DEFAULT_WORLDS,
    BlockSpec,
    Codes,
    Line,
    Options,
    RuleForm,
    Strict,
    Texts,
    is_stored,
)
from app.study.design.spec_people import Baseline, Clocks, Pay, People, Questions

BOTS = "bots"  # the kind of a study whose participants are bots
SLUG = r"^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$"

__all__ = ["MAX_SEED", "CellSpec", "StudySpec", "check_study", "parse_seeds", "parse_study"]


class StudySpec(Strict):
    """A whole study file."""

    slug: str = Field(pattern=SLUG, description="name in the address: a-z, 0-9, -")
    title: Line = Field(min_length=1, max_length=200)
    kind: Literal["demo", "pilot", "real", "bots"] = "pilot"
    language: str = Field(ENGLISH, description="of the pages that players see")
    seed: int = Field(0, ge=0, le=MAX_SEED)
    blocks: tuple[BlockSpec, ...] = Field(min_length=1, max_length=500)
    per_player: int = Field(DEFAULT_WORLDS, ge=1, le=100, description="blocks each player plays")
    order: Literal["balanced", "latin", "fixed"] = "balanced"
    between: arms.Between = Field(arms.NONE, description="what differs only between players")
    rule_form: RuleForm = RuleForm()
    texts: Texts = Texts()
    codes: Codes = Codes()
    options: Options = Options()
    questions: Questions = Questions()
    clocks: Clocks = Clocks()
    payment: Pay = Pay()
    people: People = People()
    baseline: Baseline = Baseline()
    tasks: tuple[dict[str, Any], ...] = Field((), description="own tasks, as in docs/task-file.md")
    lexica: dict[str, dict[str, Any]] = Field({}, description="own lexica, by name")

    @model_validator(mode="after")
    def tasks_exist(self) -> "StudySpec":
        """Check names against definitions, and that there are enough cells for a player."""
        known = {**TASKS, **self.own_tasks()}
        lexica = (*task_advice.LEXICA, *self.lexica)
        wrong, seen = [], set[str]()
        for number, block in enumerate(self.blocks):
            if block.task not in known:
                names = ", ".join(known)
                fault = f"unknown task '{block.task}'" if block.task else "choose a task"
                wrong.append(f"blocks.{number}.task: {fault} ({names})")
            if block.lexicon not in lexica:
                fault = f"unknown lexicon '{block.lexicon}' ({', '.join(lexica)})"
                wrong.append(f"blocks.{number}.lexicon: {fault}")
            keys = {cell.key for cell in self.cells_of(block)}
            if keys & seen:
                wrong.append(f"blocks.{number}.seeds: {min(keys & seen)} occurs twice")
            seen |= keys
        wrong += sources.faults([block.source for block in self.blocks])
        if self.per_player > len(seen):
            worlds = counted(len(seen), "world is", "worlds are")
            more = "add seeds or lines to the cells (blocks)"
            wrong.append(f"per_player: only {worlds} defined: {more}, or use {len(seen)} here")
        elif not wrong:
            wrong += arms.faults(self.cells(), self.between, self.per_player)
        if wrong:
            raise ValueError("\n".join(wrong))
        return self

    @field_validator("lexica")
    @classmethod
    def lexica_are_whole(
        cls, value: dict[str, dict[str, Any]], info: ValidationInfo
    ) -> dict[str, dict[str, Any]]:
        """Check the file's own lexica with the game's reader, and their names in new files."""
        check_names(value, "lexicon", info)
        for name, data in value.items():
            try:
                parse_lexicon(json.dumps({**data, "name": name}))
            except FieldError as error:
                raise ValueError(f"{name}.{error.field}: {error.problem}") from error
        return value

    @field_validator("tasks")
    @classmethod
    def tasks_are_whole(
        cls, value: tuple[dict[str, Any], ...], info: ValidationInfo
    ) -> tuple[dict[str, Any], ...]:
        """Check the file's own tasks with the game's reader, and their names in new files."""
        for number, data in enumerate(value):
            try:
                task_from_dict(data)
            except FieldError as error:
                raise ValueError(f"{number}.{error.field}: {error.problem}") from error
        check_names([str(data["name"]) for data in value], "task", info)
        return value

    @field_validator("language")
    @classmethod
    def language_is_offered(cls, value: str) -> str:
        """Refuse a language without a complete catalogue."""
        if value not in LANGUAGES:
            raise ValueError(f"use one of {', '.join(LANGUAGES)}")
        return value

    @model_validator(mode="before")
    @classmethod
    def texts_are_in_its_language(cls, data: Any, info: ValidationInfo) -> Any:
        """Fill in missing texts in the language of the study."""
        return data if is_stored(info) else with_default_texts(data)

    @model_validator(mode="before")
    @classmethod
    def text_can_be_stored(cls, data: Any) -> Any:
        """Refuse characters that cannot be stored; convert line ends to LF."""
        path = odd_text(data, "")
        if path:
            raise ValueError(f"{path}: contains a character that cannot be stored")
        return with_plain_ends(data)

    @field_validator("tasks", "lexica", mode="before")
    @classmethod
    def read_text(cls, value: Any, info: ValidationInfo) -> Any:
        """Accept own tasks and lexica as data, or as YAML or JSON text."""
        if not isinstance(value, str):
            return value
        try:
            found = yaml_text.read(value).data
        except yaml_text.YamlError as error:
            raise ValueError(error.message) from error
        return found if found is not None else {"tasks": (), "lexica": {}}[str(info.field_name)]

    def own_tasks(self) -> dict[str, Task]:
        """Return the tasks defined in the file itself, by name."""
        found = [task_from_dict(data) for data in self.tasks]
        return {task.name: task for task in found}

    @property
    def is_of_bots(self) -> bool:
        """Tell whether its participants are bots."""
        return self.kind == BOTS

    @property
    def has_practice(self) -> bool:
        """Tell whether a practice comes first; it would teach other rules than the package's."""
        return self.options.practice and all(block.source == OWN for block in self.blocks)

    def cells(self) -> list["CellSpec"]:
        """Return every cell of the design, in the order of the file."""
        return [cell for block in self.blocks for cell in self.cells_of(block)]

    def cells_of(self, block: BlockSpec) -> list["CellSpec"]:
        """Return the cells of one line of the design."""
        quota = block.quota if block.quota is not None else self.people.cell_quota
        shape = (block.lexicon, block.coverage, block.distractors, block.format, quota)
        return [CellSpec(block.task, seed, *shape, block.source) for seed in block.seeds]

    def canonical(self) -> str:
        """Return the file as canonical JSON (sorted keys), with defaults filled in."""
        return json.dumps(self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)

    def consent_hash(self) -> str:
        """Return the sha256 of the consent text and its version."""
        text = f"{self.texts.consent_version}\n{self.texts.consent}"
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class CellSpec:
    """One variant of the design: task x seed x lexicon x coverage x format x source.

    `quota`: maximum number of finished and live people; None = no limit.
    """

    task: str
    seed: int
    lexicon: str = "semantic"
    coverage: str = "1"
    distractors: int = 4
    format: str = "episodic"
    quota: int | None = None
    source: str = OWN

    @property
    def key(self) -> str:
        """Return the cell's name in stored rows."""
        base = f"{self.task}/{self.seed}/{self.lexicon}/{self.coverage}"
        parts = [base] if self.format == "episodic" else [base, self.format]
        return "/".join(parts if self.source == OWN else [*parts, self.source])


class StudyFileError(StudyError):
    """The study file is invalid; the message lists each field and what to do."""

    code = "study/file"

    def __init__(self, message: str, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(message)
        self.faults = faults or (Fault("", message),)


def parse_study(text: str) -> StudySpec:
    """Read a study file. Raises StudyFileError: one line per invalid field, with its line."""
    try:
        data, lines = yaml_text.read(text)
    except yaml_text.YamlError as error:
        problem = error.problem if error.path else f"{error.problem[:1].upper()}{error.problem[1:]}"
        fault = Fault(error.path, problem)
        raise StudyFileError(str(fault), (fault,)) from error
    if not isinstance(data, dict):
        raise StudyFileError("The study file must be a mapping with slug, title, blocks, ...")
    try:
        return check_study(data)
    except StudyFileError as error:
        faults = at_lines(error.faults, lines)
        raise StudyFileError("\n".join(map(str, faults)), faults) from error


def check_study(data: dict[str, Any], *, stored: bool = False) -> StudySpec:
    """Check a study given as a mapping. Raises StudyFileError, with one line per invalid field.

    `stored`: it was checked when it was stored, so later rules must not stop its participants.
    """
    try:
        return StudySpec.model_validate(data, context={"stored": stored})
    except ValidationError as error:
        faults = tuple(faults_of(error, StudySpec))
        raise StudyFileError("\n".join(map(str, faults)), faults) from error


@lru_cache(maxsize=256)
def parse_spec(text: str) -> StudySpec:
    """Read a stored design (canonical JSON); cached, since equal texts give equal designs."""
    return check_study(json.loads(text), stored=True)


def check_names(names: Iterable[str], kind: str, info: ValidationInfo) -> None:
    """Refuse names of own tasks or lexica that are taken, except in stored designs."""
    problem = task_advice.taken(names, kind)
    if problem and not (info.context or {}).get("stored"):
        raise ValueError(problem)


def odd_text(value: Any, path: str) -> str:
    """Return the path of the first text that cannot be stored or shown, or ''.

    Databases reject NUL and half a surrogate pair; pages cannot show control characters.
    """
    if isinstance(value, str):
        odd = any((sign < " " and sign not in "\t\n\r") or is_half(sign) for sign in value)
        return path if odd else ""
    if isinstance(value, dict):
        pairs: Any = value.items()
    else:
        pairs = enumerate(value) if isinstance(value, (list, tuple)) else ()
    inner = (odd_text(one, f"{path}.{key}" if path else str(key)) for key, one in pairs)
    return next((found for found in inner if found), "")


def is_half(sign: str) -> bool:
    """Tell whether a character is half a surrogate pair."""
    return "\ud800" <= sign <= "\udfff"


def with_plain_ends(value: Any) -> Any:
    """Return the data with LF for every line end, whether from a form or a file."""
    if isinstance(value, str):
        return value.replace("\r\n", "\n").replace("\r", "\n")
    if isinstance(value, dict):
        return {key: with_plain_ends(one) for key, one in value.items()}
    return [with_plain_ends(one) for one in value] if isinstance(value, (list, tuple)) else value
