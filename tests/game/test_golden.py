"""The bytes of variants, compared with files: the same on every machine, Python and hash seed.

Studies name their variants by hash, so a change here makes stored hashes differ from drawn ones.
After a change that is meant, write the files anew: `python tests/game/test_golden.py write`.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import app
from app.game.lexicon import parse_lexicon
from app.game.model import Variant
from app.game.tasks import TASKS
from app.game.variant import canonical_json, content_hash, from_json, generate

GOLDEN = Path(__file__).parent / "golden"
ROOT = Path(app.__file__).parents[1]
SEEDS = (0, 1, 19)
LEXICON_NAMES = ("semantic", "nonce")
WHOLE = {  # file name -> task, seed, lexicon, coverage, distractors
    "A-Cond_3_semantic_1.json": ("A-Cond", 3, "semantic", "1", 4),
    "P-Add_7_nonce_2.json": ("P-Add", 7, "nonce", "2", 8),
}


TEXTS = {name: (ROOT / f"app/lexica/{name}.json").read_text("utf-8") for name in LEXICON_NAMES}
LEXICA = {name: parse_lexicon(text) for name, text in TEXTS.items()}


def draw(task: str, seed: int, lexicon: str, coverage: str = "1", distractors: int = 4) -> Variant:
    return generate(TASKS[task], seed, LEXICA[lexicon], coverage, distractors)


def hashes() -> Iterator[tuple[str, str]]:
    for task in TASKS:
        for seed in SEEDS:
            for lexicon in LEXICON_NAMES:
                yield f"{task}_{seed}_{lexicon}", content_hash(draw(task, seed, lexicon))


def everything() -> str:
    """Return all hashes and whole variants as one text."""
    lines = [f"{name} {value}" for name, value in hashes()]
    lines += [canonical_json(draw(*arguments)) for arguments in WHOLE.values()]
    return "\n".join(lines)


def test_hashes_of_drawn_variants_are_the_golden_ones() -> None:
    golden = json.loads((GOLDEN / "variant_hashes.json").read_text("ascii"))
    assert len(golden) == 8 * 3 * 2
    assert dict(hashes()) == golden


@pytest.mark.parametrize("name", WHOLE)
def test_whole_variant_is_the_golden_one(name: str) -> None:
    golden = (GOLDEN / name).read_text("ascii").removesuffix("\n")
    assert canonical_json(draw(*WHOLE[name])) == golden
    assert from_json(golden) == draw(*WHOLE[name])


@pytest.mark.parametrize("hash_seed", ["1", "4242"])
def test_bytes_are_the_same_under_another_hash_seed(hash_seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, __file__, "print"], env=environment, capture_output=True, check=True
    )
    assert run.stdout.decode("ascii").strip() == everything()


def write() -> None:
    """Rewrite the golden files."""
    text = json.dumps(dict(hashes()), indent=1, sort_keys=True)
    (GOLDEN / "variant_hashes.json").write_text(text + "\n", "ascii")
    for name, arguments in WHOLE.items():
        (GOLDEN / name).write_text(canonical_json(draw(*arguments)) + "\n", "ascii")


if __name__ == "__main__":
    if sys.argv[1:] == ["write"]:
        write()
    else:
        sys.stdout.write(everything())
