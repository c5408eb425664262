"""The planner's form: parsed into a pool and assumptions, from which a plan is made."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.scoring import planner
from app.scoring.planner import Assumed, Plan, PlanError
from app.store.rating import judges
from app.store.rating.scales import LEVELS
from app.study.rating import sample_draws

TYPED = "typed"  # the pool is typed, not a judge's scores
DEFAULTS = {
    "pool": TYPED,
    **{f"level_{level}": "" for level in LEVELS},
    "width": "0.2",
    "judge_right": "0.75",
    "rater_right": "0.85",
    "seed": "1",
}
MOST, LONGEST = 10_000_000, 12  # of a number, and of its digits


class PlanFormError(StudyError):
    """The form is not valid; `problems` says why, field by field."""

    code = "planner/form"

    def __init__(self, problems: dict[str, str]) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Choice:
    """A pool to choose: one judge's scores."""

    value: str
    label: str


def choices(db: Connection, study_id: int) -> list[Choice]:
    """Return the pools to choose from."""
    runs = judges.runs(db, study_id)
    names = judges.labels(runs)
    return [Choice(str(run.number), f"scores by {names[run.id]}") for run in runs]


def make(db: Connection, study_id: int, typed: Mapping[str, str]) -> Plan:
    """Return the plan for the form. Raises PlanFormError."""
    problems: dict[str, str] = {}
    wished = read_share(typed, "width", problems, most=1.99)
    assumed = Assumed(
        read_share(typed, "judge_right", problems, most=1),
        read_share(typed, "rater_right", problems, most=1),
    )
    seed = read_whole(typed, "seed", problems)
    pool = read_pool(db, study_id, typed, problems)
    if problems:
        raise PlanFormError(problems)
    try:
        return planner.plan(pool, wished, scale=LEVELS, assumed=assumed, seed=seed)
    except PlanError as error:
        raise PlanFormError({"pool": error.message}) from error


def read_pool(
    db: Connection, study_id: int, typed: Mapping[str, str], problems: dict[str, str]
) -> dict[tuple[int, str], int]:
    """Return (level, source) -> number, from a judge's scores or as typed (one source)."""
    chosen = typed.get("pool", TYPED)
    if chosen == TYPED:
        return {
            (level, ""): read_whole(typed, f"level_{level}", problems, empty=0) for level in LEVELS
        }
    run = next((run for run in judges.runs(db, study_id) if str(run.number) == chosen), None)
    if run is None:
        problems["pool"] = "Choose a judge from the list, or enter the numbers below."
        return {}
    scores = [
        (level, row.source)
        for row in judges.scores(db, run.id)
        if (level := level_of(row)) is not None
    ]
    return dict(Counter(scores))


def level_of(row: Any) -> int | None:
    """Return a judge's score of an item, or the rounded mean of its criteria."""
    found = sample_draws.level_of(row, "score")
    return sample_draws.level_of(row, sample_draws.MEAN) if found is None else found


def read_share(typed: Mapping[str, str], name: str, problems: dict[str, str], most: float) -> float:
    """Parse a number above 0 and at most `most`; note a problem if it is not one."""
    try:
        value = float(typed.get(name, "").replace(",", "."))
    except ValueError:
        value = 0.0
    if not 0 < value <= most:
        problems[name] = f"Enter a number above 0 and at most {most:g}, such as {DEFAULTS[name]}."
    return value


def read_whole(
    typed: Mapping[str, str], name: str, problems: dict[str, str], empty: int | None = None
) -> int:
    """Parse a whole number from 0; note a problem if it is not one."""
    text = typed.get(name, "").strip()
    if not text and empty is not None:
        return empty
    if not (text.isascii() and text.isdecimal() and len(text) <= LONGEST) or int(text) > MOST:
        problems[name] = f"Enter a whole number from 0 to {MOST:,}."
        return 0
    return int(text)
