"""Ways through the forms of players, researchers and annotators, for a stubborn browser."""

import json
import time
from datetime import UTC, datetime

import pyotp

from app.study.people import accounts
from tests.rating_desk import model_line
from tests.walker import PageReader, Walker
from tests.web.design.designing import part

COMMENT = {"key": "why", "label": "Why?", "kind": "text"}
CHECK = {"key": "cost", "label": "Cost?", "options": ["Nothing", "One"], "answer": "One"}
STUDIES = {
    "demo": {"questions": {"before": [COMMENT], "comment": True}},
    "whole": {
        "blocks": [
            {"task": "A-Over", "seeds": [1]},
            {"task": "A-Add", "seeds": [3], "format": "direct"},
        ],
        "rule_form": {"when": "block"},
        "questions": {"comment": False, "comprehension": [CHECK]},
        "people": {"process_data": True},
    },
}


def play_demo(walker, look):
    """A study with a form after each guardian, up to the second guardian."""
    walker.get("/s/demo?PROLIFIC_PID=one").send("answer", answer="yes").send("ticket")
    walker.send("ticket", q_why='Some "reason" & <b>\nsecond line')
    walker.leave_practice().send("raw", raw="check_location")
    home = f"/p/{walker.token}"
    for form in (f"{home}/notes/1", f"{home}/problem"):
        walker.client.post(form, data={"text": "My notes\nand more", "ticket": "t" * 20})
    walker.type(*look.solution(walker.token, 0, 0)).to_rule()
    walker.client.post(f"{walker.url}/draft", data={"inputs": "the class", "revision": "0"})
    walker.get(walker.url).explain("Typed with care.\nTwice.")
    assert walker.page.name == "game"


def play_whole(walker, look):
    """A study with a check, one form after a world, a guardian that is answered, and leaving."""
    walker.get("/s/whole").send("answer", answer="yes").send("ticket")
    walker.leave_practice().send("ticket", q_cost="One")
    home = f"/p/{walker.token}"
    walker.client.post(f"{home}/process", data={"events": '[["focus", 1, "", null]]'})
    while walker.get(home).page.name == "game":
        block, position = (int(walker.url.split("/")[at]) - 1 for at in (4, 6))
        walker.type(*look.solution(walker.token, block, position))
    walker.client.post(f"{walker.url}/draft", data={"inputs": "the class", "revision": "0"})
    walker.get(home).explain()
    while walker.page.name == "direct":
        offered = walker.answer.text.partition("<datalist")[2].partition("</datalist>")[0]
        walker.send("ticket", item=offered.split('value="')[1].partition('"')[0])
    walker.get(f"{home}/leave").send("ticket")
    assert look.person(walker.token).state != "active"


def design_a_study(boss):
    boss.get("/admin/new-study").send("title", title="Winter")
    part(boss, "texts").send("texts.consent", **{"texts.consent": 'Who reads "this"?\n\nNobody.'})
    text = part(boss, "file", "demo").page.form("text").fields["text"]
    boss.send("text", text=text.replace("A small study", "Spring"))
    assert "Spring" in boss.answer.text
    boss.client.post("/admin/studies/demo/actions/close")


def manage_people(boss, look, token):
    boss.get(f"/admin/participants/{look.person(token).public_id}")
    boss.send("reason", action="exclude", reason="asked for it")
    lists = "Submission id,Participant id,Status\ns1,one,APPROVED\n"
    page = boss.client.post("/admin/studies/demo/recruit/import", data={"text": lists})
    store(boss, page)
    boss.client.post("/admin/studies/demo/recruit/bonus/sent", data={"text": "nobody,1.00"})
    boss.client.post("/admin/studies/demo/recruit/links", data={"count": "2"})
    boss.client.post("/admin/studies/demo/recruit/links/given", data={"ids": "p1"})
    fields = boss.get("/admin/studies/demo/texts").page.form("note").fields
    chosen = {
        f"decision-{n.removeprefix('hash-')}": "withheld" for n in fields if n.startswith("hash-")
    }
    boss.client.post("/admin/studies/demo/texts", data={**fields, **chosen, "note": "read"})


def store(boss, page):
    """Store the file that a preview shows."""
    forms = PageReader(page.text).forms
    form = next(one for one in forms if {"packed", "text"} & set(one.fields))
    url = form.action if form.action.endswith("/store") else f"{form.action}/store"
    return boss.client.post(url, data=form.fields)


def rate(boss, desk, stubborn):
    own = "/admin/studies/demo/rating"
    boss.client.post(f"{own}/gather")
    for kind, line in (("models", model_line(0)), ("judges", {"item": "m0", "score": 2})):
        page = boss.client.post(f"{own}/{kind}", data={"text": json.dumps(line), "judge": "a"})
        store(boss, page)
    desk.judge({"m0": 1}, model="b")
    boss.get(own).send("per_level", per_level="1")
    boss.get("/admin/annotators").send("name", name="Dora")
    boss.client.post("/admin/annotators/dora/deactivate", data={"ticket": "d" * 20})
    ids = desk.annotators("ann", "bob")
    boss.get(f"{own}/rounds/new").send("rubric", title="First", **{f"rater_{i}": "1" for i in ids})
    number = int(boss.url.rpartition("/")[2])
    boss.get(f"{own}/rounds/{number}/edit").send("rubric", title="Renamed")
    boss.get(f"{own}/rounds/{number}").send("revision")
    for name, value in (("ann", "0"), ("bob", "2")):
        browser = stubborn(desk.browser(name))
        for place in desk.places(name, number):
            browser.get(f"/rate/item/{place.token}").send("revision", value=value, comment="a word")
        assert [row.value for row in desk.history(place.token, name)] == [int(value)]
    boss.client.post(f"{own}/rounds/{number}/close", data={"ticket": "c" * 20})
    boss.get(f"{own}/rounds/{number}/adjudicate")
    link = next(one for one in boss.page.links if "/adjudicate/" in one)
    boss.get(link).send("revision", value="1", comment="decided")
    for kind in ("judges", "models"):  # what a wrong file brought
        form = next(
            one for one in boss.get(own).page.forms if one.action.endswith(f"{kind}/delete")
        )
        boss.client.post(form.action, data=form.fields)


def watch_raters(boss, desk, stubborn):
    """A round with a gold item that pauses, a question at its end, and open items handed over."""
    desk.models(4)
    number = desk.open(
        ("cy", "eve"), gold="m1 | 0", gold_least="60", gold_after="1", ask_source="round"
    )
    url = f"/admin/studies/demo/rating/rounds/{number}"
    cy, eve = stubborn(desk.browser("cy")), stubborn(desk.browser("eve"))
    gold = next(one for one in desk.places("cy", number) if one.kind == "gold")
    cy.get(f"/rate/item/{gold.token}").send("revision", value="2")
    boss.get(url).send("who", who="cy")
    for place in desk.places("eve", number):
        eve.get(f"/rate/item/{place.token}").send("revision", value="0")
    eve.get(f"/rate/guess/{desk.places('eve', number)[0].token}").send("ticket", guess="person")
    guard_account(eve, "/rate/account")
    desk.annotators("flo")
    boss.get(url).send("source", source="cy", target="flo")
    assert desk.places("flo", number)


def manage_models(boss):
    own = "/admin/studies/demo/report/models"
    text = "model,task,seed,episode,success,actions_used,rv\nsome-model,A-Over,1,1,true,8,0.5\n"
    store(boss, boss.client.post(own, data={"text": text}))
    boss.client.post(f"{own}/remove", data={"model": "some-model", "ticket": "r" * 20})
    boss.get(f"{own}/keys").send("scope", name="lab")
    boss.client.post(f"{own}/keys/revoke", data={"name": "lab"})
    forms = boss.get("/admin/studies/demo/remove").page.forms
    form = next(one for one in forms if one.action.endswith("/archive"))
    boss.client.post(form.action, data=form.fields)


def try_and_work(boss):
    """Two test players side by side, and a job, which is waited for."""
    boss.get("/admin/studies/whole/try").send("number", number="2")
    boss.send("step", step="instructions")
    boss.get("/admin/studies/whole/plan").send("people", people="2", simulated="10")
    boss.get("/admin/studies/whole/exports")
    form = next(one for one in boss.page.forms if one.fields.get("kind") == "verify")
    job = boss.client.post(form.action, data=form.fields)
    while 'http-equiv="refresh"' in boss.get(str(job.url)).answer.text:
        time.sleep(0.2)


def start_models(boss):
    """Forms that start a model; no endpoint is set, so none starts, which would write meanwhile."""
    wanted = {"model": "m", "endpoint": "local", "method": "plain", "preset": "paper"}
    wanted["ticket"] = "s" * 20
    boss.client.post("/admin/studies/demo/report/models/start", data=wanted)
    run = {"run": "1", "ticket": "g" * 20}
    boss.client.post("/admin/studies/demo/report/models/resume", data=run)
    judge = {**wanted, "method": "overall", "repeats": "1"}
    boss.client.post("/admin/studies/demo/rating/judges/run", data=judge)


def manage_accounts(boss):
    """Members of a study, one's own logins, and the second factor, on and off again."""
    members = boss.get("/admin/studies/demo/members")
    members.send("role", name="guest", role="viewer")
    boss.client.post(
        "/admin/studies/demo/members/remove", data={"name": "guest", "ticket": "g" * 20}
    )
    boss.client.post("/admin/account/disconnect")
    guard_account(boss, "/admin/account")


def guard_account(someone, own):
    """Turn the second factor on and off again, and end all other logins."""
    secret = someone.get(own).page.form("secret").fields["secret"]
    someone.send("secret", code=pyotp.TOTP(secret).now(), password="a long password")
    someone.client.post(f"{own}/second-factor/off", data={"password": "a long password"})
    someone.client.post(f"{own}/logins")


def log_in_and_out(boss, stubborn, client, server):
    boss.client.post("/admin/logout")
    boss.get("/admin/login").send("password", name="researcher", password="a long password")
    assert boss.page.name == "studies"
    token = accounts.add(server.store, "ada", "researcher", datetime.now(UTC))
    new = stubborn(Walker(client))
    new.get(f"/admin/welcome/{token}").send("password", password="a long password")
    assert new.page.name == "studies"
