"""RV of explanations: means of ratings, halved, and the newest decision."""

from app.scoring.rv import SOURCES, Rv, counts, level_of, rv_by_item


def test_rv_by_source_and_final_is_the_newest_decision_with_a_value():
    found = rv_by_item(
        judged=[("a", 1), ("a", 2), ("b", None)],
        rated=[("a", 2), ("a", 1), ("a", None), ("b", 0)],
        decided=[("a", 2, 0), ("a", 1, 2), ("a", 3, None), ("c", 1, 1)],
    )
    assert found == {
        "a": Rv(0.75, 0.75, 0.0),
        "b": Rv(None, 0.0, 0.0),
        "c": Rv(None, None, 0.5),
    }
    assert [found["a"].of(source) for source in SOURCES] == [0.75, 0.75, 0.0]
    assert [found["b"].of(source) for source in SOURCES] == [None, 0.0, 0.0]


def test_training_and_hidden_repeats_make_no_rv():
    assert counts("main", repeat=False)
    assert counts("gold", repeat=False)
    assert not counts("training", repeat=False)
    assert not counts("main", repeat=True)


def test_four_criteria_make_an_rv_of_their_sum_over_eight():
    assert level_of(None, (1, 2, 0, 1)) == 1
    found = rv_by_item(
        judged=[("a", level_of(None, (1, 2, 0, 1))), ("b", level_of(None, (2, 2, 2, 1)))],
        rated=[("a", level_of(None, (0, 0, 0, 1))), ("a", level_of(2, (None,) * 4))],
        decided=[("b", 1, level_of(None, (0, 1, 1, 1)))],
    )
    assert found == {"a": Rv(0.5, 0.5625, 0.5625), "b": Rv(0.875, None, 0.375)}


def test_incomplete_criteria_make_no_rv():
    assert level_of(None, (1, 2, None, 1)) is None
    assert level_of(None, (None,) * 4) is None
    assert level_of(None, ()) is None
