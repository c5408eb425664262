"""Drawing a validation sample: laws that hold for every frame, and cases from practice."""

import hashlib
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scoring.sampling import (
    DoubleItemError,
    EmptyFrameError,
    FrameItem,
    SamplingError,
    draw,
    frame_hash,
)

KINDS = st.tuples(st.integers(0, 2), st.sampled_from("ABC"), st.sampled_from("uvwx"))
ALLOCATIONS = st.sampled_from(["proportional", "balanced"])


def make_frame(kinds):
    return [
        FrameItem(f"i{number}", level, task, source, f"{source}{number % 5}")
        for number, (level, task, source) in enumerate(kinds)
    ]


FRAMES = st.one_of(  # a frame of a few items is mostly taken whole
    st.lists(KINDS, min_size=1, max_size=20), st.lists(KINDS, min_size=40, max_size=120)
).map(make_frame)
PER_LEVEL = st.integers(2, 16)
BIG = make_frame([(n % 3 if n % 7 else 2, "ABC"[n % 4 % 3], "uvwx"[n % 5 % 4]) for n in range(600)])


def digest(sample):
    return hashlib.sha256(repr(sample).encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("per_level", "allocation", "expected"),
    [
        (12, "proportional", "617ce94ba9cb4798"),
        (12, "balanced", "b162cd1f35b6d3df"),
        (5, "balanced", "fd1a313bcba16ff7"),
    ],
)
def test_a_stored_sample_can_be_drawn_again_to_the_letter_by_every_later_version(
    per_level, allocation, expected
):
    assert digest(draw(BIG, per_level, 7, allocation=allocation)) == expected


@given(FRAMES, PER_LEVEL, st.integers(0, 99), ALLOCATIONS)
def test_weights_of_the_drawn_sum_to_the_frame(frame, per_level, seed, allocation):
    sample = draw(frame, per_level, seed, allocation=allocation)
    by_stratum = dict.fromkeys((one.stratum for one in sample.chosen), 0.0)
    for one in sample.chosen:
        by_stratum[one.stratum] += one.weight
    assert set(by_stratum) == {stratum.name for stratum in sample.strata}
    for stratum in sample.strata:
        assert by_stratum[stratum.name] == pytest.approx(stratum.population)
    assert sum(stratum.population for stratum in sample.strata) == len(frame)


@given(FRAMES, PER_LEVEL, st.integers(0, 99), ALLOCATIONS)
def test_each_level_gives_the_wished_number_or_all_it_has(frame, per_level, seed, allocation):
    sample = draw(frame, per_level, seed, allocation=allocation)
    level_of = {item.id: item.level for item in frame}
    has = Counter(level_of.values())
    drawn = Counter(level_of[one.id] for one in sample.chosen)
    assert len({one.id for one in sample.chosen}) == len(sample.chosen)
    assert drawn == {level: min(per_level, number) for level, number in has.items()}


@given(FRAMES, PER_LEVEL, st.integers(0, 99), ALLOCATIONS, st.randoms())
def test_order_of_the_frame_changes_nothing(frame, per_level, seed, allocation, random):
    other = list(frame)
    random.shuffle(other)
    assert draw(frame, per_level, seed, allocation=allocation) == draw(
        other, per_level, seed, allocation=allocation
    )


@given(FRAMES, st.integers(1, 40), st.integers(0, 99))
def test_proportional_draw_gives_each_task_and_source_its_share(frame, per_level, seed):
    drawn = {one.id for one in draw(frame, per_level, seed).chosen}
    for level in {item.level for item in frame}:
        items = [item for item in frame if item.level == level]
        share = min(per_level, len(items)) / len(items)
        cells = Counter((item.task, item.source) for item in items)
        got = Counter((item.task, item.source) for item in items if item.id in drawn)
        assert all(abs(got[cell] - number * share) < 1 for cell, number in cells.items())


@given(FRAMES, PER_LEVEL, st.integers(0, 99))
def test_balanced_draw_takes_each_cell_twice_or_whole(frame, per_level, seed):
    for stratum in draw(frame, per_level, seed, allocation="balanced").strata:
        assert stratum.drawn >= min(2, stratum.population)


def test_balanced_draw_gives_each_source_the_same_number():
    sample = draw(BIG, 32, 1, allocation="balanced")
    source_of = {item.id: (item.level, item.source) for item in BIG}
    counts = Counter(source_of[one.id] for one in sample.chosen)
    assert set(counts.values()) == {8}


@pytest.mark.parametrize("few", [("A", "v"), ("B", "u")])  # another source, another task
def test_balanced_draw_passes_what_a_small_cell_lacks_to_the_others(few):
    sample = draw(make_frame([(0, *few)] + [(0, "A", "u")] * 9), 4, 1, allocation="balanced")
    assert sorted((s.population, s.drawn) for s in sample.strata) == [(1, 1), (9, 3)]


def test_every_item_is_drawn_equally_often_over_seeds():
    frame = make_frame([(0, "A", "u")] * 7 + [(0, "B", "v")] * 3)
    counts = Counter(one.id for seed in range(3000) for one in draw(frame, 4, seed).chosen)
    assert all(abs(counts[item.id] / 3000 - 0.4) < 0.04 for item in frame)


def test_another_seed_draws_other_items_in_another_order():
    first, again, other = (draw(BIG, 33, seed) for seed in (1, 1, 2))
    assert first == again
    assert {one.id for one in first.chosen} != {one.id for one in other.chosen}
    strata = [one.stratum for one in first.chosen]
    assert strata != sorted(strata)


def test_level_with_fewer_items_is_taken_whole_and_reported():
    frame = make_frame([(0, "A", "u")] * 3 + [(2, "A", "u")] * 50)
    sample = draw(frame, 33, 5, levels=(0, 1, 2))
    assert [(s.level, s.population, s.drawn, s.weight) for s in sample.strata] == [
        (0, 3, 3, 1.0),
        (2, 50, 33, 50 / 33),
    ]
    assert sample.shortfalls == (
        "level 0: only 3 of the 33 items wanted",
        "level 1: only 0 of the 33 items wanted",
    )


def test_level_with_exactly_the_wished_number_is_whole_without_a_shortfall():
    sample = draw(make_frame([(0, "A", "u")] * 33), 33, 5)
    assert sample.shortfalls == ()
    assert sample.strata[0].weight == 1.0


def test_cells_too_small_are_merged_and_named():
    frame = make_frame([(0, "A", "u")] * 20 + [(0, "B", "u")] * 20 + [(0, "A", "v")] * 20)
    sample = draw(frame, 4, 5, allocation="balanced")
    assert sample.merged == ("merged: level 0, u, A + level 0, u, B",)
    assert [(s.name, s.population, s.drawn) for s in sample.strata] == [
        ("level 0, u, A + level 0, u, B", 40, 2),
        ("level 0, v, A", 20, 2),
    ]


def test_frame_hash_covers_every_field():
    frame = BIG[:4]
    changes = {"id": "x", "level": 9, "task": "Z", "source": "z", "cluster": "c"}
    others = [[replace(frame[0], **{k: v}), *frame[1:]] for k, v in changes.items()]
    assert len({frame_hash(frame), *map(frame_hash, others)}) == 6


@pytest.mark.parametrize(
    ("frame", "per_level", "allocation", "error"),
    [
        ([], 33, "proportional", EmptyFrameError),
        (BIG[:2] + BIG[:1], 33, "proportional", DoubleItemError),
        (BIG, 0, "proportional", SamplingError),
        (BIG, 1, "balanced", SamplingError),
        (BIG, 3, "neyman", SamplingError),
    ],
)
def test_impossible_draws_are_refused(frame, per_level, allocation, error):
    with pytest.raises(error):
        draw(frame, per_level, 1, allocation=allocation)


def test_refusals_name_what_is_wrong():
    with pytest.raises(EmptyFrameError, match="no judged items"):
        draw([], 33, seed=1)
    with pytest.raises(DoubleItemError, match=f"^Item {BIG[0].id} is in the frame twice") as caught:
        draw(BIG[:2] + BIG[:1], 33, seed=1)
    assert caught.value.item == BIG[0].id
    with pytest.raises(SamplingError, match="balanced sample needs at least 2 items"):
        draw(BIG, 1, seed=1, allocation="balanced")
    with pytest.raises(SamplingError, match="not 'neyman'"):
        draw(BIG, 3, seed=1, allocation="neyman")


def test_hash_of_a_frame_stays_the_same_in_every_later_version():
    frame = [FrameItem("ié", 2, "A-Add", "people", "p1"), FrameItem("b", 0, "P-Comp", "m", "c")]
    assert frame_hash(frame) == frame_hash(frame[::-1])
    assert frame_hash(frame) == "daf5c796986e4590f17748bd9b83d7c3b105c07d970646d8ef96bfc8be29977e"
