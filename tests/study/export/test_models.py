"""Runs of models in exports: every run, episode, turn and call, and the hash of the words given."""

import csv
import hashlib
import io
import json

import pytest
import sqlalchemy as sa

from app.agents.words import given
from app.game.view import player_view
from app.store.models.calls import model_call
from app.store.models.runs import model_run
from app.store.rating import judges
from app.study.design import studies
from app.study.export import files
from app.study.models import proof, runs
from app.study.models.judging import JudgeRunner
from tests.models.played import NOW, play
from tests.models.scripted import Players, Scripted
from tests.study.story import NOON, Story

STORY = {
    "blocks": [{"task": "A-Over", "seeds": [1]}, {"task": "A-Comp", "seeds": [5]}],
    "per_player": 1,
}
SECRET = "a secret of the player"


@pytest.fixture
def story(store):
    """A study that a person and a model played; a model judges what the person wrote."""
    story = Story(store, **STORY)
    token = story.enter()
    story.win(token, 0, 0)
    story.explain(token, 0, 0, inputs=SECRET)
    play(store, "story", explains="none")
    judge(store)
    return story


def judge(store):
    from app.models.asker import Asker, Endpoint
    from app.models.limits import Limits, Meter
    from app.study.models.prices import Price

    with store.read() as db:
        study = studies.find(db, "story")
    with Scripted(Players([])).serving() as url:
        wanted = runs.Wanted("judge", "j", url, "overall", "paper", {})
        number = runs.create(store, study, wanted, NOW)
        with store.read() as db:
            run = runs.find(db, study, number)
        asker = Asker(Endpoint(url, "j", attempts=1), Meter(Limits(), Price()), 1)
        JudgeRunner(store, run, asker, lambda: NOW).drive(1)
        asker.close()


def rows(store, table):
    text = b"".join(files.stream_csv(store, "story", table, "csv")).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_runs_episodes_turns_and_calls_are_exported_with_their_kind_of_player(story):
    store = story.store
    played, judged = rows(store, "model_run")
    assert (played["kind"], played["method"], played["player_kind"]) == ("play", "plain", "model")
    assert (judged["kind"], judged["method"]) == ("judge", "overall")
    episodes = rows(store, "model_episode")
    turns = rows(store, "model_turn")
    calls = rows(store, "model_call")
    own = [call for call in calls if call["run"] == "1"]
    assert int(played["calls"]) == len(own) == len(turns)
    assert len(turns) == sum(int(one["actions_used"]) for one in episodes)
    assert float(played["cost"]) == len(own) * (100 * 1000 + 10 * 10_000) / 1e6
    assert {one["norm_eff"] for one in episodes} == {"1.0"}
    assert {one["player_kind"] for one in (*episodes, *turns, *calls)} == {"model"}
    assert {one["player_kind"] for one in rows(store, "episode")} == {"participant"}
    assert {one["variant_hash"] for one in episodes} <= {
        one["variant_hash"] for one in rows(store, "variant")
    }


def test_both_sides_have_the_hash_of_the_words_they_were_given(story):
    person, *_ = rows(story.store, "episode")
    theirs = {
        (one["variant_hash"], one["variant_episode"]): one["words_hash"]
        for one in rows(story.store, "model_episode")
    }
    with story.store.read() as db:
        variant = story.table.library.variant(db, person["variant_hash"])
    words = given(player_view(variant, int(person["variant_episode"])), "episodic")
    assert person["words_hash"] == hashlib.sha256(words.encode()).hexdigest()
    assert theirs[person["variant_hash"], person["variant_episode"]] == person["words_hash"]


def test_altered_word_in_a_stored_prompt_takes_the_hash_away(story):
    name = rows(story.store, "model_episode")[0]["unit"]
    where = (model_call.c.unit == name) & (model_call.c.n == 1)
    with story.store.write() as db:
        text = db.execute(sa.select(model_call.c.request).where(where)).scalar_one()
        assert text.count("THE WORLD") == 1
        new = text.replace("THE WORLD", "The world")
        db.execute(sa.update(model_call).where(where).values(request=new))
    assert not rows(story.store, "model_episode")[0]["words_hash"]


@pytest.mark.parametrize("with_prompts", [False, True])
def test_shareable_bundle_has_prompts_on_request_and_a_judges_never(story, tmp_path, with_prompts):
    files.export(
        story.store, "story", tmp_path / "b", NOON, shareable=True, with_prompts=with_prompts
    )
    manifest = json.loads((tmp_path / "b" / "manifest.json").read_text("utf-8"))
    assert manifest["with_prompts"] is with_prompts
    (path,) = (tmp_path / "b" / "data").glob("*level-modelcall_data.csv")
    calls = list(csv.DictReader(io.StringIO(path.read_text("utf-8"), newline="")))
    by_run = {
        run: {bool(one["request"]) for one in calls if one["run"] == run} for run in ("1", "2")
    }
    assert by_run == {"1": {with_prompts}, "2": {False}}
    assert {one["text_reason"] for one in calls if one["run"] == "2"} == {"not_shared"}
    assert SECRET not in "".join(one.read_text("utf-8") for one in tmp_path.rglob("*.csv"))


def test_plain_bundle_has_every_prompt(story):
    calls = rows(story.store, "model_call")
    assert all(one["request"] and not one["text_reason"] for one in calls)
    assert any(SECRET in one["request"] for one in calls)
    with story.store.read() as db:
        assert len(judges.runs(db, 1)) == 1


def certificate(folder):
    return json.loads((folder / "documentation" / "parity-certificate.json").read_text("utf-8"))


@pytest.mark.parametrize("preset", ["paper", "package"])
def test_certificate_of_a_bundle_proves_the_same_words_or_says_which_differ(
    store, tmp_path, preset
):
    """The package's budget is another, so its models read no budget."""
    story = Story(store, **STORY)
    story.enter()
    play(store, "story", explains="none", preset=preset)
    files.export(store, "story", tmp_path / "b", NOON)
    found = certificate(tmp_path / "b")
    (model,) = found["models"]
    assert found["same"] is (preset == "paper")
    assert model["verdict"] == ("same words" if preset == "paper" else "other words")
    assert (model["design_version"], found["participants"]["design_versions"]) == (1, [1])
    assert model["shared"] == found["participants"]["episodes"] == len(found["words"]) == 2
    for one in found["words"]:
        assert (one["participants"] == list(one["models"].values())) is (preset == "paper")


def certified(store, folder):
    files.export(store, "story", folder, NOON)
    found = certificate(folder)
    (model,) = found["models"]
    return found, model


def test_pages_in_another_language_are_other_words_and_the_certificate_names_it(store, tmp_path):
    Story(store, **STORY, language="de").enter()
    play(store, "story", explains="none")
    assert {one["language"] for one in rows(store, "episode")} == {"de"}
    found, model = certified(store, tmp_path / "b")
    assert (found["same"], found["participants"]["languages"]) == (False, ["de"])
    assert (model["verdict"], model["other"], model["shared"]) == ("other words", 2, 2)
    assert model["words_people"] != model["words_model"]


def test_digests_of_both_sides_cover_every_shared_episode_in_order(store, tmp_path):
    Story(store, **STORY).enter()
    play(store, "story", explains="none")
    found, model = certified(store, tmp_path / "b")
    text = "\n".join(one["participants"][0] for one in found["words"])
    assert len(found["words"]) == 2
    assert model["words_people"] == hashlib.sha256(text.encode()).hexdigest()
    assert model["words_model"] == model["words_people"]


def forget(store):
    """Make the run one of those whose settings do not say whether models read the budget."""
    with store.write() as db:
        for row in db.execute(sa.select(model_run)):
            kept = {k: v for k, v in json.loads(row.settings).items() if k != "budget_shown"}
            db.execute(sa.update(model_run).values(settings=json.dumps(kept)))


@pytest.mark.parametrize("old", [False, True])
def test_hidden_budget_is_hidden_from_models_too_and_old_runs_replay(store, tmp_path, old):
    Story(store, **STORY, options={"show_budget": False}).enter()
    play(store, "story", explains="none", created=forget if old else lambda _store: None)
    asked = [one["request"] for one in rows(store, "model_call")]
    assert any("Every command counts as one." in one for one in asked) is old
    _, model = certified(store, tmp_path / "b")
    assert model["verdict"] == ("other words" if old else "same words")
    with store.read() as db:
        run = runs.find(db, studies.find(db, "story"), 1)
    assert proof.verify(store, run).ok


@pytest.mark.parametrize(("preset", "tries", "budget"), [("paper", 6, 24), ("package", 12, 96)])
def test_tries_of_a_cond_are_the_presets_in_every_stored_row(store, preset, tries, budget):
    Story(store, blocks=[{"task": "A-Cond", "seeds": [3]}], per_player=1)
    play(store, "story", explains="none", preset=preset)
    episodes, results = rows(store, "model_episode"), rows(store, "model_result")
    assert {(row["n_tries"], row["budget"]) for row in episodes} == {(str(tries), str(budget))}
    assert {row["n_tries"] for row in results} == {str(tries)}
