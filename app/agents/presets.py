"""Two published ways to run the benchmark, fact by fact: the paper's and its package's.

Where the two differ, a run says which one it follows. `docs/models.md` prints this table, and a
test compares the two.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any


def fact(says: str) -> Any:
    """Return a field of a preset with the sentence that documents it."""
    return field(metadata={"says": says})


@dataclass(frozen=True, slots=True)
class Preset:
    """Everything in which two runs of the same method can differ, except sampling."""

    name: str
    action_tokens: int = fact("Token limit for the answer that names an action")
    answer_tokens: int = fact("Token limit for a direct answer, an explanation or a judgement")
    hypothesis_tokens: int = fact("Token limit for a hypothesis (HR, IDEA)")
    playbook_tokens: int = fact("Token limit for a reflection on a failed episode (ACE)")
    patience: int = fact(
        "Refused, failed, unreadable and empty answers in a row that end an episode"
    )
    budget_factor: int = fact("Budget of actions: reference length x n_tries x this")
    conditional_tries: int = fact("n_tries of A-Cond")
    budget_shown: bool = fact("The model reads the budget, as participants do")
    unreadable_costs: bool = fact("An unreadable or empty answer uses up an action of the budget")
    react_reasoning: bool = fact("ReAct writes its thought into the answer")
    hypothesis_sees_goal: bool = fact("The calls for a hypothesis show the goal (HR, IDEA)")
    hypotheses: int = fact("Candidate rules that HR proposes")
    refinements: int = fact("Maximum rounds in which HR checks its rule against the accounts")
    last_turns: int = fact("Latest actions that IDEA rereads after a failed attempt")
    playbook_from: str = fact("Episodes from which ACE learns: of other variants, or the same one")
    playbook_traces: int = fact("Maximum failed episodes that ACE reflects on")
    playbook_seed: int = fact("Seed for choosing among them if there are more")
    explains: str = fact(
        "What an explanation is based on: demonstrations only, or also the model's own play"
    )
    judge_temperature: float = fact("Temperature of a judge")
    rubric: str = fact("Rubric of a judge, unless another is chosen")


PAPER = Preset(
    name="paper",
    action_tokens=512,
    answer_tokens=512,
    hypothesis_tokens=512,
    playbook_tokens=512,
    patience=10,
    budget_factor=1,
    conditional_tries=6,
    budget_shown=True,
    unreadable_costs=False,
    react_reasoning=True,
    hypothesis_sees_goal=True,
    hypotheses=3,
    refinements=3,
    last_turns=5,
    playbook_from="other",
    playbook_traces=10,
    playbook_seed=42,
    explains="demonstrations",
    judge_temperature=0.0,
    rubric="overall",
)
PACKAGE = Preset(
    name="package",
    action_tokens=512,
    answer_tokens=1024,
    hypothesis_tokens=2048,
    playbook_tokens=1024,
    patience=10,
    budget_factor=2,
    conditional_tries=12,
    budget_shown=False,
    unreadable_costs=True,
    react_reasoning=False,
    hypothesis_sees_goal=False,
    hypotheses=3,
    refinements=0,
    last_turns=5,
    playbook_from="same",
    playbook_traces=10,
    playbook_seed=42,
    explains="demonstrations",
    judge_temperature=1.0,
    rubric="criteria",
)
PRESETS: Mapping[str, Preset] = {one.name: one for one in (PAPER, PACKAGE)}
PEOPLE = replace(PAPER, name="participants", explains="played")  # agents that play as people do
PEOPLE_UNTOLD = replace(PEOPLE, name="budget_hidden", budget_shown=False)
KNOWN: Mapping[str, Preset] = {**PRESETS, **{one.name: one for one in (PEOPLE, PEOPLE_UNTOLD)}}

# Start of a model's name, without its publisher -> temperature, top-p (None: not sent).
Sampling = tuple[float | None, float | None]
PAPER_SAMPLING: tuple[tuple[str, Sampling], ...] = (
    ("gpt-oss", (1.0, 0.95)),
    ("qwen", (1.0, 0.95)),
    ("olmo", (1.0, 0.95)),
    ("llama", (1.0, 0.95)),
    ("gemini", (0.1, None)),
    ("gpt", (None, None)),
    ("", (1.0, 0.95)),
)
PACKAGE_SAMPLING: Sampling = (1.0, None)


def sampling(preset: str, model: str, *, judges: bool = False) -> Sampling:
    """Return temperature and top-p that a preset uses for a model, as a player or as a judge."""
    if judges:
        return KNOWN[preset].judge_temperature, None
    if preset == PACKAGE.name:
        return PACKAGE_SAMPLING
    short = model.rpartition("/")[2].lower()
    return next(values for start, values in PAPER_SAMPLING if short.startswith(start))


def words(value: object) -> str:
    """Return a fact's value as the docs print it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


NOT_SENT = "not sent"
DISTRACTORS = {PAPER.name: 4, PACKAGE.name: 0}  # among the accounts, as published
BESIDE = (  # what a preset has no field for: sampling, and two facts that no preset changes here
    (
        "Temperature and top-p of a player",
        "by the model's name, as listed below",
        f"{PACKAGE_SAMPLING[0]} and {PACKAGE_SAMPLING[1] or NOT_SENT}",
    ),
    ("Top-p of a judge", NOT_SENT, NOT_SENT),
    ("A second model repairs unreadable answers (the package itself does so)", "no", "no"),
    (
        "Distractors as published (in hjstudy, the study's cells decide, not the preset)",
        str(DISTRACTORS[PAPER.name]),
        str(DISTRACTORS[PACKAGE.name]),
    ),
)


def facts() -> list[tuple[str, str, str]]:
    """Return (sentence, paper's value, package's value) of every fact."""
    own = [
        (one.metadata["says"], words(getattr(PAPER, one.name)), words(getattr(PACKAGE, one.name)))
        for one in fields(Preset)
        if one.metadata
    ]
    return [*own, *BESIDE]
