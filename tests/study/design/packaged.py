"""Variants of the authors' package, built and played."""

from app.game.variant import canonical_json, from_json
from app.game.world import episode_world, replay
from app.study.design import reference
from app.study.design.reference_build import build


def made(task, seed=0, lexicon="semantic", distractors=4):
    """Build a variant, store it and read it back, as players get it."""
    return reference.hosted(from_json(canonical_json(build(task, seed, lexicon, distractors))))


def played(variant, *lines, at=0):
    return [(state, seen) for _, state, seen in replay(episode_world(variant, at), lines)]


def solution(variant, at=0):
    return list(variant.episodes[at].solutions[0])
