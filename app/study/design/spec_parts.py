"""The parts of a study file, each checked separately. See docs/study-file.md."""

import re
from typing import Annotated, Any, Literal
from urllib.parse import quote

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from app.errors import FieldError
from app.game.model import COVERAGES
from app.game.variant import normal_coverage
from app.languages.text import phrase
from app.study.design import sources
from app.study.design.seeds import MAX_SEED, parse_seeds
from app.study.design.sources import OWN, Source

DEFAULT_CONSENT = phrase(
    """You are invited to play a short text game for research.

You will read accounts of how earlier travellers defeated guardians, play a few short
adventures by typing commands, and then write down the rule you think lies behind them.

Taking part is voluntary. You can stop at any time by closing the page."""
)
DEFAULT_INSTRUCTIONS = phrase(
    """Each world has **guardians**. Every guardian has traits, and
what defeats it follows a hidden rule that depends on them.

1. Read the **accounts** of how earlier travellers defeated other guardians of the same world. Every
   account ends well. Some follow the rule, others follow no pattern.
2. You are then sent to a guardian that no account is about. Work out what it takes, and type
   commands to do it.
3. If you get it wrong, the attempt is over: you lose what you carried and try again.
4. **Every command costs one action**, even a mistyped one or a `check_` command. Fewer actions are
   better.
5. An attempt allows one purchase. To start over after a wrong one, go to the guardian and type
   `defeat` and its name. This attempt then fails, and you can buy something else.

Afterwards we ask you to write down the rule in your own words."""
)
DEFAULT_DEBRIEF = phrase(
    """Thank you for playing. Your answers help us learn how people find hidden rules,
and how they compare with computer programs that play the same game."""
)

DEFAULT_WORLDS = 1  # that a player visits, where a study file does not say
DEFAULTS = {  # for players who visit several worlds
    "consent": DEFAULT_CONSENT,
    "instructions": DEFAULT_INSTRUCTIONS,
    "debrief": DEFAULT_DEBRIEF,
}


class Strict(BaseModel):
    """A part of the study file: unknown fields are errors, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


def one_line(text: str) -> str:
    """Refuse line breaks in single-line fields and in entries of lists with one per line."""
    if "\n" in text or "\r" in text:
        raise ValueError("must be one line")
    return text


Line = Annotated[str, AfterValidator(one_line)]
GROUP_PARAMETER = "group"  # link parameter with the tag of the people who use the link
ENTRY_PARAMETER = "entry"  # link parameter with the signature of a signed entry link
# names that the consent form posts, or that links use for something else
TAKEN = frozenset(
    {
        *("ticket", "answer", "seen", "viewport", "test", GROUP_PARAMETER, ENTRY_PARAMETER),
        *("prolific_token", "due", "kept", "pass"),
    }
)
ID_PARAMETERS = ("PROLIFIC_PID", "participant", "workerId", "participantId")


def is_stored(info: ValidationInfo) -> bool:
    """Tell whether a stored design is read back, to which newer rules do not apply."""
    return bool(info.context and info.context.get("stored"))


def parameter_name(text: str, info: ValidationInfo) -> str:
    """Refuse names that a link parameter cannot have, or that are already in use."""
    if is_stored(info):
        return text
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_.-]{0,25}", text):
        raise ValueError("use a-z, A-Z, 0-9, _ . - and start with a letter, at most 26 characters")
    if text.casefold() in TAKEN:  # links are read in any case
        raise ValueError(f"'{text}' is taken; choose another name")
    return text


Parameter = Annotated[str, AfterValidator(parameter_name)]


class BlockSpec(Strict):
    """One line of the design: a task in one or more variants (seeds)."""

    task: str = Field(description="one of the eight tasks, or one defined under `tasks`")
    seeds: tuple[int, ...] = Field(min_length=1, max_length=1000, description="variant seeds")
    lexicon: str = Field("semantic", description="semantic, nonce, or one defined under `lexica`")
    coverage: str = Field("1", description="share of the source demonstrations that is shown")
    distractors: int = Field(4, ge=0, le=8)
    format: Literal["episodic", "direct"] = Field("episodic", description="play, or answer once")
    quota: int | None = Field(None, ge=1, le=1_000_000, description="people in each cell")
    source: Source = Field(OWN, description="hjstudy, or the authors' package")

    @model_validator(mode="after")
    def source_has_it(self, info: ValidationInfo) -> "BlockSpec":
        """Refuse what the authors' package does not have, and the package where it is missing."""
        if not is_stored(info) and (problem := sources.problem_of(self.source, dict(self))):
            raise ValueError(problem)
        return self

    @field_validator("seeds", mode="before")
    @classmethod
    def read_seeds(cls, value: Any) -> Any:
        """Accept `3`, `[0, 1]` or `0-19`."""
        if isinstance(value, (list, tuple)):
            return value
        return parse_seeds("" if value is None else str(value))

    @field_validator("seeds")
    @classmethod
    def bound_seeds(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        """Allow only seeds that fit into every database, each once."""
        if any(not 0 <= seed <= MAX_SEED for seed in value):
            raise ValueError(f"use whole numbers from 0 to {MAX_SEED}")
        if len(set(value)) < len(value):
            raise ValueError("a seed occurs twice")
        return value

    @field_validator("coverage", mode="before")
    @classmethod
    def read_coverage(cls, value: Any) -> str:
        """Map 1, 0.33, "2/3" to one of the five coverages."""
        try:
            return normal_coverage(value)
        except (FieldError, TypeError) as error:
            raise ValueError(f"use one of {', '.join(COVERAGES)}") from error


class RuleForm(Strict):
    """When the rule is asked for, and in which form."""

    when: Literal["episode", "block"] = "episode"
    parts: Literal["one", "three"] = "three"
    confidence: bool = True
    found_how: bool = True


class Texts(Strict):
    """Texts that players read, in Markdown; HTML is shown as text."""

    consent: str = Field(str(DEFAULT_CONSENT), min_length=20, max_length=20_000)
    consent_version: Line = Field("1", max_length=32)
    instructions: str = Field(str(DEFAULT_INSTRUCTIONS), min_length=20, max_length=20_000)
    debrief: str = Field(str(DEFAULT_DEBRIEF), max_length=20_000)
    contact: Line = Field("", max_length=500)
    pay: Line = Field("", max_length=500, description="what taking part pays")
    minutes: int = Field(20, ge=1, le=600, description="expected minutes")


class Codes(Strict):
    """One code per outcome, and the address to return to.

    `kind`: personal = 8 random characters from the finish transaction; static = the same for all.
    timed_out and over_quota have no code: people are asked to return their submission.
    """

    kind: Literal["static", "personal"] = "personal"
    finished: Line = Field("", max_length=64, description="the code, when kind is static")
    no_consent: Line = Field("", max_length=64)
    screened_out: Line = Field("", max_length=64)
    failed_check: Line = Field("", max_length=64)
    withdrawn: Line = Field("", max_length=64)
    technical: Line = Field("", max_length=64)
    return_url: Line = Field("", max_length=500, description="{code} is replaced by the code")

    @model_validator(mode="after")
    def static_needs_code(self) -> "Codes":
        """Refuse an empty static code, and return addresses that are not web addresses."""
        if self.kind == "static" and not self.finished:
            raise ValueError("finished: is missing; enter the static code")
        if self.return_url and not self.return_url.startswith("https://"):
            raise ValueError("return_url: must start with https://")
        return self

    def of(self, outcome: str) -> str:
        """Return the static code of an outcome, or ''."""
        return str(getattr(self, outcome, ""))

    def typed(self) -> set[str]:
        """Return every static code."""
        codes = self.model_dump(exclude={"kind", "return_url"})
        return {code for code in codes.values() if code}

    def return_link(self, code: str) -> str:
        """Return the address that submits a code to the platform, or '' if either is missing."""
        return self.return_url.replace("{code}", quote(code, safe="")) if code else ""

    def passes_on(self, code: str) -> bool:
        """Tell whether the return address hands in this code, so that no one has to paste it."""
        return "{code}" in self.return_url or quote(code, safe="") in self.return_url


class Options(Strict):
    """What players see. Each option is stored, since models do not get these."""

    show_budget: bool = True
    show_attempt: bool = True
    tap: bool = True
    sort: bool = True
    pin: bool = True
    practice: bool = True
    canary: bool = Field(default=False, description="a hidden sentence for copied pages")
    show_rule: bool = Field(default=False, description="the debrief shows the hidden rules")
    episodes_per_block: int | None = Field(None, ge=1, le=64)
    permute_outputs: bool = False
    salt: Line = Field("", max_length=128, description="secret, mixed into every seed")
    id_parameters: tuple[Parameter, ...] = Field(ID_PARAMETERS, max_length=20)
    study_parameter: Parameter = "STUDY_ID"
    session_parameter: Parameter = "SESSION_ID"
    hide_outcomes: bool = Field(default=False, description="no scores before it is closed")
    main_rv: Literal["judge", "human", "final"] = Field("final", description="ratings that count")
