"""What pages show only at certain moments: a round that ended, a paused rater, a stopped run."""

import re
from datetime import UTC, datetime

import pyotp
import sqlalchemy as sa

from app.store.models import runs
from app.store.people import accounts as account_table
from app.study.people import accounts
from tests.own_forms import PASSWORD, logged_in
from tests.walker import Walker
from tests.web.journeys import store

SEAT = re.compile(r'<iframe[^>]* src="(/p/[^"]+)"')
RESULTS = "model,task,seed,episode,success,actions_used,rv\nsome-model,A-Over,1,1,true,8,0.5\n"
WISH = {"model": "m", "endpoint": "local", "method": "plain", "preset": "paper", "repeats": "1"}


def browser(made, name, role):
    """Return the browser of someone who has just logged in."""
    return Walker(logged_in(made.app, made.settings, name, role))


def rate_all(desk, number, **values):
    """Let annotators rate every item of a round, each with a value."""
    for name, value in values.items():
        walker = desk.browser(name)
        for place in desk.places(name, number):
            walker.get(f"/rate/item/{place.token}").send("revision", value=value)


def rounds(desk):
    """Open, draft and close rounds: with a dispute, a paused annotator, and a question left."""
    desk.open(("ann", "bob"), gold="m1 | 0")
    desk.draft(("ann", "bob"))
    disputed = desk.open(("ann", "bob"), title="Disputed")
    rate_all(desk, disputed, ann="0", bob="2")
    desk.close(disputed)
    changes = {"gold": "m1 | 0", "gold_least": "60", "gold_after": "1", "ask_source": "round"}
    paused = desk.open(("cy", "eve"), title="Paused", **changes)
    gold = next(one for one in desk.places("cy", paused) if one.kind == "gold")
    desk.browser("cy").get(f"/rate/item/{gold.token}").send("revision", value="2")
    rate_all(desk, paused, eve="0")


def results_and_runs(made):
    """Store results of a model, and start a run of one and of a judge; nothing of them runs."""
    boss, own = browser(made, "researcher", "researcher"), "/admin/studies/demo"
    store(boss, boss.client.post(f"{own}/report/models", data={"text": RESULTS}))
    boss.get(f"{own}/report/models/start").send("preset", **WISH)
    boss.get(f"{own}/rating/judges/run").send("preset", **{**WISH, "method": "overall"})
    with made.server.store.write() as db:
        for row in db.execute(sa.select(runs.model_run.c.id)).scalars().all():
            runs.end(db, row, {"state": runs.STOPPED, "problem": "away", "finished_at": None})


def guard(made):
    """Give two people a second factor, and connect one with single sign-on."""
    for name, role, own in (
        ("guarded", "researcher", "/admin/account"),
        ("eve", "annotator", "/rate/account"),
    ):
        walker = browser(made, name, role).get(own)
        code = pyotp.TOTP(walker.page.form("secret").fields["secret"]).now()
        walker.send("secret", code=code, password=PASSWORD)
    with made.server.store.write() as db:
        account = account_table.by_name(db, "guarded")
        account_table.set_subject(db, account.id, "http://127.0.0.1:9 guarded")


def jumps(made):
    """Yield the pages of test players: at a rule after a world, and at a direct question."""
    boss = browser(made, "researcher", "researcher")
    boss.get("/admin/studies/whole/try").send("number", number="2")
    for seat, step in enumerate(("world/1/rule", "world/2")):
        form = [one for one in boss.page.forms if one.action.endswith("/try/jump")][seat]
        boss.answer = boss.client.post(form.action, data={**form.fields, "step": step})
    yield from SEAT.findall(boss.answer.text)


def welcome(made):
    """Return the page of a login link that nobody has used."""
    return (
        f"/admin/welcome/{accounts.add(made.server.store, 'new', 'annotator', datetime.now(UTC))}"
    )
