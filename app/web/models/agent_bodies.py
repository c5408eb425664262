"""What the API takes and gives, as models: they check requests and describe them in OpenAPI."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from app.game.command import MAX_LENGTH
from app.study.models.agents import Shown
from app.study.models.runs import Run

MOST = 2**31 - 1
MAX_TEXT = 20_000
Text = Annotated[str, Field(max_length=MAX_TEXT)]
Short = Annotated[str, Field(max_length=MAX_LENGTH)]


class Body(BaseModel):
    """A request: other fields than those listed are refused."""

    model_config = ConfigDict(extra="forbid")


class NewRun(Body):
    """A run to open."""

    agent: str = Field(
        min_length=1,
        max_length=100,
        description="name of the program or model",
        examples=["my-agent"],
    )
    label: str = Field("", max_length=128, description="name in reports; default: generated")
    tasks: list[str] = Field([], max_length=200, description="tasks to play; default: all")
    seeds: list[int] = Field([], max_length=1000, description="seeds to play; default: all")


class Command(Body):
    """A command."""

    seq: int = Field(
        ge=1, le=MOST, description="number of the command in its episode, from 1", examples=[1]
    )
    raw: str = Field(
        max_length=10 * MAX_LENGTH,
        description="as a participant would type it",
        examples=["check_location"],
    )


class Answer(Body):
    """An answer in the direct format; which fields are needed is in `asks`."""

    item: Short = ""
    activity: Short = ""
    placed: Short = ""
    times: Short = ""


class Rule(Body):
    """An explanation: `text`, or the three parts that participants are asked for."""

    text: Text = Field("", examples=["Both traits decide the item."])
    inputs: Text = Field("", description="which traits matter")
    output: Text = Field("", description="what they decide")
    how: Text = Field("", description="how they decide it")


class Line(BaseModel):
    """A command that was played."""

    seq: int
    raw: str
    message: str = Field(description="the world's answer")
    ok: bool = Field(description="the command had an effect")


class Now(BaseModel):
    """The state, as participants see it beside the log."""

    location: str
    item: str
    coins: int
    attempt: int
    actions_used: int
    actions_left: int | None = Field(description="null: not shown in this study or task")


class EpisodeOut(BaseModel):
    """An episode."""

    run: int
    episode: int
    variant: int = Field(description="episodes of one variant share a world and a rule")
    format: str = Field(description="episodic: send commands; direct: send one answer")
    words: str = Field(description="what participants read before the first action")
    asks: list[str] = Field(description="direct format: the fields of the answer")
    log: list[Line]
    next_seq: int = Field(description="number of the next command")
    state: Now
    over: bool
    won: bool | None = Field(description="null: not over, or not shown (direct format)")


class Place(BaseModel):
    """An episode in the list of a run."""

    episode: int
    variant: int
    format: str
    over: bool


class RunOut(BaseModel):
    """A run."""

    run: int
    label: str
    agent: str
    state: str = Field(description="open, or finished: everything is played and explained")
    variants: int


class RunPlaces(RunOut):
    """A run with its episodes."""

    episodes: list[Place]


class RuleOut(BaseModel):
    """An explanation was stored."""

    run: int
    variant: int
    stored: bool = True


class Outcome(BaseModel):
    """How an episode went."""

    episode: int
    variant: int
    format: str
    task: str
    won: bool
    actions_used: int
    ref_length: int
    n_tries: int
    norm_eff: float | None = Field(description="efficiency of a success; null: not won, direct")


class ResultOut(BaseModel):
    """The result of a finished run."""

    run: int
    label: str
    episodes: list[Outcome]
    ecsr: dict[str, float] = Field(description="task -> mean efficiency, where failures are 0")
    direct_accuracy: dict[str, float] = Field(description="task -> share of right answers")


def run_out(run: Run) -> RunOut:
    """Return a run."""
    facts = {"run": run.number, "label": run.label, "agent": run.model}
    return RunOut(**facts, state=run.state, variants=len(run.cells))


def episode_out(run: Run, shown: Shown) -> EpisodeOut:
    """Return an episode: nothing that participants do not see."""
    state, budget = shown.state, shown.setting.view.budget
    is_direct = bool(shown.fields)
    return EpisodeOut(
        run=run.number,
        episode=shown.number,
        variant=run.cells.index(shown.unit.cell) + 1,
        format=shown.unit.cell.format,
        words=shown.words,
        asks=list(shown.fields),
        log=[Line(seq=s.seq, raw=s.raw, message=s.message, ok=s.ok) for s in shown.steps],
        next_seq=len(shown.steps) + 1,
        state=Now(
            location=state.location,
            item=state.item or "",
            coins=state.coins,
            attempt=state.attempt,
            actions_used=state.actions_used,
            actions_left=None if budget is None else budget - state.actions_used,
        ),
        over=shown.is_over,
        won=state.success if shown.is_over and not is_direct else None,
    )
