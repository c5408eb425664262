"""Which table of a report's page comes first."""

import re

import pytest

from tests.web.report.reported import QUICK

PAIRS = {
    "none": ({"lexicon": "nonce"}, "baseline_first"),
    "lexicon": ({"lexicon": "nonce"}, "lexicon"),
    "coverage": ({"coverage": "1/3"}, "coverage"),
    "format": ({"format": "direct"}, "format_gap"),
    "task": ({"task": "A-Add"}, "baseline_first"),  # every table compares tasks
}


@pytest.mark.one_database
@pytest.mark.parametrize("between", PAIRS)
def test_comparison_of_treatments_comes_first_after_who_took_part(make_study, researcher, between):
    other, first = PAIRS[between]
    line = {"task": "A-Comp", "seeds": [1]}
    make_study(slug="apart", blocks=[line, line | other], between=between, per_player=1)
    text = researcher.client.get(f"/admin/studies/apart/report{QUICK}").text

    listed = re.findall(r'<li><a href="#(\w+)">', text.partition('aria-label="Tables"')[2])
    shown = re.findall(r'<h2 id="(\w+)">', text)
    assert listed == shown
    assert shown[0] == first
    assert text.index('<dl class="counts">') < text.index(f'<h2 id="{first}">')
    assert len(set(shown)) == len(shown) > 10
