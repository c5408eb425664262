"""What the checklist says about codes that are equal, or copied from our guides."""

import re
from pathlib import Path

import pytest

from app.study.design.check_item import FINE, LOOK
from app.study.design.checklist import checks
from app.study.design.spec import check_study

DOCS = Path(__file__).parents[3] / "docs"
PROLIFIC = "https://app.prolific.com/submissions/complete"
CODES = {
    "kind": "static",
    "finished": "CDONE11",
    "no_consent": "CNONE22",
    "withdrawn": "CLEFT33",
    "return_url": f"{PROLIFIC}?cc={{code}}",
}
WRITTEN = re.compile(
    r"\b(?:finished|no_consent|screened_out|failed_check|withdrawn|technical): ([A-Z0-9]{5,})"
)


def found_with(study_kind="real", questions=None, **codes):
    """Return the item about codes for a study with these changes to good ones."""
    study = {
        "slug": "s",
        "title": "S",
        "blocks": [{"task": "A-Over", "seeds": [0]}],
        "kind": study_kind,
    }
    spec = check_study({**study, "questions": questions or {}, "codes": {**CODES, **codes}})
    return next(one for one in checks(spec) if one.name == "codes")


def test_a_code_of_its_own_for_each_outcome_is_fine():
    assert found_with().level == FINE
    assert found_with(technical="CTECH44").level == FINE


@pytest.mark.parametrize("kind", ["real", "pilot"])
@pytest.mark.parametrize("code", ["CDONE11", "cdone11", " CDONE11 "])
def test_code_for_finishing_that_others_get_too_is_named_with_who_gets_it(kind, code):
    found = found_with(kind, no_consent=code)

    assert (found.level, found.path) == (LOOK, "codes.no_consent")
    assert "the same code, CDONE11, if they finish or do not consent," in found.found
    assert "people who do not finish submit the code for finishing" in found.found
    assert "Create a code for each of these outcomes" in found.advice


def test_two_outcomes_besides_finishing_with_one_code_are_named():
    found = found_with(withdrawn="CTECH44", technical="CTECH44")

    assert (found.level, found.path) == (LOOK, "codes.technical")
    assert "if they withdraw or are stopped by a technical problem," in found.found
    assert "does not tell them apart" in found.found
    assert "code for finishing" not in found.found


def test_unused_codes_are_not_compared():
    assert found_with(failed_check="CDONE11").level == FINE  # there is no check to fail
    own = {"kind": "personal", "return_url": "https://example.org/?cc={code}"}
    assert found_with(**own, finished="CNONE22").level == FINE  # each person gets another
    asked = {"comprehension": [{"key": "a", "label": "A?", "options": ["x", "y"], "answer": "x"}]}
    assert found_with(questions=asked, failed_check="CDONE11").level == LOOK


@pytest.mark.parametrize("kind", ["demo", "bots"])
def test_studies_without_participants_need_no_codes_of_a_platform(kind):
    assert found_with(kind, no_consent="CDONE11", withdrawn="C1ABCDEF").level == FINE


def test_example_codes_of_every_guide_are_known_and_named():
    pages = [path.read_text("utf-8") for path in DOCS.rglob("*.md")]
    examples = {code for page in pages for code in WRITTEN.findall(page)}
    assert {"C1ABCDEF", "C2ABCDEF", "C3ABCDEF", "C4ABCDEF"} <= examples

    for code in examples:
        found = found_with(withdrawn=code)
        assert (found.level, found.path) == (LOOK, "codes.withdrawn"), code
        assert f"These codes are examples from the guides: {code}." in found.found
        assert "Enter the codes that the platform shows you." in found.advice


def test_everything_that_is_wrong_is_named_at_once():
    found = found_with(finished="C1ABCDEF", no_consent="C1ABCDEF", withdrawn="")

    assert "There is no code for participants who: withdraw." in found.found
    assert "the same code, C1ABCDEF," in found.found
    assert "examples from the guides: C1ABCDEF." in found.found


@pytest.mark.parametrize(
    "address", [PROLIFIC, "https://app.prolific.com/", f"{PROLIFIC}?x=1", "https://prolific.co"]
)
@pytest.mark.parametrize("kind", ["static", "personal"])
def test_return_to_prolific_without_a_code_says_what_to_add(address, kind):
    found = found_with(return_url=address, kind=kind)

    assert (found.level, found.path) == (LOOK, "codes.return_url")
    assert "People return to Prolific without their code." in found.found
    assert f"Use {PROLIFIC}?cc={{code}}." in found.advice
    assert "Put {code} where the platform expects it." not in found.advice


def test_return_address_with_one_fixed_code_is_for_studies_with_one_code_only():
    address = f"{PROLIFIC}?cc=CDONE11"
    found = found_with(return_url=address)
    assert (found.level, found.path) == (LOOK, "codes.return_url")
    assert "The return address contains the code for finishing" in found.found

    found = found_with(return_url=address, no_consent="", withdrawn="")
    assert "contains the code" not in found.found
    assert "without their code" not in found.found


def test_other_platforms_may_have_the_code_pasted():
    assert found_with(return_url="https://example.org/done").level == FINE
