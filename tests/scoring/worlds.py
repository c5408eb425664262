"""A small design for tests of simulated studies: two tasks, both lexica, both formats."""

from app.scoring.crowd import World

SEED = 4
KEYS = ("A/1/semantic/episodic", "A/1/nonce/episodic", "A/2/semantic/direct", "B/1/nonce/direct")


def world(key, coverage="1", **changes):
    """Return a cell of the design; `key`: task/seed/lexicon/format."""
    task, seed, lexicon, how = key.split("/")
    found = {"episodes": 3, "mean": 0.6, "quota": None} | changes
    return World(key, task, int(seed), lexicon, coverage, how, **found)


WORLDS = tuple(world(key) for key in KEYS)
