"""Annotators see an allow-list: no author, model, judge, other annotator or id."""

import re
from dataclasses import fields, is_dataclass
from typing import get_args, get_type_hints

import pytest

from app.study import ground_truth
from app.study.rating import rater_view
from tests.rating_desk import model_line

SECRETS = ("model-zeta", "judge-omega", "prompt-psi", "m-secret-", "Bobs own remark", "rater_2")
ALLOWED = {
    "Given": {
        "revision",
        "value",
        "criteria",
        "skip_reason",
        "flag",
        "comment",
        "saved_at",
        "guess",
    },
    "Place": {"token", "number", "training", "given"},
    "RoundView": {
        *("token", "title", "is_open", "mode", "rubric", "rubric_version", "ask_source"),
        *("paused", "places"),
    },
    "Feedback": {"answer", "same", "text"},
    "ItemView": {
        *("round", "token", "number", "training", "text", "truth", "given", "feedback"),
        *("previous", "following"),
    },
    "Truth": {
        *("version", "task", "sentences", "labels", "classes", "roles", "rows", "notes"),
        "more_notes",
    },
    "GridCell": {"text", "split"},
    "Note": {"kind", "right", "says", "departs", "advice"},
}
MASKS = (
    (r"/rate/(item|round)/[\w-]+", r"/rate/\1/TOKEN"),
    (r'name="ticket" value="[\w-]+"', "TICKET"),
    (r'name="form_key" value="[0-9a-f]{64}"', "KEY"),
    (r'name="shown_ms" value="\d+"', "SHOWN"),
    (r"\d\d:\d\d:\d\d UTC on \d+ \w+", "TIME"),
    (r"ann_\d|bob_\d", "NAME"),
    (r"give this number: [0-9a-f]{16}", "NUMBER"),
)


def reached(kind):
    """Yield every dataclass that a value of this type can contain."""
    if is_dataclass(kind):
        yield kind
        hints = get_type_hints(kind)
        for field in fields(kind):
            yield from reached(hints[field.name])
    for part in get_args(kind):
        yield from reached(part)


def test_pages_are_made_of_an_allow_list():
    found = {kind.__name__: {f.name for f in fields(kind)} for kind in reached(rater_view.ItemView)}
    assert found == ALLOWED
    assert ground_truth.Truth in set(reached(rater_view.ItemView))


@pytest.fixture
def secretive(desk):
    """A round whose items have names that no annotator may see, half of it rated by bob."""
    lines = [
        model_line(n, id=f"m-secret-{n}", source="model-zeta", cluster="model-zeta|x")
        for n in range(6)
    ]
    desk.import_models(lines)
    scores = {line["id"]: n % 3 for n, line in enumerate(lines)}
    desk.judge(scores, model="judge-omega", prompt_version="prompt-psi", raw="Why: model-zeta")
    desk.open(("ann", "bob"), training="m-secret-5 | 1 | Only one trait.")
    bob = desk.browser("bob")
    for place in desk.places("bob"):
        bob.get(f"/rate/item/{place.token}").send(
            "revision", value="2", comment="Bobs own remark", flag="1"
        )
    return desk


def every_page(desk, name):
    """Yield every response that an annotator gets in a round: pages, posts, refusals."""
    browser = desk.browser(name)
    yield browser.get("/rate").answer
    yield browser.get(f"/rate/round/{desk.view(name).token}").answer
    for place in desk.places(name):
        yield browser.get(f"/rate/item/{place.token}").answer
        yield browser.send("revision").answer
        yield browser.send("revision", value="1").answer
        old = {"revision": "0", "value": "2", "ticket": f"again-{place.token}"}
        url = f"/rate/item/{place.token}"
        yield browser.client.post(url, data=old, headers={"HX-Request": "true"})
    yield browser.get(f"/rate/round/{desk.view(name).token}").answer
    yield browser.get("/rate/item/nothing-of-mine").answer
    yield browser.client.get("/rate", headers={"Accept": "application/json"})


def test_no_page_header_or_refusal_tells_author_model_judge_or_other_ratings(secretive):
    seen = 0
    for answer in every_page(secretive, "ann"):
        whole = answer.text + str(answer.headers) + str(answer.url)
        assert [secret for secret in SECRETS if secret in whole] == []
        seen += 1
    assert seen > 25


def masked(text):
    for pattern, mask in MASKS:
        text = re.sub(pattern, mask, text)
    return text


def test_rounds_that_differ_in_author_and_judge_alone_look_the_same_byte_for_byte(
    app, settings, make_study
):
    """Even the order is the same, whoever wrote and judged the texts."""
    from tests.rating_desk import Desk

    walks = []
    for side in range(2):
        make_study(slug=f"side-{side}", title="A small study")
        desk = Desk(app, settings, f"side-{side}")
        lines = [model_line(n, id=f"{side}-{n}", source=f"who-{side}-{n % 4}") for n in range(9)]
        desk.import_models(lines)
        desk.judge({line["id"]: (n * (side + 1)) % 3 for n, line in enumerate(lines)})
        desk.open((f"ann_{side}", f"bob_{side}"), repeat_percent="20")
        walks.append([masked(one.text) for one in every_page(desk, f"ann_{side}")])
    assert walks[0] == walks[1]


def test_tokens_tell_nothing(secretive):
    tokens = [place.token for name in ("ann", "bob") for place in secretive.places(name)]
    assert len(set(tokens)) == len(tokens) == 12
    assert {len(token) for token in tokens} == {16}
    assert sorted(tokens) != tokens


def test_raters_have_orders_of_their_own(desk):
    desk.models(20)
    desk.open(("ann", "bob"))
    texts = {name: [] for name in ("ann", "bob")}
    for name, found in texts.items():
        browser = desk.browser(name)
        for place in desk.places(name):
            page = browser.get(f"/rate/item/{place.token}").answer.text
            found.append(re.search(r"Explanation number (\d+)", page)[1])
    assert sorted(texts["ann"]) == sorted(texts["bob"])
    assert texts["ann"] != texts["bob"]


def test_a_researcher_may_not_rate(desk):
    desk.models(1)
    desk.open(("ann",))
    token = desk.places("ann")[0].token
    assert desk.browser("boss", "researcher").get(f"/rate/item/{token}").answer.status_code == 403
