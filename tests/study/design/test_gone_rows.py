"""The log of changes names deleted rows briefly, and is read back exactly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.study.design import gone_rows

ROWS = st.sets(st.integers(1, 60), min_size=1)


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        (["3", "1", "2", "10"], "1-3, 10"),
        (["2/1", "2/3", "1/9", "2/2"], "1/9, 2/1-2/3"),
        (["1/9", "2/10"], "1/9, 2/10"),
    ],
)
def test_keys_are_shortened_to_ranges(keys, text):
    [(name, written, what)] = gone_rows.lines({"judge_score": keys, "judge_run": []})
    assert (name, written, what) == ("rows of judge_score", text, "deleted")
    assert set(gone_rows.read(text)) == set(keys)


@given(ROWS, ROWS)
def test_keys_are_read_back(first, second):
    for keys in ({str(one) for one in first}, {f"{a}/{b}" for a in first for b in second}):
        [(_, text, _)] = gone_rows.lines({"sample_item": keys})
        assert set(gone_rows.read(text)) == keys
