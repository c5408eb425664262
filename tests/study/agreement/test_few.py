"""Few items: no coefficient has an interval, and the page says the same of each."""

import pytest

from app.study.agreement import document


@pytest.mark.parametrize(("per_level", "has"), [(3, False), (10, True)])
def test_kappa_and_spearman_have_an_interval_where_alpha_has_one(make_facts, per_level, has):
    facts, _ = make_facts(per_level=per_level)
    found = document.build(facts, "score", replicates=200)
    for row in (found["rows"]["balanced"], found["rows"]["pool"]):
        made = [one[name] for one in row["pairs"] for name in ("quadratic_kappa", "spearman")]
        for one in (row["human_human"], *made):
            assert (one["interval"] is not None) == has
            if not has:
                assert "units are too few (fewer than 10)" in one["interval_reason"]["reason"]
