"""A certificate as researchers read it: item names, processes in words, plain JSON."""

import json
from pathlib import Path

import pytest

import app
from app.game.certify import certificate_to_dict, certify, describe_output
from app.game.lexicon import parse_lexicon
from app.game.tasks import TASKS
from app.game.variant import generate

SEMANTIC = parse_lexicon((Path(app.__file__).parent / "lexica/semantic.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("P-Add", ["perform before x1", "perform before x2", "perform before x3"]),
        ("P-Comp", ["perform before", "perform after", "drink before", "drink after"]),
    ],
)
def test_process_is_described_with_its_count_only_where_the_rule_decides_it(
    name: str, words: list[str]
) -> None:
    variant = generate(TASKS[name], 1, SEMANTIC)
    assert [describe_output(variant, output) for output, _ in variant.outputs] == words


def test_item_is_described_by_its_name() -> None:
    variant = generate(TASKS["A-Over"], 1, SEMANTIC)
    assert [describe_output(variant, o) for o, _ in variant.outputs] == [
        process.item for _, process in variant.outputs
    ]


def test_certificate_in_words_is_json_with_one_entry_per_cell_and_function() -> None:
    variant = generate(TASKS["P-Cond"], 3, SEMANTIC)
    worded = json.loads(json.dumps(certificate_to_dict(variant, certify(variant))))
    (cell,) = worded["cells"]
    assert cell["predictions"] == [cell["truth"]]
    assert cell["class"] in variant.classes
    assert cell["role"] in variant.roles
    assert sorted(twin["right"] for twin in worded["twins"]) == [False, True]
    assert [twin["predictions"] == [cell["truth"]] for twin in worded["twins"]] == [
        twin["right"] for twin in worded["twins"]
    ]
    assert (worded["rivals"], worded["n_rivals"], worded["rules_consistent"]) == ([], 0, 1)
    assert worded["conditions"] == {"two_roles_per_class": False, "every_role_in_each_regime": True}
    assert (worded["contextual_bias"], worded["share_determined"]) == (pytest.approx(1 / 3), 1.0)


def test_rival_in_words_names_its_form_and_direction() -> None:
    variant = generate(TASKS["P-Add"], 3, SEMANTIC)
    worded = certificate_to_dict(variant, certify(variant))
    assert [(rival["form"], rival["swapped"]) for rival in worded["rivals"]] == [
        ("override", False),
        ("override", True),
    ]
    truth_worded = worded["cells"][0]["truth"]
    assert all(rival["predictions"] != [truth_worded] for rival in worded["rivals"])
