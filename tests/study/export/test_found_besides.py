"""A shareable bundle has no ID, e-mail address or common name that its report does not name.

What researchers release text by text is in `test_shared.py`; this is about everything else.
"""

import json
import re

import pytest

from app.store.models import agent_keys as key_rows
from app.study.design import studies
from app.study.export import files as exports
from app.study.export import remaining
from app.study.export.coarse import Coarse
from app.study.export.columns import EXPORT_COLUMNS
from app.study.export.searched import EVERYWHERE, KINDS, MADE, searched
from app.study.models import agent_keys, agent_steps, agents, results
from app.study.play import process_data
from app.study.rating import judge_file, model_items
from app.study.tickets import new_ticket
from tests.study.export.test_shared import bundle, release_all, table
from tests.study.story import NOON, Story

ID, MAIL, NUMBER = "5f3c9a1b2d4e6f7a", "gudrun@uni-y.example", "7301948265"
PHONE, NAME = "1715550199", "Erika"
SECRETS = {"holds_an_id": ID, "holds_an_email": MAIL, "looks_like_name": NAME}
ASKED = [
    {"key": "how_many", "label": "How many?", "kind": "number"},
    {"key": "who", "label": "Who?", "kind": "choice", "options": [f"{NAME} M.", "someone"]},
]
CHANGES = {
    "blocks": [{"task": "A-Over", "seeds": [1]}],
    "per_player": 1,
    "title": f"A story of {NAME}",
    "people": {"process_data": True},
    "questions": {"before": ASKED, "comment": False},
    "baseline": {"recruitment": f"We left out {ID}.", "population": f"Write to {MAIL}."},
    "texts": {"consent": f"Call us: 0{PHONE}, or write to {MAIL} about this study."},
}
GIVEN = {"how_many": "12", "who": f"{NAME} M."}
RULE = {"inputs": "the class", "how": "one each"}


@pytest.fixture
def story(store):
    """People who released everything, and models, items and groups with names of people."""
    story = Story(store, **CHANGES)
    token = story.enter(GIVEN, external_id=ID, platform="prolific", group=f"group-{NAME.lower()}")
    story.enter(GIVEN, external_id=NUMBER, platform="connect", group="wave 1234567")
    batch = json.dumps([["resize", 7, "73019x48265", None], ["resize", 7, "1280x720", None]])
    process_data.store_batch(store, token, "world/1/guardian/1", batch, "Firefox/1", story.now())
    story.type(token, 0, 0, *story.solution(token, 0, 0))
    story.explain(token, 0, 0, **RULE)
    import_models(story)
    play_as_agent(story)
    release_all(store)
    return story


def import_models(story):
    """Import a model's explanation, results and judge, which hold IDs, addresses and names."""
    study = study_of(story)
    own = story.store, study, story.table.library
    item = {"id": f"item-{ID}", "source": f"bot of {MAIL}", "task": "A-Over", "seed": 1}
    texts = [f"as {ID} said", f"ask {MAIL}", f"ask {NAME}"]
    lines = [{**item, "id": f"{item['id']}-{at}", "text": text} for at, text in enumerate(texts)]
    model_items.store_all(*own, text_of(lines), "desk", new_ticket(), NOON)
    score = {"item": f"{item['id']}-2", "score": 2, "model": f"judge-{ID}", "judge": f"J. {NAME}"}
    score["prompt_version"] = "v1 Jürgen Weißenfels"  # no common name: only its form tells
    judge_file.store_all(story.store, study.id, text_of([score]), "", "desk", new_ticket(), NOON)
    result = {"model": f"model of {NAME} {MAIL}", "task": "A-Over", "seed": 1, "episode": 1}
    results.store_all(
        *own,
        text_of([{**result, "success": True, "actions_used": 8}]),
        {},
        "desk",
        new_ticket(),
        NOON,
    )


def study_of(story):
    with story.store.read() as db:
        return studies.find(db, "story")


def text_of(lines):
    return "\n".join(json.dumps(line) for line in lines)


def play_as_agent(story):
    """Let a program play whose name and commands hold an ID and an e-mail address."""
    store, library, study = story.store, story.table.library, study_of(story)
    agent_keys.make(store, study, "lab", "play", "ada", NOON)
    with store.read() as db:
        row = db.execute(key_rows.agent_key.select()).one()
    key = agent_keys.Key(row.id, row.study_id, row.name, "play")
    names = f"agent of {MAIL} {ID}", f"agent of {MAIL} {ID}"
    number = agents.open_run(store, study, key, names, agents.Chosen(), NOON)
    with store.read() as db:
        run = agents.run_of(db, study, key, number)
        variant = library.variant(db, run.cells[0].variant_hash)
    lines = ("look", f"go {ID}", f"go to {MAIL}", *variant.episodes[0].solutions[0])
    for seq, line in enumerate(lines, start=1):
        agent_steps.act(store, library, run, 1, seq, line, NOON)


def report_of(found):
    return json.loads(found["deidentification.json"])


def named(report):
    return {(one["file"], one["column"], one["kind"]): one for one in report["found_besides"]}


def test_every_secret_that_is_left_in_a_shareable_bundle_is_named_by_the_report(story, tmp_path):
    found = bundle(story.store, tmp_path / "a", shareable=True, with_prompts=True)
    places = {(file, column, kind): set(one["listed"]) for (file, column, kind), one in
              named(report_of(found)).items()}  # fmt: skip
    unnamed = []
    for name in EXPORT_COLUMNS:
        for number, row in enumerate(table(found, name.replace("_", "")), start=1):
            for column, text in row.items():
                for kind, secret in SECRETS.items():
                    is_there = secret.lower() in (text or "").lower()
                    if is_there and number not in places.get((name, column, kind), ()):
                        unnamed.append((name, number, column, text))
    for name in ("README.md", "dataset_description.json", "parity-certificate.json"):
        for kind, secret in SECRETS.items():
            if secret in found[name] and not any(
                name in file and kind == what for file, _, what in places
            ):
                unnamed.append((name, kind))
    assert unnamed == []


@pytest.mark.parametrize(
    ("file", "column", "kind"),
    [
        ("README.md, dataset_description.json", "title", "looks_like_name"),
        ("README.md, dataset_description.json", "baseline.recruitment", "holds_an_id"),
        ("README.md, dataset_description.json", "baseline.population", "holds_an_email"),
        ("README.md", "texts.consent", "holds_a_phone"),
        ("documentation/parity-certificate.json", "models", "holds_an_email"),
        ("participant", "tag", "looks_like_name"),
        ("participant", "tag", "long_number"),
        ("answer", "value", "looks_like_name"),
        ("item", "item_id", "holds_an_id"),
        ("item", "source", "holds_an_email"),
        ("item", "text", "looks_like_name"),
        ("judge", "judge", "looks_like_name"),
        ("judge", "model", "holds_an_id"),
        ("judge", "prompt_version", "looks_like_name"),
        ("model_result", "model", "holds_an_email"),
        ("model_run", "label", "holds_an_id"),
        ("model_turn", "label", "holds_an_email"),
    ],
)
def test_each_kind_of_place_is_searched(story, tmp_path, file, column, kind):
    found = bundle(story.store, tmp_path / "a", shareable=True)
    assert (file, column, kind) in named(report_of(found))
    line = f"| {file} | {column} | {KINDS[kind]} |"
    assert line in found["deidentification.md"]


def test_texts_of_models_and_windows_with_an_id_are_left_out_as_texts_of_people_are(
    story, tmp_path
):
    found = bundle(story.store, tmp_path / "a", shareable=True, with_prompts=True)
    items = [one for one in table(found, "item") if one["item_kind"] == "model"]
    assert [one["text_reason"] for one in items] == ["holds_an_id", "holds_an_email", ""]
    assert [bool(one["text"]) for one in items] == [False, False, True]
    turns = table(found, "modelturn")
    assert [one["raw"] for one in turns[:3]] == ["look", "", ""]
    assert turns[3]["raw"] != ""
    assert [bool(one["digest"]) for one in turns[:4]] == [True, False, False, False]
    assert {one["digest"] for one in table(found, "modelepisode")} == {""}
    calls = table(found, "modelcall")
    assert {one["text_reason"] for one in calls} == {"holds_an_id"}  # each names the agent
    windows = [one["detail"] for one in table(found, "process") if one["kind"] == "resize"]
    assert windows == ["", "1280x720"]
    emptied = {(one["table"], one["column"], one["reason"]): one["rows"]
               for one in report_of(found)["emptied"]}  # fmt: skip
    assert emptied == {
        ("model_turn", "raw", "holds_an_id"): 1,
        ("model_turn", "raw", "holds_an_email"): 1,
        ("process", "detail", "holds_an_id"): 1,
    }
    assert "| process | detail | holds_an_id | 1 |" in found["deidentification.md"]


def test_plain_bundle_keeps_texts_of_models(story, tmp_path):
    found = bundle(story.store, tmp_path / "a")
    assert [one["text"] for one in table(found, "item")][-1] == f"ask {NAME}"
    assert table(found, "modelturn")[1]["raw"] == f"go {ID}"
    assert "73019x48265" in {one["detail"] for one in table(found, "process")}


def test_page_and_bundle_give_the_same_report_and_each_text_counts_once(story, tmp_path):
    for options, coarser in (({}, Coarse()), ({"shuffle": True}, Coarse(shuffled=True))):
        made = report_of(bundle(story.store, tmp_path / "a", shareable=True, **options))
        with story.store.read() as db:
            shown = exports.preview(db, studies.find(db, "story"), b"", coarser)
        assert json.loads(json.dumps(shown)) == made
    assert made["left_out"]["item"] == {"holds_an_id": 1, "holds_an_email": 1}


def test_every_text_column_is_searched_unless_hjstudy_makes_it():
    columns = {one.name for columns in EXPORT_COLUMNS.values() for one in columns}
    assert columns >= EVERYWHERE  # none is misspelt
    assert set(MADE) == set(EXPORT_COLUMNS)
    assert set(searched("rating")) == {"item_id", "source", "rubric_version", "comment"}
    assert set(searched("model_turn")) == {"label", "raw"}
    assert set(searched("turn")) == {"raw"}
    assert searched("summary") == searched("episode") == {}


def test_nothing_found_is_said(store, tmp_path):
    story = Story(store)
    story.enter(external_id=ID)
    found = bundle(store, tmp_path / "a", shareable=True)
    assert report_of(found)["found_besides"] == []
    assert remaining.NOTHING_BESIDES in re.sub(r"\s+", " ", found["README.md"])
