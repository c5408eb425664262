"""Tables about models: methods, cost, RV and parity, compared with values computed by hand."""

import hashlib
from fractions import Fraction

import pytest

from app.game.certify import certify
from app.game.tasks import TASKS
from app.game.variant import canonical_json, generate
from app.study.design.game_files import lexicon
from app.study.export.parity import metric_code
from app.study.report.document import document
from app.study.report.options import Options
from app.study.report.shape import records, table_named
from tests.study.report.rows import Made, result

F = Fraction
FACTS = {"study": "hand", "kind": "pilot", "main_rv": "human"}
QUICK = Options(replicates=300)
# A-Over, A-Add: ref_length 4, n_tries 4; a win in 4, 5, 8 actions is worth 1, 11/15, 1/3.
FIVE, EIGHT = F(11, 15), F(1, 3)
PLAYED: dict[
    tuple[str, str], dict[str, tuple[int | None, ...]]
] = {  # run -> task -> actions of seeds 1, 2, 3; None = lost
    ("a", "plain"): {"A-Over": (8, 8, None), "A-Add": (4, None, 8), "P-Comp": (None, None, 8)},
    ("a", "hr"): {"A-Over": (4, 4, 8), "A-Add": (4, None, 8), "P-Comp": (None, 8, None)},
    ("b", "plain"): {"A-Over": (4, None, None)},
    ("b", "hr"): {"A-Over": (8, None, 5)},
    ("c", "idea"): {"A-Over": (8, None, 5)},  # never ran plain
}
GRIDS = {"P-Comp": (5, 4)}


def made():
    tables = Made().person("a").block("a", "A-Over", 4, 4).tables
    tables |= {"model_result": [], "model_run": [], "item": [], "model_episode": []}
    for number, ((model, method), tasks) in enumerate(PLAYED.items(), start=1):
        label = f"{model} {method}"
        named = {"run": number, "label": label, "kind": "play", "model": model, "method": method}
        used = {"calls": 9, "prompt_tokens": 900, "completion_tokens": 90, "cost": 0.5}
        tables["model_run"].append({**named, **used, "preset": "paper", "design_version": 2})
        for task, results in tasks.items():
            length, tries = GRIDS.get(task, (4, 4))
            for seed, actions in enumerate(results, start=1):
                place = {"task": task, "seed": seed, "variant_hash": f"{task}-{seed}"}
                shape = {"ref_length": length, "n_tries": tries, "source": "run"}
                tables["model_result"].append(result(label, 1, actions, **place, **shape))
    return tables


def rows_of(tables, name):
    return records(table_named(document(tables, FACTS, QUICK), name))


def near(fraction):
    return pytest.approx(float(fraction), abs=1e-9)


def test_methods_are_compared_with_plain_per_task_family_and_in_total():
    rows = {(r["model"], r["method"], r["task"]): r for r in rows_of(made(), "methods")}
    over = rows["a", "hr", "A-Over"]
    assert over["plain"] == near(F(2, 9))  # (1/3 + 1/3 + 0) / 3
    assert over["ecsr"] == near(F(7, 9))  # (1 + 1 + 1/3) / 3
    assert over["change"] == near(F(5, 9))
    # differences 2/3, 2/3, 1/3: of 8 patterns of signs, +++ and --- reach the sum
    assert (over["pairs"], over["p"]) == (3, 0.25)
    assert (over["tests"], over["p_adjusted"]) == (2, 0.5)  # A-Add and A-Over are one family
    add = rows["a", "hr", "A-Add"]
    assert (add["change"], add["p"], add["p_adjusted"]) == (0.0, 1.0, 1.0)
    comp = rows["a", "hr", "P-Comp"]
    # 8 actions of 5 are t = 8/5, worth (4 / (8/5) - 1) / 3 = 1/2; differences 0, 1/2, -1/2
    assert (comp["plain"], comp["ecsr"], comp["change"]) == (near(F(1, 6)), near(F(1, 6)), 0.0)
    assert (comp["p"], comp["tests"]) == (1.0, 1)
    total = rows["a", "hr", "Total"]
    assert total["change"] == near((F(5, 9) + 0 + 0) / 3)
    assert (total["pairs"], total["tests"]) == (9, 1)
    # differences 2/3, 2/3, 1/3, 1/2, -1/2 and four 0: of 32 patterns of signs, those with an
    # absolute sum of 5/3 or more, in sixths: 4 + 4 + 2 + 3 + 3 with negative ones of at most 3:
    # none, 2, 3, or the other 3; and the same for the negative sum
    assert total["p"] == F(8, 32)


def test_all_models_are_paired_within_each_model():
    rows = {(r["model"], r["method"], r["task"]): r for r in rows_of(made(), "methods")}
    assert ("all models", "idea", "A-Over") not in rows
    assert ("c", "idea", "A-Over") not in rows  # nothing to compare with
    whole = rows["all models", "hr", "A-Over"]
    # model b: 1/3 - 1, 0, 11/15 - 0
    assert whole["pairs"] == 6
    mean = (F(2, 3) + F(2, 3) + F(1, 3) + (EIGHT - 1) + 0 + FIVE) / 6
    assert whole["mean_difference"] == whole["change"] == near(mean)


def test_presets_are_never_compared_with_each_other():
    tables = made()
    next(row for row in tables["model_run"] if row["label"] == "a hr")["preset"] = "package"
    assert [r for r in rows_of(tables, "methods") if r["model"] == "a"] == []


def test_tokens_and_cost_are_beside_scores():
    tables = made()
    rows = {row["model"]: row for row in rows_of(tables, "models_cost")}
    row = rows["a plain"]
    assert row["ecsr"] == near((F(2, 9) + F(4, 9) + F(1, 6)) / 3)
    assert (row["episodes"], row["rv"], row["direct"]) == (9, None, None)
    used = ("calls", "prompt_tokens", "completion_tokens", "cost")
    assert [row[name] for name in used] == [9, 900, 90, 0.5]
    next(row for row in tables["model_run"] if row["label"] == "a hr")["cost"] = None
    rows = {row["model"]: row for row in rows_of(tables, "models_cost")}
    assert (rows["a hr"]["cost"], rows["a plain"]["cost"]) == (None, 0.5)


def rated():
    """Runs of model a with rated explanations: of A-Over 2 and 1, of A-Add 0."""
    tables = made()
    for label, task, seed, value in (
        ("a plain", "A-Over", 1, 2),
        ("a plain", "A-Over", 2, 1),
        ("a plain", "A-Add", 1, 0),
        ("a hr", "A-Over", 1, 2),
    ):
        about = {"item_kind": "model", "source": label, "variant_hash": f"{task}-{seed}"}
        item = f"{label}/{task}/{seed}"
        tables["item"].append({"item_id": item, **about})
        tables["rating"].append({"item_id": item, "value": value})
    return tables


def test_rated_explanations_of_runs_give_their_rv_beside_people_and_ecsr():
    tables = rated()
    points = {(r["model"], r["task"]): r for r in rows_of(tables, "models_points")}
    assert len(points) == 3
    over = points["a plain", "A-Over"]
    assert (over["rv"], over["ecsr"]) == (0.75, near(F(1, 3)))  # seeds 1 and 2 alone
    assert points["a plain", "A-Add"]["rv"] == 0.0
    rho, *_ = rows_of(tables, "models_relation")
    # points (0.75, 1/3), (0, 1), (1, 1): ranks 2, 1, 3 and 1, 2.5, 2.5: rho = 0
    assert (rho["family"], rho["models"], rho["points"], rho["rho"]) == ("all", 2, 3, 0.0)
    cost = {row["model"]: row for row in rows_of(tables, "models_cost")}
    assert cost["a plain"]["rv"] == near(F(3, 8))


def test_rv_of_runs_is_that_of_the_main_ratings_and_a_files_own_rv_stays():
    tables = rated()
    tables["judge"] = [{"item_id": "a plain/A-Over/1", "value": 0}]
    tables["model_result"] += [result("file", 1, 4, rv=0.25)]
    judged = document(tables, {**FACTS, "main_rv": "judge"}, QUICK)
    found = {r["model"]: r["rv"] for r in records(table_named(judged, "models_points"))}
    assert found == {"a plain": 0.0, "file": 0.25}


def test_parity_says_for_each_model_whether_it_got_the_words_of_people():
    tables = made()
    for at, one in enumerate(tables["episode"]):
        one |= {"words_hash": f"w{at}", "is_test": False, "design_version": 1, "language": "en"}
    tables["model_result"] += [result("file", 1, 4)]
    for label, first in (("a plain", "w0"), ("a hr", "altered"), ("b plain", "")):
        place = {"variant_hash": "A-Over-1", "variant_episode": 0, "format": "episodic"}
        tables["model_episode"].append({"label": label, **place, "words_hash": first})
    rows = {row["model"]: row for row in rows_of(tables, "parity")}
    counts = ("shared", "same", "other", "unknown", "verdict")
    assert {model: [row[name] for name in counts] for model, row in rows.items()} == {
        "a plain": [1, 1, 0, 0, "same words"],
        "a hr": [1, 0, 1, 0, "other words"],
        "b plain": [1, 0, 0, 1, "not proved"],
        "b hr": [1, 0, 0, 1, "not proved"],
        "c idea": [1, 0, 0, 1, "not proved"],
        "file": [1, 0, 0, 1, "not proved"],
    }
    first = rows["a plain"]
    assert (first["run"], first["design_people"], first["design_model"]) == (1, "1", 2)
    assert (first["metric_code"], first["languages"]) == (metric_code(), "en")
    digests = {model: (row["words_people"], row["words_model"]) for model, row in rows.items()}
    people, altered = (hashlib.sha256(text.encode()).hexdigest() for text in ("w0", "altered"))
    assert digests["a plain"] == (people, people)
    assert digests["a hr"] == (people, altered)
    assert digests["b plain"] == (people, "")


def test_coverage_of_a_model_is_its_mean_at_each_share():
    tables = rated()
    shares = {"coverage": "1/3", "variant_hash": "third", "seed": 9}
    tables["model_result"] += [result("a plain", index, 8, **shares) for index in (1, 2)]
    rows = [r for r in rows_of(tables, "models_coverage") if r["model"] == "a plain"]
    found = {(r["task"], r["coverage"]): (r["units"], r["ecsr"], r["rv"]) for r in rows}
    assert found["A-Over", "1/3"] == (1, near(EIGHT), None)
    assert found["A-Over", "1"] == (3, near(F(2, 9)), 0.75)
    assert [r["coverage"] for r in rows if r["task"] == "A-Over"] == ["1/3", "1"]


def test_coverage_of_a_model_says_what_the_demonstrations_of_its_variants_give_away():
    """Means over its variants; nothing is said if one of them is not in the study."""
    tables, found = made(), []
    for seed, share in ((3, "1/3"), (4, "1/3"), (3, "1")):
        variant = generate(TASKS["A-Over"], seed, lexicon("semantic"), share)
        content = {"content": canonical_json(variant), "task": "A-Over", "family": "attribute"}
        name = f"{seed} {share}"
        tables.setdefault("variant", []).append({"variant_hash": name, **content})
        place = {"seed": seed, "coverage": share, "variant_hash": name}
        tables["model_result"].append(result("x", 1, 8, **place))
        found.append(certify(variant))
    tables["model_result"].append(result("x", 1, 8, coverage="2", variant_hash="unknown"))
    rows = {r["coverage"]: r for r in rows_of(tables, "models_coverage") if r["model"] == "x"}
    for name in ("contextual_bias", "share_determined"):
        one, two, whole = (getattr(proof, name) for proof in found)
        assert rows["1/3"][name] == near((one + two) / 2)
        assert rows["1"][name] == near(whole)
        assert rows["2"][name] is None
    assert rows["1/3"]["share_determined"] < rows["1"]["share_determined"] == 1
