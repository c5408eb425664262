"""`between` in a study file: what is refused, how many places there are, and the stored hash."""

import pytest

from app.study.design import freeze
from app.study.design.bursts import places_of
from app.study.design.check_item import FINE, LOOK
from app.study.design.checklist import checks
from app.study.design.spec import StudyFileError, check_study
from app.study.design.summary import summary
from app.web.design.cell_fields import CELLS

BOTH = [
    {"task": "A-Add", "seeds": "0-1", "lexicon": "semantic"},
    {"task": "P-Comp", "seeds": "0-1", "lexicon": "nonce"},
]
BASE = {"slug": "arms", "title": "Arms", "blocks": BOTH, "per_player": 2}


def study(**changes):
    return check_study({**BASE, "between": "lexicon", **changes})


@pytest.mark.parametrize(
    ("changes", "path", "words"),
    [
        (
            {"per_player": 3},
            "between",
            "only 2 cells have the lexicon semantic, but each player plays 3 (per_player)",
        ),
        (
            {"blocks": [BOTH[0], {**BOTH[1], "seeds": [4]}]},
            "between",
            "only 1 cell has the lexicon nonce, but each player plays 2",
        ),
        ({"between": "coverage"}, "between", "every cell has the coverage 1"),
        ({"between": "quota"}, "between", "'none', 'lexicon', 'coverage', 'format' or 'task'"),
    ],
)
def test_arms_in_which_no_one_could_play_are_refused_at_their_field(changes, path, words):
    with pytest.raises(StudyFileError) as refused:
        study(**changes)

    assert [fault.path for fault in refused.value.faults][:1] == [path]
    assert words in str(refused.value)


def test_places_are_counted_in_each_arm():
    three = [{**BOTH[0], "quota": 3}, {**BOTH[1], "seeds": "0-2", "quota": 1}]

    assert places_of(study(blocks=three)) == 3 + 1  # 6 seats for two, and 3 seats for two
    assert places_of(study(blocks=three, between="none")) == 4
    assert places_of(study(blocks=[three[0], BOTH[1]])) is None
    odd = [{**BOTH[0], "seeds": "0-2", "quota": 1}, {**BOTH[1], "seeds": "0-2", "quota": 1}]
    assert (places_of(study(blocks=odd)), places_of(study(blocks=odd, between="none"))) == (2, 3)


def test_a_design_without_arms_keeps_the_hash_it_had_before_there_were_any():
    spec = check_study(BASE)
    assert spec.between == "none"
    assert "between" not in freeze.frozen_part(spec)
    assert freeze.frozen_hash(spec) != freeze.frozen_hash(study())


def test_what_differs_between_players_has_one_name_wherever_researchers_read_it():
    field = next(one for one in CELLS.parts if one.path == "between")
    titles = [one.title for one in checks(study()) if one.name == "conditions"]

    assert field.label == "Treatment"
    assert titles == ["Treatment"]
    assert "Treatment" in summary(study())


def conditions(spec):
    return next((one for one in checks(spec) if one.name == "conditions"), None)


def test_checklist_says_who_gets_which_treatment():
    mixed, apart = conditions(study(between="none")), conditions(study())

    assert (mixed.level, mixed.path) == (LOOK, "between")
    assert "some players get several of them" in mixed.found
    assert (apart.level, apart.path) == (FINE, "")
    assert apart.found == "Each player plays with one lexicon only: semantic or nonce."
    one_each = conditions(study(between="none", per_player=1))
    assert (one_each.level, one_each.found) == (
        FINE,
        "Each player plays one world, so one lexicon: semantic or nonce.",
    )
    assert conditions(check_study({**BASE, "blocks": BOTH[:1]})) is None
