"""What a run will ask, before anything is asked: calls and tokens, from best to worst."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, NamedTuple

from app.agents.answering import judge
from app.agents.playing import setting_of
from app.agents.replies import tokens_of
from app.game.model import Variant
from app.store.db import Store
from app.store.models import runs
from app.study.design.library import Library
from app.study.design.studies import StudyView
from app.study.ground_truth import truth_of
from app.study.models import imagined_play, judged_items, units
from app.study.models.cells import RunCell
from app.study.models.imagined_play import Imagined, Tally, asked_once
from app.study.models.judging import truth_text
from app.study.models.preset_kept import preset_for
from app.study.models.runs import Run, Wanted
from app.study.models.units import is_direct


@dataclass(frozen=True, slots=True)
class Amount:
    """Calls, and tokens of the prompts and of the answers: characters / 4."""

    calls: int
    prompt_tokens: int
    answer_tokens: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run asks if every episode is won at once, if none is won, and at the very most.

    Not counted: requests that are repeated after a fault of the transport, and what is not asked
    since a prompt is longer than the model's context.
    """

    episodes: int
    least: Amount
    lost: Amount
    most: Amount

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return {"episodes": self.episodes} | {
            f"{name}_{key}": value
            for name in ("least", "lost", "most")
            for key, value in asdict(getattr(self, name)).items()
        }


class Manner(NamedTuple):
    """How episodes go. `longest`: all answers are as long as their limit."""

    play: imagined_play.Play
    longest: bool = False


LEAST = Manner(imagined_play.won)
LOST = Manner(imagined_play.lost)
MOST = Manner(imagined_play.most, longest=True)


def estimate(store: Store, run: Run) -> Estimate:
    """Return what a run would ask."""
    library = Library()
    with store.read() as db:
        variants = {cell.variant_hash: library.variant(db, cell.variant_hash) for cell in run.cells}
    episodes = sum(len(variants[cell.variant_hash].episodes) for cell in run.cells)
    amounts = (amount_of(Sums(run, variants, one).whole()) for one in (LEAST, LOST, MOST))
    return Estimate(episodes, *amounts)


def amount_of(tally: Tally) -> Amount:
    """Return a tally in tokens."""
    return Amount(tally.calls, tokens_of(tally.read), tokens_of(tally.written))


class Sums:
    """Adds up a run whose episodes all go in one manner; each is imagined once."""

    def __init__(self, run: Run, variants: dict[str, Variant], manner: Manner) -> None:
        self.run, self.variants, self.manner = run, variants, manner
        self.kept: dict[str, list[Imagined]] = {}  # variant's hash -> its episodes
        self.learnt: dict[int, tuple[Tally, int]] = {}  # number of traces -> ACE's questions

    def whole(self) -> Tally:
        """Return the sum of all cells."""
        total = Tally()
        for cell in self.run.cells:
            logs: Sequence[int] = ()
            if is_direct(cell):
                total = total.plus(*self.answers(cell))
            else:
                advice = 0
                if self.run.method == "ace":
                    gathered, advice = self.playbook(cell)
                    total = total.plus(*gathered)
                for one in self.episodes(cell):
                    total = total.plus(*one.tally).plus(0, one.actions * advice, 0)
                logs = [one.log for one in self.episodes(cell)]
            if self.run.explains != "none":
                total = total.plus(*self.explanation(cell, logs))
        return total

    def answers(self, cell: RunCell) -> Tally:
        """Return what a cell of the direct format asks."""
        variant, total = self.variants[cell.variant_hash], Tally()
        for index in range(len(variant.episodes)):
            method = units.answer_of(self.run, variant, index)
            total = total.plus(*asked_once(method, longest=self.manner.longest))
        return total

    def episodes(self, cell: RunCell) -> list[Imagined]:
        """Return a cell's episodes, without advice."""
        known = self.kept.get(cell.variant_hash)
        if known is None:
            variant = self.variants[cell.variant_hash]
            known = self.kept[cell.variant_hash] = [
                self.manner.play(
                    self.run.method, setting_of(variant, index, self.run.preset), episode
                )
                for index, episode in enumerate(variant.episodes)
            ]
        return known

    def playbook(self, cell: RunCell) -> tuple[Tally, int]:
        """Return what a cell's playbook asks, and how many characters it adds to a question."""
        sources = units.sources_of(self.run, cell)
        plays = [one for source in sources for one in self.episodes(source)]
        total = Tally()
        for one in plays:
            total = total.plus(*one.tally)
        traces = sorted((one.trace for one in plays if not one.is_won), reverse=True)
        traces = traces[: self.run.preset.playbook_traces]
        if not traces:
            return total, 0
        if len(traces) not in self.learnt:
            self.learnt[len(traces)] = imagined_play.learnt(
                len(traces), self.run.preset, longest=self.manner.longest
            )
        asked, advice = self.learnt[len(traces)]
        return total.plus(*asked).plus(0, sum(traces), 0), advice + len("\n\n")

    def explanation(self, cell: RunCell, logs: Sequence[int]) -> Tally:
        """Return what the question for the rule asks."""
        variant = self.variants[cell.variant_hash]
        shown = ["x" * one for one in logs] if self.run.explains == "played" else []
        named = [
            f"{episode.entity}:\n{text}"
            for episode, text in zip(variant.episodes, shown, strict=False)
        ]
        method = units.explanation_of(self.run, variant, named)
        return asked_once(method, longest=self.manner.longest)


@dataclass(frozen=True, slots=True)
class JudgeEstimate:
    """What a judge asks: one call for each explanation and repeat. `answer_tokens`: at most."""

    items: int
    repeats: int
    calls: int
    prompt_tokens: int
    answer_tokens: int

    def to_dict(self) -> dict[str, int]:
        """Return plain values, ready for JSON."""
        return asdict(self)


def estimate_judge(store: Store, run: Run) -> JudgeEstimate:
    """Return what a judge would ask. Explanations that are not yet items count too."""
    library, truths, read = Library(), dict[str, str](), 0
    limit = run.preset.answer_tokens
    with store.read() as db:
        found = judged_items.with_new(db, run)
        for name in {name for name, _ in found}:
            truths[name] = truth_text(truth_of(library.variant(db, name)))
    for name, text in found:
        read += len(next(judge(truths[name], text, run.method, limit)).prompt)
    calls = len(found) * run.repeats
    return JudgeEstimate(
        len(found), run.repeats, calls, tokens_of(read * run.repeats), calls * limit
    )


def imagined(study: StudyView, wanted: Wanted, now: datetime) -> Run:
    """Return a run as it would be, without storing it."""
    return Run(
        id=0,
        study_id=study.id,
        number=0,
        kind=wanted.kind,
        label=wanted.label,
        model=wanted.model,
        base_url=wanted.base_url,
        method=wanted.method,
        preset=preset_for(study, wanted.preset),
        parameters=wanted.parameters,
        cells=wanted.cells,
        explains=wanted.explains,
        playbook=wanted.playbook,
        repeats=wanted.repeats,
        items=wanted.items,
        tasks=wanted.tasks,
        price=wanted.price,
        tokens_name=wanted.tokens_name,
        state=runs.OPEN,
        problem="",
        code_version=wanted.code_version,
        design_version=study.version,
        made_by=wanted.made_by,
        created_at=now,
        finished_at=None,
    )
