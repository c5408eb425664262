"""Seven simulated players, played, rated, exported and reported: compared with a table by hand.

A-Over has two guardians of ref_length 4 and n_tries 4; P-Comp one of ref_length 5 and n_tries 4.
A win in 4, 8, 12, 5, 6 actions of A-Over is worth 1, 1/3, 1/9, 11/15, 5/9; in 5, 10 of P-Comp 1,
1/3. Source of the formula: the paper, (n/t - 1) / (n - 1) with t = actions / ref_length.
"""

import shutil
from fractions import Fraction

import pytest

from app.game.certify import describe_output
from app.scoring.players import REPLICATES
from app.store.play import participants
from app.store.play.episodes import episode
from app.study.design import studies
from app.study.export import files
from app.study.export.summary import SEED
from app.study.rating import judge_file, player_items
from app.study.report.document import canonical, document
from app.study.report.options import Options
from app.study.report.shape import DECIMALS, records, table_named
from app.study.report.tables import of_bundle, of_study
from app.study.tickets import new_ticket
from tests.study.report.bundles import recomputed, recomputed_in_r, report_on
from tests.study.story import NOON, Story, rows

F = Fraction
# per player: the results at A-Over's two guardians and P-Comp's one, and three judge scores
PLAN = {
    "knows": ("win", "win", "win", 2),
    "knows again": ("win", "slip 1", "win", 2),
    "types badly": ("slip 2", "slip 1", "look 5", 1),
    "tries": ("try 1", "win", "look 5", 1),
    "tries longer": ("try 2", "try 1", "lose", 0),
    "knows nothing": ("lose", "lose", "lose", 0),
    "leaves": ("begin", "", "", None),
}


@pytest.fixture
def seven(store):
    """Play everything; return the story, its study and the tokens by name."""
    blocks = [{"task": "A-Over", "seeds": [1]}, {"task": "P-Comp", "seeds": [2]}]
    story = Story(store, blocks=blocks, options={"main_rv": "judge"})
    tokens, scores = {}, []
    for name, (*moves, score) in PLAN.items():
        token = tokens[name] = story.enter()
        for (block, position), move in zip(((0, 0), (0, 1), (1, 0)), moves, strict=True):
            if move:
                act(story, token, block, position, *move.split())
        if score is not None:
            who = story.person(token).public_id
            scores += [f"{who}-w1-r2,{score}", f"{who}-w2-r1,{score}"]
    left = participants.participant.c.token == tokens["leaves"]
    story.change(participants.participant, left, state="timed_out")
    with store.read() as db:
        study = studies.find(db, "story")
    player_items.take_in(store, study.id, NOON)
    text = "\n".join(["item,score", *scores])
    done = judge_file.store_all(store, study.id, text, "judge", "somebody", new_ticket(), NOON)
    assert done["new"] == 12
    return story, study, tokens


def act(story, token, block, position, move, number="0"):
    """Do one action at a guardian and, if the episode is over, write the rule."""
    right = story.solution(token, block, position)
    if move == "begin":
        story.type(token, block, position, "check_location", "go nowhere", "check_location")
        return
    if move == "lose":
        story.lose(token, block, position)
    elif move == "slip":
        story.type(token, block, position, *["defaet him"] * int(number), *right)
    elif move == "look":
        story.type(token, block, position, *["check_inventory"] * int(number), *right)
    else:
        wrong = wrong_attempts(story, token, right, int(number)) if move == "try" else []
        story.type(token, block, position, *wrong, *right)
    story.explain(token, block, position)


def wrong_attempts(story, token, right, number):
    """Return whole attempts with a wrong item: go, buy, go, defeat, each 4 actions."""
    row = story.episode(token, 0, 0)
    with story.store.read() as db:
        variant = story.table.library.variant(db, row.variant_hash)
    answer = right[1].removeprefix("buy ")
    shop = right[0]
    names = [item.name for item in variant.items if f"go {item.shop}" == shop]
    assert answer in names
    others = [name for name in names if name != answer][:number]
    assert describe_output(variant, variant.episodes[0].output) in names
    return [line for name in others for line in (shop, f"buy {name}", right[2], right[3])]


def report_of(tables, facts):
    return document(tables, facts, Options(replicates=300))


def test_the_table_is_the_one_made_by_hand(seven):
    story, study, _ = seven
    with story.store.read() as db:
        made = report_of(*of_study(db, study))
    first = {row["task"]: row for row in records(table_named(made, "baseline_first"))}
    whole = {row["task"]: row for row in records(table_named(made, "baseline_all"))}

    def close(row, name, fraction):
        assert row[name]["value"] == pytest.approx(float(fraction), abs=1e-9), name

    over, comp = first["A-Over"], first["P-Comp"]
    assert (over["players"], comp["players"], first["Total"]["players"]) == (7, 6, 7)
    # first guardians of A-Over: 4, 4, 6, 8, 12 actions; lost; begun and left
    ecsr_over = (1 + 1 + F(5, 9) + F(1, 3) + F(1, 9)) / 7
    close(over, "success_rate", F(5, 7))
    close(over, "ecsr", ecsr_over)
    close(over, "norm_eff", (1 + 1 + F(5, 9) + F(1, 3) + F(1, 9)) / 5)
    close(over, "ecsr_missing", (1 + 1 + F(5, 9) + F(1, 3) + F(1, 9)) / 6)
    close(over, "ecsr_clean", (1 + 1 + 1 + F(1, 3) + F(1, 9)) / 7)
    # attempts 1, 1, 1, 2, 3
    close(over, "attempt_ecsr", (1 + 1 + 1 + F(1, 3) + F(1, 9)) / 7)
    close(over, "rv", (1 + 1 + F(1, 2) + F(1, 2) + 0 + 0) / 6)
    # P-Comp: 5, 5, 10, 10 actions; lost twice
    close(comp, "success_rate", F(4, 6))
    close(comp, "ecsr", (1 + 1 + F(1, 3) + F(1, 3)) / 6)
    close(comp, "ecsr_clean", (1 + 1 + F(1, 3) + F(1, 3)) / 6)  # looking is not a typing error
    close(comp, "attempt_ecsr", F(4, 6))
    close(first["Total"], "ecsr", (ecsr_over + F(4, 9)) / 2)
    # all guardians of A-Over: second ones 4, 5, 5, 4, 8 actions; lost; never met
    units = [
        F(1),
        (1 + F(11, 15)) / 2,
        (F(5, 9) + F(11, 15)) / 2,
        (F(1, 3) + 1) / 2,
        (F(1, 9) + F(1, 3)) / 2,
        F(0),
        F(0),
    ]
    close(whole["A-Over"], "ecsr", sum(units) / 7)
    close(whole["A-Over"], "success_rate", F(5, 7))
    close(whole["P-Comp"], "ecsr", F(4, 9))
    assert made["counts"]["episodes_unfinished"] == 1


@pytest.mark.long_on_postgres
def test_floors_stand_beside_it_exactly(seven):
    story, study, _ = seven
    with story.store.read() as db:
        made = report_of(*of_study(db, study))
    rows = {row["task"]: row for row in records(table_named(made, "floors_all"))}
    for task in ("A-Over", "P-Comp"):
        assert rows[task]["enumerator"] == pytest.approx(13 / 36)
        assert rows[task]["oracle"] == 1.0
    assert rows["P-Comp"]["eliminator"] == 1.0, "the answer is always the one not shown"


@pytest.mark.long_on_postgres
def test_the_bundle_gives_the_very_same_report(seven, tmp_path):
    story, study, _ = seven
    files.export(story.store, "story", tmp_path / "bundle", NOON)
    with story.store.read() as db:
        live = report_of(*of_study(db, study))
    assert canonical(report_of(*of_bundle(tmp_path / "bundle"))) == canonical(live)


@pytest.mark.long_on_postgres
def test_summary_and_report_agree_on_rv_also_of_a_block_without_an_episode_that_counts(seven):
    """Such a block is not a unit: its rated explanation has no RV, in report and export."""
    story, study, tokens = seven
    for position in (0, 1):
        row = story.episode(tokens["knows nothing"], 0, position)
        story.change(episode, episode.c.id == row.id, voided_at=NOON)
    with story.store.read() as db:
        tables, facts = of_study(db, study)
    made = document(tables, facts, Options(replicates=REPLICATES, seed=SEED))
    by_rater, whole = (
        {row["task"]: row for row in records(table_named(made, name))}
        for name in ("rv", "baseline_all")
    )
    checked = 0
    for row in rows(story.store, "summary"):
        if row["figure"] != "rv_judge" or row["task"] == "all":
            continue
        column = {"all": "judge", "first": "judge_first"}[row["scope"]]
        assert value_of(by_rater[row["task"]][column]) == summed(row), (row["task"], row["scope"])
        if row["scope"] == "all":
            assert value_of(whole[row["task"]]["rv"]) == summed(row)
        checked += 1
    assert checked == 4
    assert [by_rater[task]["judge"]["units"] for task in ("A-Over", "P-Comp")] == [5, 6]
    voided = [row for row in rows(story.store, "baseline") if row["rv_reason"] == "no_episode"]
    assert [(row["block_index"], row["rv_judge"]) for row in voided] == [("1", "")]


def value_of(cell):
    return [cell["units"], *(cell[part] for part in ("value", "low", "high"))]


def summed(row):
    ends = [float(row[part]) if row[part] else None for part in ("value", "low", "high")]
    return [int(row["units"]), *(None if end is None else round(end, DECIMALS) for end in ends)]


def test_the_bundles_own_program_recomputes_the_report(seven, tmp_path):
    for how in ({}, {"shareable": True}, {"flavour": "jsonl"}):
        out = tmp_path / "bundle"
        files.export(seven[0].store, "story", out, NOON, **how)
        status, output = recomputed(out, report_on(out, replicates=200))
        assert (status, output.splitlines()[-1]) == (0, "Everything recomputed is equal."), output
        if not how and shutil.which("Rscript"):
            status, output = recomputed_in_r(out, tmp_path / "report.json")
            assert (status, output.splitlines()[-1]) == (0, "Everything recomputed is equal."), (
                output
            )
