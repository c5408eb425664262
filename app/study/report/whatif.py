"""What a study's design would give before it opens: filling, precision, power, cost and hours."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from math import ceil
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.game.expectation import episode_floors
from app.game.tiers import FLOORS
from app.progress import Track, untracked
from app.scoring import whatif
from app.scoring.crowd import Assumed, Person, WhatIfError, World
from app.scoring.permutation import can_find
from app.scoring.planned import MAIN
from app.study.design.bursts import places_of
from app.study.design.library import Library
from app.study.design.spec import StudySpec
from app.study.design.studies import StudyView, make_variant
from app.study.play import assignment
from app.study.play.pay import payment
from app.study.report.repeats import without_repeats

MINUTES_PER_HOUR = 60
MOST_PEOPLE, MOST_SIMULATED = 5_000, 2_000
DEFAULTS = {
    "people": "60",
    "skill": "0.6",
    "spread": "0.2",
    "norm_eff": "0.9",
    "dropout": "0.05",
    "nonce": "-0.1",
    "direct": "0.1",
    "eff_spread": "0.1",
    "rv": "0.6",
    "model": "",
    "simulated": "200",
    "seed": "1",
}
BOUNDS = {  # name -> least, most
    "people": (1, MOST_PEOPLE),
    "spread": (0, 0.49),
    "norm_eff": (0.01, 1),
    "dropout": (0, 0.9),
    "nonce": (-1, 1),
    "direct": (-1, 1),
    "eff_spread": (0, 0.49),
    "rv": (0, 1),
    "model": (0, 1),
    "simulated": (10, MOST_SIMULATED),
    "seed": (0, 10_000_000),
}
WHOLE = ("people", "simulated", "seed")
OPTIONAL = ("rv", "model")
EXAMPLE = "0.5"
TOO_FEW = "because so few pairs (task and seed) cannot give a p of .05: add seeds"


class PlanFormError(StudyError):
    """The assumptions are not valid; `problems` says why, field by field."""

    code = "plan/form"

    def __init__(self, problems: dict[str, str]) -> None:
        super().__init__(" ".join(f"{name}: {text}" for name, text in problems.items()))
        self.problems = problems


def defaults(spec: StudySpec) -> dict[str, str]:
    """Return the assumptions of a form that no one has changed.

    So many people arrive that a study with quotas fills, although some of them leave.
    """
    places = places_of(spec)
    if places is None:
        return DEFAULTS
    stay = (1 - float(DEFAULTS["dropout"])) ** spec.per_player
    return DEFAULTS | {"people": str(min(MOST_PEOPLE, ceil(places / stay)))}


def read(typed: Mapping[str, str]) -> tuple[Assumed, str]:
    """Return the assumptions and the skill: a mean, or the name of a bot. Raises PlanFormError."""
    problems, values = dict[str, str](), dict[str, float | None]()
    for name, (least, most) in BOUNDS.items():
        text = typed.get(name, DEFAULTS[name]).strip().replace(",", ".")
        if not text and name in OPTIONAL:
            values[name] = None
            continue
        try:
            value = int(text) if name in WHOLE else float(text)  # of any length, so no float yet
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            kind = "whole number" if name in WHOLE else "number"
            problems[name] = (
                f"Enter a {kind} from {least:g} to {most:g}, such as {DEFAULTS[name] or EXAMPLE}."
            )
        values[name] = value
    skill = typed.get("skill", DEFAULTS["skill"]).strip().replace(",", ".")
    if skill not in FLOORS and not is_share(skill):
        problems["skill"] = f"Enter a number between 0 and 1, or a bot: {', '.join(FLOORS)}."
    if problems:
        raise PlanFormError(problems)
    given: dict[str, Any] = {**values, **{name: int(values[name] or 0) for name in WHOLE}}
    return Assumed(**given), skill


def is_share(text: str) -> bool:
    """Tell whether a text is a number above 0 and at most 1."""
    try:
        return 0 < float(text) <= 1
    except ValueError:
        return False


def worlds_of(db: Connection, study: StudyView, skill: str) -> list[World]:
    """Return the cells of a study; with a bot, each has its expected score there as its mean."""
    library, limit = Library(), study.spec.options.episodes_per_block
    found = []
    for cell in study.spec.cells():
        stored = study.hashes.get(cell.key)
        variant = library.variant(db, stored) if stored else make_variant(study.spec, cell)
        number = len(variant.episodes)
        mean = mean_floor(variant, number, skill) if skill in FLOORS else float(skill)
        found.append(
            World(
                cell.key,
                cell.task,
                cell.seed,
                cell.lexicon,
                cell.coverage,
                cell.format,
                min(number, limit or number),
                mean,
                cell.quota,
                variant.task.family,
            )
        )
    return found


def mean_floor(variant: Any, number: int, bot: str) -> float:
    """Return a bot's expected ECSR over a variant's episodes.

    Raises PlanFormError for variants of another engine, in whose world nothing is known of bots.
    """
    if variant.built:
        problem = "no bot's score is known in the world of the authors' package; enter a mean"
        raise PlanFormError({"skill": problem})
    place = list(FLOORS).index(bot)
    return sum(float(episode_floors(variant, at)[place]) for at in range(number)) / number


def plan(
    db: Connection, study: StudyView, typed: Mapping[str, str], track: Track = untracked
) -> dict[str, Any]:
    """Simulate a study's design. Raises PlanFormError."""
    assumed, skill = read(defaults(study.spec) | dict(typed))
    if skill in FLOORS:  # its score is known exactly, efficiency included, the same for everyone
        assumed = replace(assumed, spread=0.0, norm_eff=1.0, eff_spread=0.0)
    worlds = worlds_of(db, study, skill)
    spec, by_key = study.spec, {world.key: world for world in worlds}
    cells, costs = spec.cells(), Costs(study, assumed.norm_eff)

    def choose(counts: Mapping[str, int], place: int, full: Collection[str]) -> Sequence[World]:
        given = assignment.choose(
            cells, counts, spec.per_player, spec.order, spec.seed, place, full, spec.between
        )
        return [by_key[cell.key] for cell in given]

    try:
        found = whatif.simulate(worlds, choose, assumed, costs.add, track, spec.people.quota)
    except WhatIfError as error:
        field = "eff_spread" if "norm_eff" in error.message else "spread"
        raise PlanFormError({field: error.message}) from error
    least = min(found.cells, key=lambda key: found.cells[key])
    return {
        "study": study.slug,
        "assumed": {"skill": skill, **asdict(assumed)},
        "filling": {
            **{name: getattr(found, name) for name in ("finished", "left", "refused")},
            "least_cell": least,
            "least_cell_people": found.cells[least],
        },
        "cells": dict(found.cells),
        "scores": [
            {"measure": measure}
            | dict(zip(("lexicon", "coverage", "format", "task"), key, strict=True))
            | asdict(one)
            | {"interval": found.intervals[measure].get(key)}
            for measure, scores in ({MAIN: found.scores} | dict(found.beside)).items()
            for key, one in scores.items()
        ],
        "tests": [
            asdict(one)
            | {"interval": found.gaps.get((one.name, one.condition, one.measure, one.level))}
            for one in found.tests
        ],
        "cost": costs.facts(),
    }


class Costs:
    """Money and hours of simulated studies; people who leave are counted with their time only."""

    def __init__(self, study: StudyView, norm_eff: float) -> None:
        self._spec, self._norm_eff = study.spec, norm_eff
        self._cents: list[int] = []
        self._minutes: list[float] = []

    def add(self, people: Sequence[Person]) -> None:
        """Count one study."""
        whole = self._spec.texts.minutes
        self._cents.append(sum(self.pay_of(one) for one in people if one.is_finished))
        self._minutes.append(
            sum(whole * max(len(one.wins), 0.5) / len(one.given) for one in people)
        )

    def pay_of(self, person: Person) -> int:
        """Return what a person who finished is paid, in cents."""
        played = sum(world.episodes for world in person.given)
        wins = sum(person.wins)
        forms = played if self._spec.rule_form.when == "episode" else len(person.given)
        metrics = {
            "finished": 1.0,
            "episodes": float(played),
            "successes": float(wins),
            "success_rate": wins / played,
            "ecsr": wins / played * self._norm_eff,
            "norm_eff": self._norm_eff if wins else 0.0,
            "explanations": float(forms),
            "minutes": float(self._spec.texts.minutes),
        }
        return payment(self._spec.payment, metrics).total_cents

    def facts(self) -> dict[str, Any]:
        """Return the means, and the most expensive of the simulated studies."""
        number = len(self._cents)
        hours = [minutes / MINUTES_PER_HOUR for minutes in self._minutes]
        return {
            "currency": self._spec.payment.currency,
            "mean_cents": round(sum(self._cents) / number),
            "most_cents": max(self._cents),
            "mean_hours": sum(hours) / number,
            "most_hours": max(hours),
        }


def lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield a plan as lines of text."""
    filling, cost = found["filling"], found["cost"]
    yield (
        f"{filling['finished']:.1f} people finish, {filling['left']:.1f} leave, "
        f"{filling['refused']:.1f} find no place; cell {filling['least_cell']} gets "
        f"{filling['least_cell_people']:.1f}"
    )
    for one in found["scores"]:
        name = f"{one['lexicon']}, coverage {one['coverage']}, {one['format']}, {one['task']}"
        yield f"{one['measure']}, {name}: {text_of(one)}{interval_of(one)}"
    for one in without_repeats(found["tests"], dict):
        yield (
            f"{one['name']} in {one['measure']} ({one['condition']}), {one['level']}: "
            f"{text_of(one['difference'])}{interval_of(one)}, {one['pairs']:.1f} pairs, "
            f"p x {one['tests']}, power {one['power']:.0%}"
            f"{', ' + TOO_FEW if has_too_few(one) else ''}"
        )
    yield (
        f"{cost['currency']} {cost['mean_cents'] / 100:,.2f} (largest "
        f"simulated: {cost['most_cents'] / 100:,.2f}), {cost['mean_hours']:.1f} hours (largest "
        f"simulated: {cost['most_hours']:.1f})"
    )


def has_too_few(one: Mapping[str, Any]) -> bool:
    """Tell whether a test has so few pairs that even its smallest p is above .05."""
    return not can_find(ceil(one["pairs"]), one["tests"])


def interval_of(one: Mapping[str, Any]) -> str:
    """Return the width of the report's own interval, '' if there is none."""
    return "" if one["interval"] is None else f", interval {one['interval']:.3f}"


def text_of(one: Mapping[str, Any]) -> str:
    """Return a figure and its spread: the width that holds 95 % of the simulated studies."""
    mean, width = mean_and_width(one)
    if one["mean"] is None:
        return mean
    return f"{mean}, {width if one['width'] is None else f'spread {width}'}"


def mean_and_width(one: Mapping[str, Any]) -> tuple[str, str]:
    """Return the same as two texts."""
    if one["mean"] is None:
        return "no value", ""
    width = "often missing" if one["width"] is None else f"{one['width']:.3f}"
    return f"{one['mean']:.3f}", width
