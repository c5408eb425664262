"""Which explanations a judge rates: all, people's, models', a sample's, those of some tasks."""

from types import SimpleNamespace

import pytest

from app.store.rating import items, judges
from app.study.design import studies
from app.study.models.judged_items import choices, chosen, ids_in
from tests.models.scripted import SCORES, Scripted
from tests.study.story import NOON, Story


@pytest.fixture
def judged(store, facts):
    """A study with explanations by two people and a model of three rules; judge it."""
    story = Story(store)
    for text in ("first rule", "second rule"):
        token = story.enter()
        story.win(token, 0, 0)
        story.explain(token, 0, 0, inputs=text)
    script = Scripted(lambda prompt: SCORES if '"score"' in prompt else "I do not know.")
    with script.serving() as url:
        with store.write() as db:
            add_models(db)

        def run(*more, code=0):
            base = ("judge", "run", "--study", "story", "--model", "j", "--base-url", url)
            return facts(*base, *more, code=code)

        yield SimpleNamespace(run=run, url=url, script=script)


def add_models(db):
    """Two explanations of a model, of both tasks."""
    study = studies.find(db, "story")
    hashes = {name.partition("/")[0]: found for name, found in study.hashes.items()}
    for task in ("A-Over", "P-Add"):
        row = {
            "study_id": study.id,
            "external_id": f"model/{task}",
            "kind": items.MODEL,
            "source": "m",
            "cluster": f"m|{task}",
            "task": task,
            "seed": 1,
            "lexicon": "semantic",
            "coverage": "1",
            "variant_hash": hashes[task],
            "text": f"the model's rule of {task}",
            "imported_by": "ada",
            "created_at": NOON,
        }
        items.insert(db, [row])


def rated(store):
    """Return the texts that the newest judge rated."""
    with store.read() as db:
        run = max(judges.runs(db, 1), key=lambda one: one.number)
        rows = {row.id: row for row in items.of_study(db, 1)}
        return sorted(rows[one.item_id].text for one in judges.scores(db, run.id))


WRONG = {
    "some": "items: must be",
    "sample:x": "items: must be",
    "sample:9": "no sample 9",
    "ids:": "at least one explanation",
    "ids:model/A-Over,nobody": "no explanation 'nobody'",
}


@pytest.mark.parametrize("choice", WRONG)
def test_choice_that_cannot_be_made_is_refused_before_anything_is_asked(judged, hjstudy, choice):
    base = ("judge", "run", "--study", "story", "--model", "j", "--base-url", judged.url)
    code, _, message = hjstudy(*base, "--items", choice)
    assert (code, WRONG[choice] in message, judged.script.requests) == (2, True, [])
    code, _, message = hjstudy(*base, "--tasks", "P-Add,B-Add")
    assert (code, "no task 'B-Add'" in message, judged.script.requests) == (2, True, [])


def test_judge_rates_the_explanations_that_were_chosen(judged, store, facts):
    verify = ("model", "verify", "--study", "story", "--run")
    of_models = ["the model's rule of A-Over", "the model's rule of P-Add"]
    for number, (options, texts) in enumerate(
        [
            (("--items", "models"), of_models),
            (("--items", "models", "--tasks", "P-Add"), of_models[1:]),
            (("--items", "players"), ["first", "second"]),
            ((), ["first", "second", *of_models]),
            (("--items", "ids:model/P-Add"), of_models[1:]),
        ],
        start=1,
    ):
        assert judged.run(*options)["state"] == "finished"
        found = rated(store)
        assert len(found) == len(texts)
        assert all(one in text for one, text in zip(texts, found, strict=True))
        report = facts(*verify, number)
        assert (report["ok"], report["units"], report["unfinished"]) == (True, len(texts), 0)


def test_judge_of_a_sample_rates_what_was_drawn_also_after_it_stopped(judged, store, facts):
    judged.run()
    drawn = facts("round", "sample", "story", "--judge", 1, "--per-level", 2)
    assert (drawn["drawn"], drawn["frame"]) == (2, 4)
    label = ("--label", "again")
    stopped = judged.run(
        "--items", "sample:1", *label, "--max-calls", 1, "--concurrency", 1, code=1
    )
    assert stopped["calls"] == 1
    resume = ("model", "resume", "--study", "story", "--run", 2)
    assert facts(*resume)["state"] == "finished"
    assert len(rated(store)) == 2
    report = facts("model", "verify", "--study", "story", "--run", 2)
    assert (report["units"], report["unfinished"]) == (2, 0)
    with store.read() as db:
        assert [value for value, _ in choices(db, 1)] == ["all", "players", "models", "sample:1"]


def test_single_explanations_are_named_by_their_ids_also_before_they_are_items(
    judged, store, facts
):
    with store.read() as db:
        (first, _) = items.new_explanations(db, 1)
    name = f"{first.public_id}-w{first.block_position + 1}-r{first.after + 1}"
    asked = ("--items", f"ids:{name}, model/A-Over")
    dry = judged.run(*asked, "--dry-run")
    assert (dry["calls"], judged.script.requests) == (2, [])
    assert judged.run(*asked)["calls"] == 2
    assert ["first" in text for text in rated(store)] == [True, False]


def test_form_names_single_explanations_one_per_line():
    assert chosen("players", "") == "players"
    assert chosen("", "") == "all"
    found = chosen("all", 'a-w1-r1\n\n "b, c" \nd,e\n')
    assert ids_in(found) == ["a-w1-r1", "b, c", "d,e"]
