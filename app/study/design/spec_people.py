"""The parts of a study file about people: questions, checks, clocks, pay, quotas, identifiers."""

import re
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator

from app.study.design.formula import FormulaError, check_formula
from app.study.design.spec_parts import Line, Strict, is_stored

KEY = r"^[a-z][a-z0-9_]{0,47}$"
CURRENCY = r"^[A-Z]{3}$"
QuestionKind = Literal["choice", "number", "text"]
QUESTION_KINDS: tuple[QuestionKind, ...] = get_args(QuestionKind)
WHOLE = re.compile(r"-?[0-9]{1,10}")  # how a whole number is typed


def group_name(text: str) -> str:
    """Refuse tags that cannot be used in links, file names and tables."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", text):
        raise ValueError("use a-z, 0-9, _ and - for a group, at most 64 characters")
    return text


Group = Annotated[str, AfterValidator(group_name)]


def are_distinct(options: tuple[str, ...]) -> bool:
    """Tell whether no option is empty and no two differ only in spaces, which forms change."""
    words = {tuple(option.split()) for option in options}
    return () not in words and len(words) == len(options)


class Question(Strict):
    """A background question. With `answer` it is an attention check, which rejects no one."""

    key: str = Field(
        pattern=KEY, description="names the question in exports: the value of `answer.question`"
    )
    label: str = Field(min_length=1, max_length=1000)
    kind: QuestionKind = "text"
    options: tuple[Line, ...] = Field((), max_length=50, description="of a choice")
    required: bool = True
    least: int | None = Field(None, ge=-(10**9), le=10**9, description="of a number")
    most: int | None = Field(None, ge=-(10**9), le=10**9, description="of a number")
    answer: Line | None = Field(None, max_length=200, description="makes it an attention check")
    screen_out: tuple[Line, ...] = Field((), description="options that end the study")

    @model_validator(mode="after")
    def fits_its_kind(self, info: ValidationInfo) -> "Question":
        """Refuse options for other kinds, and expected answers that no one can give."""
        if (self.kind == "choice") != bool(self.options):
            raise ValueError(
                "options: only a choice has them, and needs them: set kind (Answer) to choice, or "
                "remove them"
            )
        if not are_distinct(self.options):
            raise ValueError("options: one is empty or occurs twice")
        if self.kind == "choice" and self.answer is not None and self.answer not in self.options:
            raise ValueError("answer: must be one of the options")
        if not set(self.screen_out) <= set(self.options):
            raise ValueError("screen_out: must be among the options")
        if self.least is not None and self.most is not None and self.least > self.most:
            raise ValueError("least: is larger than most")
        fault = "" if self.answer is None or is_stored(info) else self.fault_of(self.answer)
        if fault:
            raise ValueError(f"answer: {fault}")
        return self

    def admits(self, number: int) -> bool:
        """Return whether a number is within the bounds."""
        too_small = self.least is not None and number < self.least
        return not too_small and (self.most is None or number <= self.most)

    def fault_of(self, answer: str) -> str:
        """Return why no one can give this answer and pass; '' if someone can."""
        match self.kind:
            case "choice":
                return "is also in screen_out, so it ends the study" * (answer in self.screen_out)
            case "number":
                return self.fault_of_number(answer)
            case "text":
                return "" if answer else "is empty; leave the field out if any answer will do"

    def fault_of_number(self, answer: str) -> str:
        """Return why an answer is not the stored form of a number within the bounds."""
        if not WHOLE.fullmatch(answer) or str(int(answer)) != answer:
            return "must be a whole number of at most 10 digits (0-9), without leading zeros"
        if self.admits(int(answer)):
            return ""
        if self.least is not None and self.most is not None:
            return f"must be a whole number from {self.least} to {self.most}"
        bound = f"{self.most} or less" if self.least is None else f"{self.least} or more"
        return f"must be a whole number, {bound}"


class Check(Strict):
    """A comprehension question: single choice with one right answer."""

    key: str = Field(pattern=KEY)
    label: str = Field(min_length=1, max_length=1000)
    options: tuple[Line, ...] = Field(min_length=2, max_length=20)
    answer: Line = Field(description="the right option, word for word")

    @model_validator(mode="after")
    def answer_is_an_option(self) -> "Check":
        """Refuse a right answer that is not an option."""
        if self.answer not in self.options or not are_distinct(self.options):
            raise ValueError("answer: must be one of the options, which must all be different")
        return self


class Questions(Strict):
    """All questions around the game."""

    before: tuple[Question, ...] = Field((), max_length=50)
    comprehension: tuple[Check, ...] = Field((), max_length=20)
    comprehension_tries: int = Field(3, ge=1, le=10)
    after: tuple[Question, ...] = Field((), max_length=50)
    comment: bool = Field(default=True, description="ask for an end comment")

    @model_validator(mode="after")
    def keys_are_unique(self) -> "Questions":
        """Refuse two questions with the same key, which is a column name ('comment' is taken).

        Also refuse to screen people out after the game.
        """
        seen, wrong = {"comment"}, []
        for part in ("before", "comprehension", "after"):
            for number, one in enumerate(getattr(self, part)):
                if one.key in seen:
                    wrong.append(f"{part}.{number}.key: '{one.key}' occurs twice")
                seen.add(one.key)
        for number, one in enumerate(self.after):
            if one.screen_out:  # by then they have done all the work
                wrong.append(
                    f"after.{number}.screen_out: people can be screened out only before the game"
                )
        if wrong:
            raise ValueError("\n".join(wrong))
        return self


class Clocks(Strict):
    """Time limits, counted from the last action unless stated otherwise."""

    seat_minutes: int = Field(60, ge=5, le=10_080, description="how long a seat is reserved")
    untouched_minutes: int = Field(
        10, ge=1, le=10_080, description="the same for people who have only consented"
    )
    idle_minutes: int = Field(
        30, ge=1, le=10_080, description="a longer gap is active time only up to this limit"
    )
    session_hours: int = Field(24, ge=1, le=8_760, description="from consent to the end")
    resume_hours: int = Field(24, ge=1, le=8_760, description="how long people can come back")
    warn_minutes: int = Field(10, ge=0, le=1_440, description="warning before the time limit")


class Pay(Strict):
    """Pay in integer cents; the bonus is a formula over named metrics."""

    currency: str = Field("GBP", pattern=CURRENCY)
    base_cents: int = Field(0, ge=0, le=10_000_000, description="for finishing")
    hourly_cents: int = Field(0, ge=0, le=10_000_000, description="time-based pay, per hour")
    max_paid_minutes: int = Field(120, ge=1, le=10_000, description="cap on time-based pay")
    bonus: Line = Field("", max_length=500, description="such as `50 * successes + 100 * ecsr`")
    bonus_cap_cents: int = Field(0, ge=0, le=10_000_000, description="0 = no bonus above 0")

    @field_validator("base_cents", "hourly_cents", "bonus_cap_cents", mode="before")
    @classmethod
    def cents_are_whole(cls, value: Any, info: ValidationInfo) -> Any:
        """Refuse `4.00`, which would be read as 4 cents."""
        if not is_stored(info) and (isinstance(value, float) or "." in str(value)):
            raise ValueError("enter whole cents: 400 for 4.00")
        return value

    @field_validator("bonus")
    @classmethod
    def bonus_can_be_computed(cls, value: str, info: ValidationInfo) -> str:
        """Refuse a formula that is more than arithmetic over the metrics."""
        if not is_stored(info):
            try:
                check_formula(value)
            except FormulaError as error:
                raise ValueError(error.message) from error
        return value


class People(Strict):
    """How many people take part, who is excluded, and what happens when they leave."""

    quota: int | None = Field(None, ge=1, le=1_000_000, description="finished + live people")
    burst: int | None = Field(
        None, ge=1, le=10_000, description="people who may enter at once from one address"
    )
    cell_quota: int | None = Field(None, ge=1, le=1_000_000, description="the same for each cell")
    resume: Literal["id", "link"] = Field("id", description="what opens a person's place again")
    require: Literal["nothing", "id", "signature"] = Field(
        "nothing", description="what a link must carry to enter"
    )
    groups: tuple[Group, ...] = Field((), max_length=50, description="tags that links may carry")
    exclude_studies: tuple[Line, ...] = Field((), max_length=100, description="slugs")
    withdrawal: Literal["erase", "keep"] = "erase"
    identifiers_days: int = Field(
        90, ge=1, le=3_650, description="how long they are kept after a person's part ends"
    )
    process_data: bool = Field(default=True, description="focus, pastes, keystrokes, viewport")


class Baseline(Strict):
    """The human-baseline checklist, in the researcher's own words; printed in exports."""

    population: str = Field("", max_length=2000)
    recruitment: str = Field("", max_length=2000)
    sampling: str = Field("", max_length=2000)
    power: str = Field("", max_length=2000)
    preregistration: str = Field("", max_length=2000)
    ethics: str = Field("", max_length=2000)
    pay: str = Field("", max_length=2000)
    training: str = Field("", max_length=2000)
    ai_use: str = Field("", max_length=2000)
    effort_limits: str = Field("", max_length=2000)
    exclusions: str = Field("", max_length=2000)
    instructions: str = Field("", max_length=2000)
    interface: str = Field("", max_length=2000)
    release: str = Field("", max_length=2000)

    @field_validator("*", mode="before")
    @classmethod
    def plain(cls, value: object) -> object:
        """Accept numbers and yes/no as text."""
        return value if value is None or isinstance(value, str) else str(value)
