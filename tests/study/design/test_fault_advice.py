"""Faults of a study file say what is right, not only what is wrong."""

import pytest

from app.study.design import near_fields
from app.study.design.spec import StudyFileError, StudySpec, parse_study

HEAD = "slug: a\ntitle: A\n"
BLOCKS = "blocks:\n  - {task: A-Comp, seeds: 0-3}\n"
WRONG = "there is no such field."


def message_of(text):
    with pytest.raises(StudyFileError) as caught:
        parse_study(text)
    return caught.value.message


def asked(key, more=""):
    return f"questions: {{before: [{{key: age, label: Age?, kind: number, {key}: 5}}]{more}}}"


FIELDS = [  # a line of a file, the field, what is meant
    (asked("min"), "questions.before.0.min", ["least"]),
    (asked("Max"), "questions.before.0.Max", ["most"]),
    (asked("leest"), "questions.before.0.leest", ["least"]),
    (asked("requird"), "questions.before.0.requird", ["required"]),
    ("questions: {after: [{name: age, label: Age?}]}", "questions.after.0.name", ["key"]),
    ("participants: 30", "participants", ["people.quota"]),
    ("people: {participants: 30}", "people.participants", ["quota"]),
    ("people: {qota: 30}", "people.qota", ["quota"]),
    ("treatment: lexicon", "treatment", ["between"]),
    ("per-player: 2", "per-player", ["per_player"]),
    ("task: A-Add", "task", ["blocks.task"]),
    ("minutes: 20", "minutes", ["texts.minutes"]),
    ("pay: GBP 4", "pay", ["payment", "texts.pay", "baseline.pay"]),
    ("people: {minutes: 20}", "people.minutes", ["texts.minutes"]),
    ("options: {payment: 1}", "options.payment", ["payment"]),
    ("codes: {complete: '007'}", "codes.complete", ["finished"]),
    ("clocks: {session_minutes: 60}", "clocks.session_minutes", ["session_hours"]),
]


@pytest.mark.parametrize(("line", "path", "fields"), FIELDS)
def test_unknown_field_names_the_one_that_is_meant(line, path, fields):
    quoted = [f"`{one}`" for one in fields]
    names = quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
    message = message_of(f"{HEAD}{BLOCKS}{line}\n")
    assert f"{path}: {WRONG} Did you mean {names}? (line 5)" in message.split("\n")


def test_seed_of_a_block_is_seeds_and_not_the_seed_of_the_study():
    message = message_of(f"{HEAD}blocks: [{{task: A-Add, seed: 1}}]\n")
    assert f"blocks.0.seed: {WRONG} Did you mean `seeds`?" in message


def test_unknown_field_like_no_other_lists_the_fields_of_its_section():
    message = message_of(f"{HEAD}{BLOCKS}rule_form: {{xyzzy: 1}}\n")
    assert message == (
        f"rule_form.xyzzy: {WRONG} The fields here are: when, parts, confidence, found_how (line 5)"
    )


def test_field_written_with_dots_as_in_the_docs_is_explained():
    message = message_of(f"{HEAD}{BLOCKS}people.quota: 30\n")
    assert message == (
        f"people.quota: {WRONG} Write `people:`, and indented below it `quota:` (line 5)"
    )


def test_everything_that_is_said_to_be_meant_is_a_field():
    known = {path for path, _ in near_fields.paths(StudySpec)}
    for section, words in near_fields.MEANT.items():
        for word, field in words.items():
            assert (f"{section}.{field}" if section else field) in known, (section, word)
            assert (f"{section}.{word}" if section else word) not in known, (section, word)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("lexicon", "[semantic, nonce]"),
        ("coverage", '[1, "1/3"]'),
        ("format", "[episodic, direct]"),
        ("task", "[A-Add, A-Comp]"),
    ],
)
def test_list_where_a_block_has_one_value_says_to_write_a_line_for_each(name, values):
    rest = "seeds: 1" if name == "task" else "task: A-Add, seeds: 1"
    assert message_of(f"{HEAD}blocks:\n  - {{{rest}, {name}: {values}}}\n") == (
        f"blocks.0.{name}: takes one value: write one line of blocks per {name}, and "
        f"`between: {name}` if each player plays only one of them (line 4)"
    )


SHAPES = [
    ("texts: {pay: true}", "texts.pay: must be text: write it in quotes"),
    ("texts: {pay: {code}}", "texts.pay: must be text: write it in quotes"),
    ("texts: {pay: }", "texts.pay: is empty: write a text, or remove the line"),
    ("texts: {pay: [a, b]}", "texts.pay: takes one value, not a list"),
    ("per_player: [1, 2]", "per_player: takes one value, not a list"),
    ("order: [latin, fixed]", "order: takes one value, not a list"),
    ("options: {tap: [yes]}", "options.tap: takes one value, not a list"),
    ("people: {groups: a}", "people.groups: must be a list: one entry a line, each after `- `"),
    (
        "rule_form: yes",
        "rule_form: must be a mapping of fields: when, parts, confidence, found_how",
    ),
    (
        "questions: {comprehension: [Cost?]}",
        "questions.comprehension.0: must be a mapping of fields: key, label, options, answer",
    ),
]


@pytest.mark.parametrize(("line", "message"), SHAPES)
def test_value_of_the_wrong_shape_says_how_to_write_it(line, message):
    assert message_of(f"{HEAD}{BLOCKS}{line}\n") == f"{message} (line 5)"


def test_list_of_distractors_says_to_write_a_line_for_each():
    text = f"{HEAD}blocks: [{{task: A-Add, seeds: 1, distractors: [0, 4]}}]\n"
    assert "takes one value, not a list: write one line of blocks for each" in message_of(text)


def test_unknown_lexicon_lists_the_lexica_as_an_unknown_task_lists_the_tasks():
    text = f"{HEAD}blocks: [{{task: A-Foo, seeds: 1, lexicon: Nonce}}]\n"
    task, lexicon = message_of(text).split("\n")
    assert "unknown task 'A-Foo' (A-Add, A-Comp," in task
    assert lexicon == "blocks.0.lexicon: unknown lexicon 'Nonce' (semantic, nonce) (line 3)"


def test_too_few_worlds_say_what_to_add_or_to_change():
    assert message_of(f"{HEAD}blocks: [{{task: A-Add, seeds: 1}}]\nper_player: 2\n") == (
        "per_player: only 1 world is defined: add seeds or lines to the cells (blocks), or use 1 "
        "here (line 4)"
    )


TABS = [
    ("people:\n\tquota: 30\n", 6),
    ("people:\n  quota: 30\n\tburst: 3\n", 7),
    ("people:\n  \tquota: 30\n", 6),
    ("texts:\n  pay: |\n\tGBP 4\n", 7),
    ("\tper_player: 2\n", 5),
]


@pytest.mark.parametrize(("lines", "number"), TABS)
def test_tab_at_the_start_of_a_line_is_named(lines, number):
    assert message_of(f"{HEAD}{BLOCKS}{lines}") == (
        f"This is not YAML, line {number}: it begins with a tab: indent with blanks"
    )


def test_tab_inside_a_text_is_no_fault():
    spec = parse_study(f"{HEAD}{BLOCKS}texts:\n  pay: a\tb\n")
    assert spec.texts.pay == "a\tb"
