"""Every form that refuses something says so above its fields, with a link to each of them."""

from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest

from app.settings import Settings
from app.study.people import accounts
from tests.own_forms import OwnForms
from tests.walker import Walker
from tests.web.design.designing import part
from tests.web.design.test_design import WRONG

CHECK = {"key": "cost", "label": "Cost?", "options": ["Nothing", "One"], "answer": "One"}
AGE = {"key": "age", "label": "Age?", "kind": "number"}
SEX = {"key": "sex", "label": "Sex?", "kind": "choice", "options": ["f", "m", "x"]}
ADMIN = "/admin/studies/demo"


class Errors(HTMLParser):
    """The elements of a page with an id, its messages at fields, and the links of its notices."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.messages, self.links, self.open = {}, set(), [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        found = {name: value or "" for name, value in attrs}
        if found.get("id"):
            assert found["id"] not in self.elements, f"two elements {found['id']}"
            self.elements[found["id"]] = (tag, found)
        if found.get("class") == "error":
            self.messages.add(found["id"])
        is_notice = found.get("class") == "problem" and found.get("role") == "alert"
        if tag in {"p", "div"}:
            self.open.append((tag, is_notice))
        if tag == "a" and any(marked for _, marked in self.open):
            self.links.append(found["href"])

    def handle_endtag(self, tag):
        while tag in {"p", "div"} and self.open and self.open.pop()[0] != tag:
            pass

    def takes_focus(self, name):
        tag, found = self.elements[name]
        return tag in {"input", "select", "textarea"} or found.get("tabindex") == "-1"

    def described_by(self, message):
        return {
            name
            for name, (_, found) in self.elements.items()
            if message in found.get("aria-describedby", "").split()
        }


@pytest.fixture
def settings(store_url, tmp_path):
    return Settings(
        database_url=store_url,
        data_dir=tmp_path / "data",
        htmx_source="local",
        threads=24,
        model_endpoints="local=http://127.0.0.1:1/v1",
    )


def check(page, *fields):
    """Check a page's notice: its links lead to these fields, which take the focus."""
    assert page.answer.status_code == 422, page.answer.text
    found = Errors(page.answer.text)
    assert {one.removeprefix("#") for one in found.links} == set(fields)
    assert all(found.takes_focus(name) for name in fields)
    for message in found.messages:
        assert found.described_by(message) & set(fields), message


def enter(client, make_study, **changes):
    make_study(options={"practice": False}, **changes)
    return Walker(client).enter()


def test_questions_link_to_those_not_answered(client, make_study):
    asked = {"before": [AGE, SEX], "comment": False}
    check(enter(client, make_study, questions=asked).send("ticket"), "q_age", "q_sex")


@pytest.mark.parametrize("answers", [{}, {"q_cost": "Nothing"}])
def test_check_links_to_what_is_not_answered_and_to_what_is_wrong(client, make_study, answers):
    asked = {"comprehension": [CHECK, {**CHECK, "key": "more"}], "comment": False}
    page = enter(client, make_study, questions=asked).send("ticket", q_more="One", **answers)
    if answers:
        assert page.answer.status_code == 200
        page.answer.status_code = 422  # it is stored, and shown after a redirect
    check(page, "q_cost")


def test_direct_question_and_rule_and_report_link_to_their_fields(client, make_study):
    block = {"task": "A-Over", "seeds": [1], "format": "direct"}
    page = enter(client, make_study, blocks=[block], per_player=1)
    check(page.send("item"), "item", *(["activity"] if "activity" in page.answer.text else []))
    check(page.get(f"/p/{page.token}/problem").send("text"), "text")


def test_rule_links_to_its_fields(player, look):
    player.type(*look.solution(player.token)).to_rule()
    check(player.send("confidence", confidence="very"), "inputs", "confidence")


@pytest.mark.parametrize(
    ("url", "hook", "typed", "fields"),
    [
        ("/admin/new-study", "start", {"title": "", "slug": "!!"}, ("title", "slug")),
        ("/admin/new-study", "text", {"text": "title: [", "ticket": "t" * 20}, ("text",)),
        (f"{ADMIN}/design-file", "text", {"text": "title: ["}, ("text",)),
        (f"{ADMIN}/plan", "people", {"people": "x", "seed": "y"}, ("people", "seed")),
        (f"{ADMIN}/rating/rounds/new", "rubric", {"k": "x"}, ("title", "k", "raters", "items")),
        ("/admin/annotators", "name", {"name": ""}, ("name",)),
        (f"{ADMIN}/members", "role", {"name": ""}, ("name",)),
        (f"{ADMIN}/report/models/keys", "scope", {"name": ""}, ("name",)),
        (f"{ADMIN}/report/models/start", "preset", {"model": ""}, ("model",)),
        (
            f"{ADMIN}/report/models/start",
            "preset",
            {"model": "m", "max_calls": "x"},
            ("max_calls",),
        ),
        (f"{ADMIN}/rating/judges/run", "preset", {"model": "m", "items": "x"}, ("items",)),
        (f"{ADMIN}/report/models", "lexicon", {"text": ""}, ("text",)),
        (f"{ADMIN}/recruit", "count", {"count": "x"}, ("count",)),
        (f"{ADMIN}/recruit", "count", {"days": "x"}, ("days",)),
        (f"{ADMIN}/recruit", "ids", {"ids": "", "days": "0"}, ("given_ids",)),
        (f"{ADMIN}/recruit", "ids", {"ids": "p1", "days": "x"}, ("given_days",)),
        (f"{ADMIN}/recruit", "text", {"text": ""}, ("file",)),
        ("/admin/account", "code", {"code": "1", "password": "x"}, ("factor-code",)),
    ],
)
def test_researchers_form_links_to_its_fields(researcher, url, hook, typed, fields):
    check(researcher.get(url).send(hook, **typed), *fields)


def test_links_that_a_design_cannot_have_link_to_no_field_of_another_form(researcher, make_study):
    make_study(slug="no-ids", options={"id_parameters": []})
    check(researcher.get("/admin/studies/no-ids/recruit").send("count", count="3"))


@pytest.mark.parametrize(("section", "field", "value"), [one[:3] for one in WRONG])
def test_section_of_the_design_links_to_its_fields(researcher, section, field, value):
    page = part(researcher, section, "demo").send("revision", **{field: value})
    check(page, field.replace(".", "-"))


def test_section_of_the_design_links_to_a_line_and_to_its_fields(researcher):
    page = part(researcher, "questions", "demo").send("revision", do="add.questions.before")
    page.send("revision")
    found = Errors(page.answer.text)
    assert found.messages
    assert found.links
    assert all(found.takes_focus(one.removeprefix("#")) for one in found.links)


def test_confirmation_of_a_deletion_links_to_its_field(researcher, make_study):
    make_study(slug="empty", kind="pilot")
    researcher.client.post("/admin/studies/empty/actions/close")
    check(researcher.get("/admin/studies/empty/remove").send("name", name="other"), "name")


def test_settings_of_report_and_planner_link_to_their_fields(researcher):
    for words, field in (("seed=x", "seed"), ("idle=0", "idle"), ("rv=x", "rv")):
        check(researcher.get(f"{ADMIN}/report?{words}"), field)
    asked = "pool=typed&level_0=x&seed=y&width=0.2"
    check(researcher.get(f"{ADMIN}/rating/planner?{asked}"), "level_0", "seed")


def test_manual_action_links_to_its_field(researcher, player, look):
    url = f"/admin/participants/{look.person(player.token).public_id}"
    wanted = [({"reason": ""}, "reason"), ({"action": "void", "reason": "odd"}, "episode")]
    wanted += [({"action": "bonus_sent", "reason": "odd", "amount": "x"}, "amount")]
    for typed, field in wanted:
        check(researcher.get(url).send("reason", **typed), f"hand-{field}")


def test_login_and_a_new_password_link_to_their_fields(app, settings, study, desk):
    with OwnForms(app, base_url=settings.base_url) as client:
        stranger = Walker(client)
        check(stranger.get("/admin/login").send("password", name="x", password="y"), "name")
        token = accounts.add(desk.store, "ann", "annotator", datetime.now(UTC))
        check(stranger.get(f"/admin/welcome/{token}").send("password", password="s"), "password")


def test_lists_and_files_link_to_their_fields(researcher, desk):
    text = "Who,State\np1,APPROVED\n"
    page = researcher.get(f"{ADMIN}/recruit").send("text", text=text)
    found = Errors(page.answer.text)
    assert {"#column_external_id", "#column_status"} & set(found.links)
    for kind in ("judges", "models"):
        form = researcher.get(f"{ADMIN}/rating").page.forms
        action = f"{ADMIN}/rating/{kind}"
        sent = next(one.fields for one in form if one.action == action)
        researcher.answer = researcher.client.post(action, data={**sent, "text": ""})
        check(researcher, f"{kind}-file")


def test_sample_links_to_its_field(researcher, desk):
    desk.models(2)
    desk.judge({"m0": 1, "m1": 2})
    for typed, field in (({"per_level": "x"}, "per-level"), ({"seed": "x"}, "seed")):
        check(researcher.get(f"{ADMIN}/rating").send("per_level", **typed), field)


def test_texts_link_to_the_first_decision(researcher, player, look):
    player.type(*look.solution(player.token)).to_rule().explain()
    page = researcher.get(f"{ADMIN}/texts").send("note")
    first = next(one for one in Errors(page.answer.text).elements if one.startswith("decide-"))
    check(page, first)


@pytest.mark.parametrize(
    ("mode", "typed", "fields"),
    [
        ("overall", {}, ("value", "guess")),
        ("overall", {"value": "skip", "guess": "model"}, ("skip_reason",)),
        ("criteria", {"inputs": "1"}, ("output", "structure", "generality", "guess")),
    ],
)
def test_rating_links_to_what_is_missing(desk, study, mode, typed, fields):
    desk.models(2)
    desk.open(("ann", "bob"), mode=mode, ask_source="item")
    ann = desk.browser("ann").get(f"/rate/item/{desk.places('ann')[0].token}")
    check(ann.send("revision", **typed), *fields)


def test_question_after_a_round_and_a_decision_link_to_their_fields(desk, study, researcher):
    desk.models(1)
    number = desk.open(("ann", "bob"), ask_source="round")
    for name, value in (("ann", "0"), ("bob", "2")):
        one = desk.browser(name).get(f"/rate/item/{desk.places(name)[0].token}")
        one.send("revision", value=value)
    ann = desk.browser("ann").get(f"/rate/guess/{desk.places('ann')[0].token}")
    check(ann.send("ticket"), "guess")
    desk.close(number)
    own = f"{ADMIN}/rating/rounds/{number}/adjudicate"
    link = next(one for one in researcher.get(own).page.links if "/adjudicate/" in one)
    check(researcher.get(link).send("revision"), "value")
