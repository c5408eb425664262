"""The ground truth of every task in plain words, and look-alikes that fit everything shown."""

import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from app.game.certify import shown_outputs
from app.game.tasks import TASKS
from app.game.variant import generate
from app.study import ground_truth
from app.study.design import library
from app.study.ground_truth import truth_of
from app.study.rule_words import words

ROOT = Path(__file__).parents[3]


def variant(task, seed=3, lexicon="semantic", coverage="1", **options):
    return generate(TASKS[task], seed, library.lexicon(lexicon), coverage, **options)


@pytest.mark.parametrize("lexicon", ["semantic", "nonce"])
@pytest.mark.parametrize("task", TASKS)
def test_every_trait_and_every_answer_of_the_grid_is_named(task, lexicon):
    made = variant(task, lexicon=lexicon)
    truth = truth_of(made)
    wordings = " ".join(truth.sentences)
    for name in (*made.classes, *made.roles):
        if task in {"A-Over", "P-Over"} and name in made.roles:
            continue  # only one role matters there
        assert name in wordings
    assert [[cell.text for cell in row] for row in truth.rows] == [
        [words(made, output) for output in row] for row in made.grid
    ]
    gen = {
        (c, r)
        for c, row in enumerate(truth.rows)
        for r, cell in enumerate(row)
        if cell.split == "gen"
    }
    assert gen == set(made.gen_cells)
    assert "dimension" not in wordings


def test_p_cond_names_its_right_twin_and_its_wrong_one():
    notes = truth_of(variant("P-Cond")).notes
    assert [(note.kind, note.right) for note in notes] == [("twin", True), ("twin", False)]
    assert notes[0].departs == ()
    assert "rate it like the rule itself" in notes[0].advice
    assert len(notes[1].departs) == 1
    assert "rate it 1 and flag it" in notes[1].advice


@pytest.mark.parametrize("task", ["P-Add", "P-Comp"])
@pytest.mark.parametrize("seed", range(5))
def test_rivals_that_fit_every_demonstration_are_flagged(task, seed):
    made = variant(task, seed)
    notes = truth_of(made).notes
    assert notes
    assert {(note.kind, note.right) for note in notes} == {("rival", False)}
    assert all(note.departs for note in notes)
    shown = {f"{made.classes[c]}, {made.roles[r]}:" for c, r in shown_outputs(made)}
    assert not any(line.startswith(tuple(shown)) for note in notes for line in note.departs)


def test_many_look_alikes_are_cut_with_their_number():
    truth = truth_of(variant("P-Comp", coverage="1/3"))
    assert len(truth.notes) == 8
    assert truth.more_notes > 0


def test_a_permuted_variant_is_worded_as_permuted():
    for seed in range(6):
        made = variant("P-Add", seed, permute_outputs=True)
        process = made.outputs[0][1]
        wordings = truth_of(made).sentences[0]
        assert f"{process.activity.verb} {process.activity.name}" in wordings
        assert f"always {process.order} buying" in wordings


WORDS = {  # version -> digest of every word of the variants below, and of the page around
    "1": "22d13606f5b164b1f4813893fb613cfe2439383f6429b93ebc3ba4f40f109dee",
}


def test_a_changed_word_is_a_new_version():
    """Rounds and ratings store only the version, so the wording of a version must never change.

    If this fails, add a version to `ground_truth.VERSIONS` and its digest here.
    """
    wordings = [
        truth_of(variant(task, seed, lexicon, coverage))
        for task in TASKS
        for seed in range(3)
        for lexicon in ("semantic", "nonce")
        for coverage in ("1", "1/3")
    ]
    parts = ("_ground_truth", "_all_cases")
    pages = [ROOT / f"templates/rating/rater/{one}.html" for one in parts]
    page = " ".join(one.read_text("utf-8") for one in pages)
    around = re.sub(
        r"{[#%{].*?[#%}]}|<[^>]*>", " ", page, flags=re.DOTALL
    ).split()  # its words alone
    words_alone = repr([replace(one, version="") for one in wordings]) + " ".join(around)
    assert "accounts." in around
    assert tuple(WORDS) == ground_truth.VERSIONS
    assert sha256(words_alone.encode()).hexdigest() == WORDS[ground_truth.VERSION]
