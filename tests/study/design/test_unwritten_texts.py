"""The checklist names texts of a study of people that no one has written yet."""

import pytest

from app.study.design import default_texts
from app.study.design.check_item import FINE
from app.study.design.spec import check_study
from tests.study.design.test_checklist import REAL, item

TEXTS = [  # a text that a study of people needs, not written yet
    ("consent", {}),
    ("debrief", {}),
    ("debrief", {"debrief": ""}),
    ("contact", {"contact": ""}),
    ("pay", {"pay": ""}),
    ("pay", {"pay": default_texts.DEMO_PAY}),
]


@pytest.mark.parametrize(("name", "texts"), TEXTS)
@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_text_that_is_not_written_yet_is_named_in_pilots_too(name, texts, language):
    texts = {"pay": "GBP 4", "contact": "me@example.org", **texts}
    payment = {"payment": {"base_cents": 0}} if name == "pay" else {}
    for kind in ("pilot", "real"):
        spec = check_study({**REAL, "kind": kind, "texts": texts, "language": language, **payment})
        found = item(spec, name)
        assert found.level != FINE, kind
        assert (found.path, bool(found.advice)) == (f"texts.{name}", True)
    spec = check_study({**REAL, "kind": "bots", "texts": texts, "language": language, **payment})
    assert item(spec, name).level == FINE
