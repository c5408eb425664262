"""What the methods paragraph says of other raters."""

from app.study.agreement import other_raters


def test_interval_for_other_raters_is_of_the_unweighted_alpha_only():
    rows = [
        {"alpha": 0.7, "raters": 5, "interval": None, "warning": "few"},
        {"alpha": 0.6, "raters": 5, "interval": {"low": 0.4, "high": 0.8}, "warning": "few"},
    ]
    found = other_raters.sentence(
        {"over_raters": dict(zip(("pool", "balanced"), rows, strict=True))}
    )
    assert "the interval of the unweighted alpha is" in found
    assert found.endswith("few")
