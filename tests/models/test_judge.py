"""A model as a judge: its scores, its malformed answers, its repeats, and what it never sees."""

import json

import pytest
import sqlalchemy as sa

from app.agents.answering import RUBRICS, response_format
from app.store.models.calls import model_call
from app.store.rating import judges
from app.store.rating.items import item
from app.study.people import withdrawal
from app.study.tickets import new_ticket
from tests.models.scripted import SCORES, Scripted
from tests.study.story import Story


@pytest.fixture
def explained(run_model):
    """Four explanations by a model."""
    run_model("--label", "The author")


@pytest.fixture
def judge(facts, endpoint, explained):
    def run(*more, code=0):
        base = ("judge", "run", "--study", "demo", "--model", "j", "--base-url", endpoint)
        return facts(*base, *more, code=code)

    return run


def scores(store):
    with store.read() as db:
        return [list(judges.scores(db, one.id)) for one in judges.runs(db, 1)]


def test_judge_scores_every_explanation_as_a_judge_of_kind_llm(judge, store, facts):
    assert judge()["state"] == "finished"
    with store.read() as db:
        (run,) = judges.runs(db, 1)
    assert (run.kind, run.model, run.ok, run.malformed) == ("llm", "j", 4, 0)
    assert json.loads(run.parameters)["temperature"] == 0
    ((*found,),) = scores(store)
    assert {(row.score, row.inputs) for row in found} == {(2, None)}
    assert facts("model", "verify", "--study", "demo", "--run", 2)["ok"]


def test_criteria_are_four_scores_and_repeats_are_judges_of_their_own(judge, store):
    judge("--rubric", "criteria", "--repeats", 2)
    first, second = scores(store)
    wanted = {"inputs": 1, "output": 2, "structure": 0, "generality": 1, "score": None}
    for row in (*first, *second):
        assert {name: getattr(row, name) for name in wanted} == wanted
    with store.read() as db:
        names = [one.judge for one in judges.runs(db, 1)]
    assert names == ["j criteria paper", "j criteria paper (repeat 2)"]


@pytest.mark.parametrize(
    ("preset", "chosen", "rubric"),
    [
        ("paper", (), "overall"),
        ("package", (), "criteria"),
        ("package", ("--rubric", "overall"), "overall"),
        ("paper", ("--rubric", "criteria"), "criteria"),
    ],
)
def test_rubric_is_the_presets_unless_it_is_chosen(judge, store, preset, chosen, rubric):
    assert judge("--preset", preset, "--schema", *chosen)["method"] == rubric
    with store.read() as db:
        (run,) = judges.runs(db, 1)
    assert run.prompt_version.startswith(f"{rubric}-")


def test_dry_run_counts_the_calls_of_a_judge_and_sends_nothing(judge, script, store):
    before = len(script.requests)
    said = judge("--repeats", 3, "--preset", "package", "--dry-run")
    assert (said["items"], said["repeats"], said["calls"]) == (4, 3, 12)
    assert said["answer_tokens"] == 12 * 1024
    assert (len(script.requests), scores(store)) == (before, [])
    assert judge("--items", "players", "--dry-run")["calls"] == 0
    assert judge("--tasks", "A-Over", "--dry-run")["calls"] == 2
    judge("--repeats", 3, "--preset", "package")
    sent = script.prompts[before:]
    assert len(sent) == 12
    assert said["prompt_tokens"] == -(-sum(map(len, sent)) // 4)


def test_dry_run_of_a_judge_counts_explanations_that_are_not_yet_items(
    make_study, endpoint, facts, store
):
    """Those of participants become items when a judge begins, so a dry run leaves them alone."""
    make_study(slug="people", kind="bots", blocks=[{"task": "A-Over", "seeds": [1]}], per_player=1)
    facts("simulate", "--study", "people", "--bots", "oracle:2")
    base = ("judge", "run", "--study", "people", "--model", "j", "--base-url", endpoint)
    said = facts(*base, "--dry-run")
    with store.read() as db:
        assert db.execute(sa.select(item)).all() == []
    assert said["items"] > 0
    assert facts(*base)["calls"] == said["calls"] == said["items"]
    assert facts(*base, "--tasks", "A-Over", "--items", "models", "--dry-run")["items"] == 0


def test_sampling_is_the_presets_and_top_p_is_never_sent(judge, script):
    for more in ((), ("--preset", "package"), ("--preset", "package", "--temperature", 0.5)):
        judge(*more)
    sent = [(body["temperature"], "top_p" in body) for body, _ in script.requests[-12:]]
    assert sent == [(0, False)] * 4 + [(1.0, False)] * 4 + [(0.5, False)] * 4


@pytest.mark.parametrize(("preset", "tokens"), [("paper", 512), ("package", 1024)])
def test_answer_of_a_judge_has_the_limit_of_answers(judge, script, preset, tokens):
    judge("--preset", preset)
    sent = [body["max_tokens"] for body, _ in script.requests if body["model"] == "j"]
    assert sent == [tokens] * 4


@pytest.mark.parametrize("rubric", RUBRICS)
def test_schema_of_the_answer_is_sent_on_request_only(judge, script, rubric):
    judge("--rubric", rubric)
    judge("--rubric", rubric, "--schema")
    sent = [body.get("response_format") for body, _ in script.requests if body["model"] == "j"]
    assert sent == [None] * 4 + [response_format(rubric)] * 4


MALFORMED = {
    "no object": "2",
    "text": '{"score": "2"}',
    "half": '{"score": 1.5}',
    "outside": '{"score": 3}',
    "true": '{"score": true}',
    "missing": '{"rating": 2}',
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_answer_is_kept_and_never_a_score(judge, store, script, name):
    answer = script.answer

    def reply(prompt):
        return MALFORMED[name] if '"score"' in prompt else answer(prompt)

    script.answer = reply
    judge()
    ((*found,),) = scores(store)
    assert {(row.status, row.score, row.raw) for row in found} == {
        ("malformed", None, MALFORMED[name])
    }
    assert all(row.problem for row in found)


def test_judge_sees_rule_and_text_but_not_the_author(judge, script):
    judge()
    asked = [one for one in script.prompts if '"score"' in one]
    assert len(asked) == 4
    for prompt in asked:
        assert "Which traits matter: both" in prompt
        assert "decide" in prompt
        assert "The author" not in prompt
        assert '"m"' not in prompt


def test_judge_goes_on_where_it_stopped_and_takes_new_explanations(
    judge, facts, script, store, run_model
):
    stopped = judge("--max-calls", 2, "--concurrency", 1, code=1)
    assert stopped["calls"] == 2
    run_model("--label", "Another")
    facts("model", "resume", "--study", "demo", "--run", 2)
    ((*found,),) = scores(store)
    assert len(found) == 8
    asked = [one for one in script.prompts if '"score"' in one]
    assert len(asked) == 8


def test_altered_score_is_found_by_verify(judge, store, facts):
    judge()
    with store.write() as db:
        db.execute(
            sa.update(judges.judge_score).where(judges.judge_score.c.id == 1).values(score=1)
        )
    report = facts("model", "verify", "--study", "demo", "--run", 2, code=1)
    assert [one["field"] for one in report["differences"]] == ["score"]


def test_erasing_a_person_blanks_what_the_judge_was_asked_about_them(store, facts):
    story = Story(store)
    tokens = [story.enter(), story.enter()]
    for token, text in zip(tokens, ("my secret rule", "the other rule"), strict=True):
        story.win(token, 0, 0)
        story.explain(token, 0, 0, inputs=text)
    with Scripted(lambda _prompt: SCORES).serving() as url:
        facts("judge", "run", "--study", "story", "--model", "j", "--base-url", url)
    withdrawal.withdraw(store, tokens[0], new_ticket(), story.now())
    with store.read() as db:
        asked = db.execute(sa.select(model_call).order_by(model_call.c.id)).all()
    kept_texts = sorted((row.request != "", row.raw != "", row.text != "") for row in asked)
    assert kept_texts == [(False, False, False), (True, True, True)]
    assert "my secret rule" not in "".join(row.request for row in asked)
    assert facts("model", "verify", "--study", "story", "--run", 1)["ok"]
