"""A design as text and as a form: YAML round trip, faults in words, a page for every field."""

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from app.game.model import COVERAGES
from app.game.tasks import TASK_NAMES, TASKS, task_to_dict
from app.study.design import default_texts, defaults, draft, starts, yaml_file, yaml_text
from app.study.design.seeds import parse_seeds
from app.study.design.spec import StudyFileError, StudySpec, check_study, parse_study
from app.web.design.fields import BY_NAME, SECTIONS
from app.web.design.labels import field_at, label_of
from app.web.design.parts import Entry, Table, read_part, rearrange, show_part

SMALL = {"slug": "autumn", "title": "Autumn", "blocks": [{"task": "A-Over", "seeds": "0-1"}]}

# What can be typed: any character but control characters, odd line ends, YAML's own characters.
signs = st.characters(exclude_categories=["Cs", "Cc"])
odd = st.sampled_from(
    ["- ", ": ", "#", "\n", "\r\n", "\x85", "\n\n", "  ", "\t", "'", '"', "|", "%", "no", "1e3"]
)
texts = st.lists(st.one_of(st.text(signs, max_size=12), odd), max_size=8).map("".join)
filled = texts.map(lambda text: f"{text}x")
lines = texts.map(lambda text: "".join(text.splitlines()))
named = lines.map(lambda text: f"x{text}x")
long = texts.map(lambda text: f"{text} and words enough for a text")
numbers = st.none() | st.integers(1, 1000)
seeds = st.lists(st.integers(0, 30), min_size=1, max_size=6, unique=True)


@st.composite
def blocks(draw):
    """Return lines of cells with each task once."""
    names = draw(st.lists(st.sampled_from(TASK_NAMES), min_size=1, max_size=4, unique=True))
    return [
        {
            "task": name,
            "seeds": draw(seeds),
            "lexicon": draw(st.sampled_from(["semantic", "nonce"])),
            "coverage": draw(st.sampled_from(COVERAGES)),
            "distractors": draw(st.integers(0, 8)),
            "format": draw(st.sampled_from(["episodic", "direct"])),
            "quota": draw(numbers),
        }
        for name in names
    ]


@st.composite
def questions(draw):
    """Return background and comprehension questions with unique keys."""
    options = draw(
        st.lists(named, min_size=2, max_size=4, unique_by=lambda text: tuple(text.split()))
    )
    choice = {"key": "a1", "label": draw(filled), "kind": "choice", "options": options}
    choice |= {"screen_out": options[:1], "answer": draw(st.sampled_from([None, options[1]]))}
    number = {"key": "b2", "label": draw(filled), "kind": "number", "least": draw(numbers)}
    check = {"key": "c3", "label": draw(filled), "options": options, "answer": options[1]}
    return {"before": [choice], "comprehension": [check], "after": [number]}


@st.composite
def specs(draw):
    """Return a whole design."""
    return check_study(
        {
            "slug": "autumn",
            "title": draw(named),
            "kind": draw(st.sampled_from(["demo", "pilot", "real", "bots"])),
            "blocks": draw(blocks()),
            "order": draw(st.sampled_from(["balanced", "latin", "fixed"])),
            "texts": {"consent": draw(long), "instructions": draw(long), "debrief": draw(texts)},
            "questions": draw(questions()),
            "people": {
                "quota": draw(numbers),
                "exclude_studies": draw(st.lists(named, max_size=3)),
            },
            "baseline": {"population": draw(texts)},
            "options": {"salt": draw(lines), "episodes_per_block": draw(st.none() | st.just(2))},
            "tasks": draw(st.sampled_from([[], [own_task()]])),
        }
    )


def own_task():
    return {**task_to_dict(TASKS["A-Add"]), "name": "My-Add"}


@given(specs())
@settings(max_examples=50)
@pytest.mark.long
def test_yaml_of_a_design_read_again_is_the_same_design(spec):
    assert parse_study(yaml_file.file_of(spec)) == spec


@given(texts)
@settings(max_examples=300)
def test_yaml_keeps_any_text(text):
    written = yaml_file.to_yaml({"a": {"b": text, "c": [text]}})
    for read in (yaml.safe_load, lambda one: yaml_text.read(one).data):
        assert read(written) == {"a": {"b": text, "c": [text]}}


@given(specs())
@settings(max_examples=30)
@pytest.mark.long
def test_a_form_sent_back_untouched_is_the_same_design(spec):
    document = spec.model_dump(mode="json")
    for section in SECTIONS:
        part = read_part(section, posted(section, document))
        document = draft.merged(document, part)
    assert check_study(document) == spec


def posted(section, document):
    """Return what a browser would send for an unchanged page."""
    found = {}
    for part in section.parts:
        shown = show_part(part, document, [], {})
        fields = [f for line in shown["lines"] for f in line["fields"]] if shown["table"] else []
        for field in fields or ([] if shown["table"] else [shown["f"]]):
            if field["kind"] != "check":
                found[field["name"]] = field["value"].replace("\n", "\r\n")
            elif field["value"]:
                found[field["name"]] = "1"
    return found


@given(seeds)
def test_seeds_in_short_are_read_as_the_same_seeds_in_their_order(numbers):
    assert parse_seeds(yaml_file.short_seeds(numbers)) == tuple(numbers)


def test_yaml_of_an_unfinished_draft_keeps_what_is_wrong():
    text = yaml_file.to_yaml({**SMALL, "per_player": "many"})
    with pytest.raises(StudyFileError, match="per_player: must be a whole number"):
        parse_study(text)


FAULTS = [
    ({"slug": "Not OK"}, "slug: use only a-z, 0-9 and hyphens between them, at most 64 characters"),
    ({"title": ""}, "title: is missing"),
    ({"blocks": []}, "blocks: needs at least one entry"),
    ({"per_player": 3}, "per_player: only 2 worlds are defined"),
    ({"per_player": "x"}, "per_player: must be a whole number"),
    ({"colour": "red"}, "colour: there is no such field"),
    ({"clocks": {"seat_minutes": 2}}, "clocks.seat_minutes: must be 5 or more"),
    ({"codes": {"kind": "static"}}, "codes.finished: is missing; enter the static code"),
    (
        {"codes": {"return_url": "http://x"}},
        "codes.return_url: must start with https://",
    ),
    ({"texts": {"consent": "short"}}, "texts.consent: needs at least 20 characters"),
    ({"texts": {"contact": "x" * 501}}, "texts.contact: can have at most 500 characters"),
    (
        {"payment": {"currency": "eur"}},
        "payment.currency: use three capital letters, such as GBP",
    ),
    ({"title": "a\0b"}, "title: contains a character that cannot be stored"),
    ({"title": "a\nb"}, "title: must be one line"),
    ({"lexica": "{mine: {}}"}, "lexica.mine."),
    ({"tasks": "- {name: X}"}, "tasks.0."),
    ({"tasks": "[1, 2"}, "tasks: this is not YAML"),
]


@pytest.mark.parametrize(("change", "line"), FAULTS)
def test_fault_names_its_field_in_plain_words(change, line):
    with pytest.raises(StudyFileError) as caught:
        check_study({**SMALL, **change})
    assert caught.value.message.startswith(line)


def test_faults_of_several_lines_are_all_named_at_once():
    lines = [{"task": "Nope", "seeds": 0}, {"task": "A-Add", "seeds": 1, "lexicon": "none"}]
    with pytest.raises(StudyFileError) as caught:
        check_study({**SMALL, "blocks": [*lines, {"task": "A-Add", "seeds": "0-1"}] * 2})
    paths = [fault.path for fault in caught.value.faults]
    assert paths == [
        *("blocks.0.task", "blocks.1.lexicon", "blocks.3.task"),
        *("blocks.3.seeds", "blocks.4.lexicon", "blocks.4.seeds", "blocks.5.seeds"),
    ]


def test_a_key_used_twice_is_named_at_the_second():
    one = {"key": "age", "label": "Age?", "kind": "number"}
    with pytest.raises(StudyFileError, match=r"^questions.after.0.key: 'age' occurs twice$"):
        check_study({**SMALL, "questions": {"before": [one], "after": [one]}})


def test_a_fault_in_one_part_does_not_hide_those_of_another():
    document = check_study(SMALL).model_dump(mode="json")
    document |= {"per_player": 9, "clocks": {"idle_minutes": 0}, "kind": "odd"}
    paths = {fault.path for fault in draft.faults(document)}
    assert paths == {"per_player", "clocks.idle_minutes", "kind"}


def leaves(model, path=""):
    """Yield the fields of the file, including each field of a list of parts."""
    for name, field in model.model_fields.items():
        here = f"{path}.{name}" if path else name
        kind = field.annotation
        inner = [one for one in getattr(kind, "__args__", ()) if hasattr(one, "model_fields")]
        if hasattr(kind, "model_fields") or inner:
            yield from leaves(inner[0] if inner else kind, f"{here}.0" if inner else here)
        else:
            yield here


def places():
    """Return every field on the pages, with lines of tables as line 0."""
    found = []
    for part in (part for section in SECTIONS for part in section.parts):
        if isinstance(part, Table):
            found += [f"{part.path}.0.{entry.path}" for entry in part.entries]
        else:
            found.append(part.path)
    return found


def test_every_field_of_a_study_file_stands_on_one_page_alone():
    found = [*places(), "slug", "questions.after.0.screen_out"]
    assert sorted(found) == sorted(set(leaves(StudySpec)))


def test_every_place_has_a_label_and_finds_itself():
    for path in places():
        assert (label_of(path) != path, field_at(path)) == (True, path)


@pytest.mark.parametrize(
    ("path", "field", "label"),
    [
        ("questions.before.1.options.2", "questions.before.1.options", "Options of a choice"),
        (
            "options.id_parameters.0",
            "options.id_parameters",
            "Link parameters with the participant’s ID",
        ),
        ("blocks.3.seeds", "blocks.3.seeds", "Cells, line 4: Seeds"),
        ("questions.before.0", "questions.before.0", "Before the game, question 1"),
        ("lexica.mine.places", "lexica", "Lexica"),
    ],
)
def test_fault_inside_a_field_is_shown_at_the_field(path, field, label):
    assert field_at(path) == field
    assert label in label_of(path)


def test_lines_are_added_moved_and_removed_as_a_button_says():
    section, part = BY_NAME["cells"], {"blocks": [{"task": "a"}, {"task": "b"}]}
    assert rearrange(part, section, "add.blocks") == "blocks-2"
    assert rearrange(part, section, "up.blocks.1") == "blocks-0"
    assert [one["task"] for one in part["blocks"]] == ["b", "a", ""]
    assert rearrange(part, section, "remove.blocks.0") == "blocks"
    assert rearrange(part, section, "down.blocks.0") == "blocks-1"
    assert [one["task"] for one in part["blocks"]] == ["", "a"]
    for nonsense in ("up.blocks.9", "remove.people.0", "add.texts", "save", "remove.blocks.x"):
        assert rearrange(part, section, nonsense) == ""
    assert len(part["blocks"]) == 2


def test_paper_shape_is_seven_people_with_eight_tasks_each():
    spec = check_study(starts.PAPER_SHAPE)
    assert [cell.task for cell in spec.cells()] == list(TASK_NAMES)
    assert (spec.per_player, spec.people.quota, spec.order) == (8, 7, "latin")
    assert spec.rule_form.when == "episode"


@pytest.mark.parametrize(
    ("title", "slug"),
    [("Autumn 2026!", "autumn-2026"), ("  – Ünï –", "n"), ("", ""), ("x" * 99, "x" * 64)],
)
def test_slug_is_made_of_a_title(title, slug):
    assert starts.slug_of(title) == slug


def test_number_that_is_none_stays_as_typed():
    entry = BY_NAME["clocks"].parts[0]
    assert isinstance(entry, Entry)
    part = read_part(BY_NAME["clocks"], {"clocks.seat_minutes": "soon", "clocks.idle_minutes": "7"})
    assert (part["clocks.seat_minutes"], part["clocks.idle_minutes"]) == ("soon", 7)


def test_what_a_stored_document_does_not_say_is_shown_as_it_would_count():
    short = {**SMALL, "questions": {"before": [{"key": "age", "label": "Age?"}]}}
    assert default_texts.with_default_texts(defaults.filled(StudySpec, short)) == {
        **check_study(short).model_dump(mode="json"),
        "blocks": [{**defaults.filled(StudySpec, SMALL)["blocks"][0], "seeds": "0-1"}],
    }


def test_filling_in_leaves_what_is_wrong_as_it_is():
    wrong = {"slug": "a", "blocks": "none", "texts": [], "clocks": {"idle_minutes": "soon"}}
    found = defaults.filled(StudySpec, wrong)
    assert (found["blocks"], found["texts"]) == ("none", [])
    assert found["clocks"]["idle_minutes"] == "soon"
    assert "title" not in found
