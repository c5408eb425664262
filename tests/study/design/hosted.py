"""Variants of the authors' package for tests, and playing them."""

from functools import cache

from app.game.variant import canonical_json, from_json
from app.game.world import episode_world, replay
from app.study.design import reference
from app.study.design.reference_build import build


def made(task, seed=0, lexicon="semantic", distractors=4):
    """Build a variant, store it and read it back, as players get it."""
    return reference.hosted(from_json(canonical_json(build(task, seed, lexicon, distractors))))


@cache
def of(task, seed=0):
    """Return a variant of real words, built once."""
    return made(task, seed)


def played(variant, *lines, at=0):
    return [(state, seen) for _, state, seen in replay(episode_world(variant, at), lines)]


def solution(variant, at=0):
    return list(variant.episodes[at].solutions[0])


def other_items(variant, at=0):
    """Return the items of demonstrations that follow the rule, but the right one."""
    right = variant.episodes[at].process.item
    bought = [
        step.command.removeprefix("buy ")
        for one in variant.demonstrations
        for step in one.steps
        if not one.distractor and step.command.startswith("buy ")
    ]
    return [name for name in dict.fromkeys(bought) if name != right]
