"""A program that plays a study through the API, for tests."""

from datetime import UTC, datetime

import sqlalchemy as sa

from app.study.design import studies
from app.study.models import agent_keys, runs

NOW = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
API = "/api/v1"
MIXED = {
    "blocks": [
        {"task": "A-Over", "seeds": [1]},
        {"task": "A-Comp", "seeds": [5], "format": "direct"},
    ]
}
RULE = {"inputs": "both", "output": "the item", "how": "one each"}


class Agent:
    """A program with a key of the study; `slug` as in the fixture."""

    def __init__(self, server, client, slug="demo", name="lab", scope="play"):
        self.server, self.client = server, client
        with server.store.read() as db:
            self.study = studies.find(db, slug)
        self.key = agent_keys.make(server.store, self.study, name, scope, "ada", NOW)
        self.headers = {"Authorization": f"Bearer {self.key}"}

    def get(self, path):
        return self.client.get(API + path, headers=self.headers)

    def post(self, path, **body):
        return self.client.post(API + path, headers=self.headers, json=body)

    def open(self, **body):
        answer = self.post("/runs", **{"agent": "my-agent", **body})
        assert answer.status_code == 201, answer.text
        return answer.json()

    def variant(self, run, episode):
        """Return the stored variant of an episode, and the index of the episode in it."""
        with self.server.store.read() as db:
            found = runs.find(db, self.study, run)
            places = [
                (self.server.library.variant(db, cell.variant_hash), index)
                for cell in found.cells
                for index in range(len(self.server.library.variant(db, cell.variant_hash).episodes))
            ]
        return places[episode - 1]

    def win(self, run, episode):
        """Play an episode's solution; returns the last answer."""
        variant, index = self.variant(run, episode)
        for seq, line in enumerate(variant.episodes[index].solutions[0], start=1):
            answer = self.post(f"/runs/{run}/episodes/{episode}/commands", seq=seq, raw=line)
            assert answer.status_code == 200, answer.text
        return answer.json()

    def finish(self, run, rule=None):
        """Play and explain everything."""
        shown = self.get(f"/runs/{run}").json()
        for one in shown["episodes"]:
            if one["format"] == "episodic":
                self.win(run, one["episode"])
            else:
                self.state(run, one["episode"])
        for variant in range(1, shown["variants"] + 1):
            answer = self.post(f"/runs/{run}/variants/{variant}/explanation", **(rule or RULE))
            assert answer.status_code == 200, answer.text

    def state(self, run, episode):
        variant, index = self.variant(run, episode)
        process = dict(variant.outputs)[variant.episodes[index].output]
        answer = self.post(f"/runs/{run}/episodes/{episode}/answer", item=process.item)
        assert answer.status_code == 200, answer.text
        return answer.json()


def rows(server, table):
    with server.store.read() as db:
        return db.execute(sa.select(table).order_by(table.c.id)).all()


def is_problem(answer, status, code):
    """Check a problem detail; return it."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    found = answer.json()
    assert (found["status"], found["code"]) == (status, code)
    assert found["type"] == f"/api/v1/docs#{code}"
    assert found["title"]
    assert found["detail"]
    return found
