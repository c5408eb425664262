"""The benchmarks still run: each for a moment, with a stand-in if the reference is missing."""

import importlib.util
from dataclasses import replace

import numpy as np
import pytest

from app.game.certify import certify
from app.game.tasks import TASKS
from app.game.variant import generate
from app.scoring import agreement as agreement_of
from app.scoring.bootstrap import unit_weights
from app.scoring.sampling import draw
from app.study.design import library
from bench import __main__ as command
from bench import (
    agreement,
    blind,
    classroom,
    coverage,
    coverage_raters,
    crowd,
    export,
    growth,
    imports,
    jobs,
    judged,
    methods,
    monitor,
    paint,
    reference,
    report,
    signs,
    stage,
    start,
    strangers,
    variants,
    verify,
    web,
    world,
)
from bench.measure import Result, alternate

MISSING = importlib.util.find_spec("herosjourney") is None


def make_peer(task):
    """Return the reference's episode if it is installed, otherwise one that does nothing."""
    if MISSING:
        return reference.Episode(4, lambda: 4)
    return reference.make_episode(task)


def test_world_bench_gives_one_ratio():
    (result,) = world.run(tiny=True, make=make_peer)
    assert result.ratio > 0


def test_verify_bench_gives_one_ratio():
    (result,) = verify.run(tiny=True, make=make_peer)
    assert result.ratio > 0


def test_growth_bench_gives_one_ratio_to_stay_below():
    (result,) = growth.run(tiny=True)
    assert result.ratio > 0
    assert not result.at_least


@pytest.mark.long
def test_export_bench_gives_speed_and_memory():
    speed, memory = export.run(tiny=True)
    assert speed.ratio > 0
    assert 0.5 < memory.ratio < 1.5
    assert not memory.at_least


@pytest.mark.long
def test_web_bench_gives_a_ratio_for_one_user_and_for_twenty():
    one, twenty = web.run(tiny=True)
    assert min(one.ratio, twenty.ratio) > 0


@pytest.mark.long
def test_jobs_bench_gives_a_ratio_to_stay_below_for_each_kind_and_its_jobs_run():
    found = list(jobs.run(tiny=True))
    assert [one.name.split()[-3] for one in found] == ["verify", "report", "bundle"]
    assert {one.target for one in found} == {jobs.TARGET_P95}


@pytest.mark.long
def test_imports_bench_gives_a_ratio_to_stay_below_and_its_jobs_import():
    (beside,) = imports.run(tiny=True)
    assert beside.target == jobs.TARGET_P95


@pytest.mark.long
def test_monitor_bench_gives_two_ratios_to_stay_below():
    full, watched = monitor.run(tiny=True)
    assert min(full.ratio, watched.ratio) > 0
    assert not any(one.at_least for one in (full, watched))


def test_start_bench_gives_a_ratio_for_help_and_for_a_variant():
    shown, made = start.run(tiny=True)
    assert min(shown.ratio, made.ratio) > 0
    assert [one.target for one in (shown, made)] == [4, 8]
    assert not any(one.at_least for one in (shown, made))


@pytest.mark.long
def test_strangers_bench_lets_people_and_the_researcher_in_and_few_strangers():
    results = strangers.run(tiny=True)
    finished, logged_in, held, left = results
    assert (finished.ratio, logged_in.ratio, left.ratio) == (1, 1, 1)
    assert 0 < held.ratio < 1
    assert not held.at_least


@pytest.mark.long
def test_class_behind_one_address_gets_in_and_those_who_wait_see_how_long():
    entered, places, waits = classroom.run(tiny=True)
    assert (entered.ratio, places.ratio) == (1, 1)
    assert waits.ratio > 0


@pytest.mark.browser
@pytest.mark.long
@pytest.mark.timeout(400)  # eight people in browsers, some at the pace of people
def test_signs_bench_finds_who_pastes_and_not_who_types(capsys):
    results = list(signs.run(tiny=True))
    assert [one.name for one in results if not one.ok] == []
    assert "not observed" in capsys.readouterr().out  # our bots have no script


@pytest.mark.long
def test_blind_bench_tells_texts_as_written_and_not_as_shown(tmp_path):
    raw, shown, held_raw, held = blind.run(tiny=True)
    assert all(one.ok for one in (raw, shown, held_raw, held))
    assert (shown.at_least, held.at_least) == (False, False)
    blind.main(tmp_path)
    items, key = ((tmp_path / name).read_text() for name in ("items.txt", "key.txt"))
    assert key.count("player") == key.count("model") == items.count("\n\n") // 2 + 1 == 20


@pytest.mark.browser
@pytest.mark.long
def test_paint_bench_gives_the_ratio_and_the_weight():
    painted, weight = paint.run(tiny=True)
    assert painted.ratio > 0
    assert weight.ratio > 0.2


@pytest.mark.long
def test_agreement_bench_gives_two_times_and_two_coverages():
    large, bootstrap, pool, plain = agreement.run(tiny=True)
    assert not large.at_least
    assert not bootstrap.at_least
    assert min(large.ratio, bootstrap.ratio) > 0
    assert pool.ratio > plain.ratio


@pytest.mark.long
def test_coverage_bench_shows_every_coefficient_of_both_rows_of_each_kind_of_study(capsys):
    found = list(coverage.run(tiny=True))
    rows = [one.split(", ", 1)[1] for one in (result.name for result in found)]
    assert not any(result.at_least for result in found)
    balanced = [result.name for result in found if "balanced over sources" in result.name]
    assert len(balanced) == 2 * 18  # over items only, without two rare shares
    assert {name for name in rows if "human-judge" in name}
    shown = capsys.readouterr().out
    assert "difference" in shown
    assert "over items, rare" in shown
    assert not any("rare" in result.name for result in found)


def test_true_alpha_of_other_raters_is_that_of_very_many_raters_and_items():
    true = np.random.default_rng(4).integers(0, 3, 20_000)
    given = coverage_raters.leniently_rated(true, 500, np.random.default_rng(3))
    counts = np.stack([(given == value).sum(1) for value in range(3)], 1).astype(float)
    table = agreement_of.coincidences(counts, np.ones(len(counts)))
    found = float(agreement_of.alphas(table, np.arange(3.0), "ordinal"))
    assert coverage_raters.alpha_of_all_raters() == pytest.approx(found, abs=0.008)


@pytest.mark.long
def test_report_bench_gives_a_ratio_to_stay_below():
    (result,) = report.run(tiny=True)
    assert not result.at_least
    assert result.ratio > 0


def test_variants_bench_finds_every_variant_right():
    (result,) = variants.run(tiny=True)
    assert result.ratio == 1


def test_variants_bench_names_what_is_wrong_with_a_variant():
    variant = generate(TASKS["P-Cond"], 1, library.lexicon("nonce"), "1/3")
    certificate = replace(certify(variant), n_rivals=1, n_twins=3)
    found = set(variants.problems(variant, certificate))
    assert {"P-Cond: not unique", "P-Cond: 3 twins", "P-Cond: 1 rivals"} <= found


def test_multiplied_database_holds_every_copy(tmp_path):
    path = tmp_path / "many.db"
    with stage.database(path, 1) as store:
        begun = crowd.fill(store, library.Library(), 50)
    assert growth.multiply(path, 3) == 3 * begun


def test_alternate_divides_ours_by_the_other_and_takes_the_median():
    ours, other = iter([2.0, 9.0, 6.0]), iter([1.0, 3.0, 3.0])
    pair = alternate(lambda: next(ours), lambda: next(other), 3)
    assert pair.ratio == 2


@pytest.mark.parametrize(
    ("ratio", "at_least", "exit_code"), [(3.0, True, 0), (2.9, True, 1), (3.1, False, 1)]
)
def test_check_exits_1_where_a_ratio_misses_its_target(ratio, at_least, exit_code, monkeypatch):
    result = Result("made up", ratio, 3.0, at_least)
    monkeypatch.setattr(world, "run", lambda **_: iter([result]))
    assert command.main(["--tiny", "--check", "world"]) == exit_code
    assert command.main(["--tiny", "world"]) == 0


def test_missing_reference_is_reported_and_exits_1(monkeypatch, capsys):
    def missing(**_):
        raise reference.NoReferenceError("herosjourney is not installed: make setup-bench")

    monkeypatch.setattr(world, "run", missing)
    assert command.main(["--tiny", "world"]) == 1
    assert "make setup-bench" in capsys.readouterr().out


@pytest.mark.long
def test_methods_bench_compares_five_kinds_of_interval_on_the_same_studies(capsys):
    found = list(methods.run(tiny=True))
    assert len(found) == 2 * 2
    assert not any(result.at_least for result in found)
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == 2 * 2 * 5


def test_bca_of_replicates_around_their_own_point_leaves_out_what_the_bend_says():
    values = np.linspace(-1, 1, 2001)
    even = np.array([1.0, -1.0, 2.0, -2.0])
    assert methods.bca(values, 0.0, even) == pytest.approx((0.025, 0.975), abs=1e-4)
    low, high = methods.bca(values, 0.0, np.array([3.0, -1.0, -1.0, -1.0]))
    assert low > 0.025
    assert high > 0.975
    low, high = methods.bca(values, 0.5, even)
    assert low > 0.025
    assert high > 0.975


def test_linear_error_of_the_difference_is_that_of_its_replicates():
    rng = np.random.default_rng(5)
    frame = judged.make_frame(1600, rng)
    panel = judged.rate(frame, draw(frame, 200, 5), rng)
    gap = methods.Gap(panel, pool=True)
    drawn = [own for _, own in unit_weights(gap.weights, gap.units, 2000, 1, "items")]
    values = gap(np.vstack(drawn) @ gap.features)
    ones = np.ones((1, len(gap.weights)))
    (error,) = gap.errors((gap.weights @ gap.features)[None], gap.weights[None], ones)
    assert error == pytest.approx(values.std(), rel=0.06)
    pulls = gap.without_each()
    sizes = np.bincount(gap.units.strata)[gap.units.strata]
    jackknife = (pulls**2 * sizes / (sizes - 1)).sum() ** 0.5
    assert error == pytest.approx(jackknife, rel=0.06)
