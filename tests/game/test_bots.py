from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import sqrt
from pathlib import Path
from random import Random

import pytest

from app.errors import FieldError
from app.game.bots import BOTS, GIVE_UP, SLIP, commands_for, make_bot, tiers, win_chances
from app.game.command import UNDERSTOOD, Typed
from app.game.expectation import Chances, norm_eff
from app.game.lexicon import Lexicon, parse_lexicon
from app.game.model import Episode, Variant
from app.game.practice import practice_variant
from app.game.tasks import TASK_NAMES, TASKS
from app.game.variant import generate
from app.game.world import Observation, State, World, episode_world, play, start

LEXICON = Path(__file__).parents[2] / "app" / "lexica" / "semantic.json"
SEEDS = range(24)  # variants of a task in the simulation
ROUNDS = 6  # times a bot plays each of their episodes
SIMULATED = ("enumerator", "copycat", "eliminator", "neighbour", "prior", "inducer")

Turn = tuple[str, Typed, State, Observation]  # the line, its parsed form, what followed
