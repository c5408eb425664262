"""Which explanations a judge rates: all, people's, models', a sample's, those of some tasks."""

from types import SimpleNamespace

import pytest

from app.store.rating import items, judges
from app.study.design import studies
from app.study.models.judged_items import choices
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
