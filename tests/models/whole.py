"""What a whole study with people, three models, a judge and raters is made of, and its proof."""

import json
import threading
from random import Random

import pytest
import sqlalchemy as sa

from app.bots.sender import Answer, Sender
from app.store.models.calls import model_call
from app.store.models.runs import model_run
from app.study.report.shape import records, table_named
from tests.bots.rater import HttpRater
from tests.models import scripted
from tests.models.scripted import Fault, Players, Scripted, completion
from tests.own_forms import logged_in

STUDY = {
    "slug": "whole",
    "title": "People and models",
    "kind": "bots",
    "seed": 7,
    "blocks": [
        {"task": "A-Over", "seeds": [1, 2]},
        {"task": "P-Comp", "seeds": [2]},
        {"task": "A-Over", "seeds": [3], "format": "direct"},
    ],
    "per_player": 2,
    "options": {"practice": False},
    "questions": {"comment": False},
}
EPISODES = 2 + 2 + 1 + 2  # guardians of the variants above
VARIANTS = 4
PEOPLE = "oracle:2,enumerator,copycat"
RUNS = {"clever": "plain", "guesser": "react", "copier": "idea"}  # model -> method
BOTS = {"clever": "oracle", "guesser": "enumerator", "copier": "copycat"}
SAYS = {"clever": "all of it", "guesser": "half of it", "copier": "nothing of it"}
LEVEL = {"nothing of it": 0, "half of it": 1, "all of it": 2}  # people write something else: 1
PRICE = {"input": 1000, "output": 10_000}  # per million; a call has 100 and 10 tokens
CALL = 0.2
PER_LEVEL = 4
RATED = 4 + 4 + 3  # one of the clever model's four explanations has no score
ERRORS = {  # rows: true level; columns: what is given
    "ann": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "bob": ((1, 0, 0), (0, 1, 0), (0, 1, 0)),  # never gives a 2
}
# Values 8 x 0, 11 x 1, 3 x 2; three pairs of 1 and 2. Ordinal distances: 0-1: 9.5, 0-2: 16.5,
# 1-2: 7. Observed 3 * 7^2; expected (8 * 11 * 9.5^2 + 8 * 3 * 16.5^2 + 11 * 3 * 7^2) / 21.
ALPHA = 1 - 147 / (16_093 / 21)
WAITS = {"clever": scripted.TIMEOUT_S}  # model -> seconds; the others wait as long as they like
FAULTS = {
    # No transport fault may cost the clever model an episode, and no bad answer more than patience.
    "clever": [
        *(scripted.RATE, scripted.BROKEN, scripted.SLOW, scripted.HTML, scripted.NO_CHOICES),
        *(scripted.CUT, scripted.NOT_JSON),
    ],
    "guesser": [scripted.TOO_LONG],
    "copier": [scripted.RATE],
    "judge": [],
}
STATUSES = {
    "clever": {
        *("ok", "rate_limited", "server_error", "timeout", "not_json", "no_choices", "length")
    },
    "guesser": {"ok", "context"},
    "copier": {"ok", "rate_limited"},
    "judge": {"ok"},
}


def statuses(store):
    """Return model -> the classes of its calls."""
    table = sa.join(model_call, model_run, model_call.c.run_id == model_run.c.id)
    query = sa.select(model_run.c.model, model_call.c.status).select_from(table)
    found = {}
    with store.read() as db:
        for model, status in db.execute(query):
            found.setdefault(model, set()).add(status)
    return found


def level_of(text):
    """Return how good an explanation is, which its words say."""
    return next((level for words, level in LEVEL.items() if words in text.lower()), 1)


class Cast(Scripted):
    """All models at one endpoint, told apart by the name in the request.

    `faults`: model -> what comes in place of its first answers to questions for actions and scores,
    so that no fault can take a direct answer or an explanation.
    """

    def __init__(self, faults):
        super().__init__(None)
        self.parts = {model: Scripted(None, own) for model, own in faults.items()}
        self.parts["judge"].answer = Judge()

    def learn(self, variants):
        """Tell the models what they play."""
        for model, bot in BOTS.items():
            self.parts[model].answer = self.player(model, Players(variants, bot, seed=3))

    @staticmethod
    def player(model, players):
        said = json.dumps({"inputs": "both", "output": SAYS[model], "how": "one each"})

        def answer(prompt):
            return said if '"how"' in prompt else players(prompt)

        return answer

    def reply(self, body, headers):
        part, prompt = self.parts[body["model"]], body["messages"][0]["content"]
        if "say once" in prompt or '"how"' in prompt:
            return Fault(200, json.dumps(completion(part.answer(prompt))))
        return part.reply(body, headers)


class Judge:
    """Answers with the right level, but is malformed at the first explanation of level 2."""

    def __init__(self):
        self.malformed = threading.Semaphore(1)

    def __call__(self, prompt):
        level = level_of(prompt)
        score = "two" if level == 2 and self.malformed.acquire(blocking=False) else level
        return json.dumps({"score": score, "reasoning": "so"})


class ClientSender(Sender):
    """A bot's way to the application through a test client: no socket, no retries."""

    def __init__(self, client):
        self.client, self.resent = client, 0

    def get(self, path):
        return self.answer(self.client.get(path))

    def post(self, path, fields, headers):
        return self.answer(self.client.post(path, data=fields, headers=headers))

    def answer(self, got):
        return Answer(got.status_code, got.url.path, got.text, got.headers)

    def close(self):
        pass


def rate(app, settings):
    """Let both annotators rate everything on their pages; return how many ratings they sent."""
    sent = 0
    for seed, (name, errors) in enumerate(ERRORS.items()):
        browser = ClientSender(logged_in(app, settings, name, "annotator"))
        sent += HttpRater(browser, level_of, errors, Random(seed)).rate_all()
    return sent


def check_agreement(found):
    """The judge, who is right but for one malformed answer, agrees with the annotators."""
    (judge,) = found["judges"]
    assert (judge["judge"], judge["kind"], judge["malformed"]) == (
        *("judge overall paper", "llm"),
        1,
    )
    assert found["items"] == found["items_rated"] == RATED
    assert found["rows"]["balanced"]["human_human"]["alpha"] == pytest.approx(ALPHA)
    for row in (found["rows"]["balanced"], found["rows"]["pool"]):
        (one,) = row["human_judge"]
        alphas = {name: result["alpha"] for name, result in one["each"].items()}
        assert alphas["rater_1"] == 1.0  # ann errs as little as the judge
        assert alphas["rater_2"] == row["human_human"]["alpha"]
        assert one["mean"]["value"] == (alphas["rater_1"] + alphas["rater_2"]) / 2


def check_report(made, labels):
    """`labels`: model -> label of its run. Everything about models stands in the report."""

    def rows(name):
        return records(table_named(made, name))

    check_scores(rows, labels)
    clever = labels["clever"]
    beside = [one for one in rows("models") if one["model"] == clever]
    assert {one["variants"] for one in beside} == {"same"}
    assert {one["task"] for one in beside} >= {"A-Over", "P-Comp"}
    points = {(one["model"], one["task"]): one for one in rows("models_points")}
    assert (points[clever, "A-Over"]["ecsr"], points[clever, "A-Over"]["rv"]) == (1.0, 0.75)
    (relation,) = [one for one in rows("models_relation") if one["family"] == "all"]
    assert relation["models"] == 3
    assert relation["rho"] > 0.3  # who plays better also explains better
    gaps = {one["model"] for one in rows("models_format_gap")}
    assert gaps == set(labels.values())
    parity = {one["model"]: one for one in rows("parity")}
    for label in labels.values():
        assert (parity[label]["verdict"], parity[label]["other"]) == ("same words", 0)
        assert parity[label]["same"] == parity[label]["shared"] == EPISODES


def check_scores(rows, labels):
    cost = {one["model"]: one for one in rows("models_cost")}
    assert set(cost) == set(labels.values())
    for model, label in labels.items():
        assert (cost[label]["method"], cost[label]["episodes"]) == (RUNS[model], EPISODES)
        assert cost[label]["prompt_tokens"] == 10 * cost[label]["completion_tokens"] > 0
    clever, guesser, copier = (cost[labels[model]] for model in RUNS)
    assert (clever["ecsr"], clever["direct"]) == (1.0, 1.0)
    assert guesser["ecsr"] < 1
    assert copier["ecsr"] < 1
    # Halves of what the annotators gave: 2 and 1, both 1, both 0.
    assert [one["rv"] for one in (clever, guesser, copier)] == [0.75, 0.5, 0.0]
