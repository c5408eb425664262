"""The terms that a report's page explains."""

import re
from pathlib import Path

from app.study.report.terms import TERMS

GLOSSARY = Path(__file__).parents[3] / "docs" / "glossary.md"


def test_terms_of_a_report_mean_what_the_glossary_says():
    glossary = re.sub(r"[*`]", "", GLOSSARY.read_text("utf-8")).lower()
    apart = [one for one, (meaning, _) in TERMS.items() if meaning.lower()[:-1] not in glossary]
    assert apart == []
