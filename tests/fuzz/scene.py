"""A small server with something on every page: players at each step, a round, imports, a draft."""

import shutil
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from app.game.practice import practice_variant
from app.main import create_app
from app.settings import Settings
from app.study.design import studies
from app.study.design.spec import check_study
from app.study.models import agent_keys
from app.study.people import inviting
from app.study.rights import Role
from tests.fuzz import roles, states
from tests.fuzz.crawler import Person
from tests.own_forms import OwnForms, logged_in
from tests.rating_desk import Desk
from tests.walker import Walker
from tests.web.journeys import STUDIES

OWN = "/admin/studies/demo"
FIRST = {  # the pages that a short run opens; between them, they have a form for every route
    "stranger": [],
    "player": [],
    "annotator": ["/rate", "/rate/account"],
    "rater": ["/rate", "/rate/account"],
    "guarded": ["/admin/account"],
    "researcher": [
        *("/admin/account", "/admin/annotators", "/admin/new-study"),
        *(
            f"{OWN}{page}"
            for page in ("", "/monitor", "/design/people", "/design-file", "/texts", "/members")
        ),
        *(f"{OWN}/{page}" for page in ("recruit", "try", "plan", "exports", "report")),
        *(f"{OWN}/report/models{page}" for page in ("", "/keys", "/start", "/runs/1")),
        *(f"{OWN}/rating{page}" for page in ("", "/judges/run", "/rounds/new")),
        *(f"{OWN}/rating/rounds/{page}" for page in ("2", "2/edit", "3/adjudicate", "4")),
        "/admin/studies/old/remove",
    ],
}
SMALL = {
    "title": "A small study",
    "kind": "pilot",
    "seed": 7,
    "blocks": [{"task": "A-Over", "seeds": [1]}, {"task": "P-Comp", "seeds": [2]}],
    "per_player": 2,
    "order": "fixed",
    "texts": {"contact": "study@example.org", "pay": "GBP 4 for about 20 minutes"},
    "people": {"burst": 10_000},
}


def study(slug, **changes):
    people = {**SMALL["people"], **changes.pop("people", {})}
    return check_study({**SMALL, "slug": slug, **changes, "people": people})


class Scene:
    """The server, and everyone who uses it."""

    def __init__(self, path: Path, *, is_new: bool):
        self.path = path
        self.settings = Settings(
            database_url=f"sqlite:///{path}",
            data_dir=path.parent / "data",
            htmx_source="local",
            api_per_minute=100_000,
            write_timeout_s=120,  # a busy machine takes long
            model_endpoints="local=http://127.0.0.1:9/v1",
            oidc_issuer="http://127.0.0.1:9",
        )
        self.app = create_app(self.settings)
        self.server = self.app.state.server
        self.server.runner.stop()  # jobs are stored, and end before they begin
        if is_new:
            (path.parent / "starts").write_text("\n".join(self.fill()))
        self.players = (path.parent / "starts").read_text().split("\n")
        self.key = self.new_key()
        self.people = [self.person(*one) for one in self.everybody()]
        self.members = {role: self.member(role) for role in (roles.OUTSIDER, *Role)}

    def everybody(self):
        unused = states.welcome(self)
        yield "stranger", ["/", "/s/demo", "/s/whole", "/admin/login", unused, "/healthz"], ""
        yield "player", self.players, ""
        yield "annotator", ["/rate"], "annotator"
        yield "rater", ["/rate"], "annotator"
        yield "guarded", ["/admin/account"], "researcher"
        yield "researcher", ["/admin"], "researcher"  # an administrator

    def member(self, role):
        """Return the browser of a researcher with a role in each study, with a form key."""
        name = role or "outsider"
        browser = logged_in(self.app, self.settings, name, "researcher", is_admin=False)
        for slug in (*STUDIES, "old") if role else ():
            inviting.put(self.server.store, slug, name, role, "test", datetime.now(UTC))
        made = Person(name, self.app, self.settings.base_url, [], browser.cookies["hjstudy_login"])
        made.form_key = browser.form_key
        return made

    def person(self, name, starts, role):
        """Return a person with a browser of their own."""
        made = Person(name, self.app, self.settings.base_url, starts)
        made.role, made.first = role, FIRST[name] or starts
        self.log_in(made)
        return made

    def log_in(self, person):
        """Give the browser of an annotator or researcher a new login."""
        if person.role:
            account = {"annotator": "ann", "rater": "eve"}.get(person.name, person.name)
            is_admin = person.name == "researcher"
            browser = logged_in(self.app, self.settings, account, person.role, is_admin=is_admin)
            person.use(browser.cookies["hjstudy_login"])

    def new_key(self):
        """Return a key of the first study for the API."""
        with self.server.store.read() as db:
            found = studies.find(db, "demo")
        now = datetime.now(UTC)
        return agent_keys.make(self.server.store, found, self.path.stem, "play", "researcher", now)

    def named(self, name):
        return next(one for one in self.people if one.name == name)

    def fill(self):
        """Store studies, ratings, and players at each step; return the players' pages."""
        now = datetime.now(UTC)
        for slug, changes in STUDIES.items():
            studies.create(self.server.store, study(slug, **changes), now)
        studies.create(self.server.store, study("old"), now, state="closed")
        desk = Desk(self.app, self.settings)
        desk.models(6)
        desk.judge({"m0": 1, "m1": 2})
        with OwnForms(self.app, base_url=self.settings.base_url) as client:
            states.rounds(desk)
            states.results_and_runs(self)
            states.guard(self)
            yield from self.players_at_each_step(client)
            yield from states.jumps(self)

    def players_at_each_step(self, client):
        yield self.home(Walker(client).get("/s/demo?PROLIFIC_PID=p1").send("answer", answer="yes"))
        asked = (
            Walker(client)
            .get("/s/demo?PROLIFIC_PID=p2")
            .send("answer", answer="yes")
            .send("ticket")
        )
        yield self.home(asked)
        practice = Walker(client).get("/s/whole?PROLIFIC_PID=p3").send("answer", answer="yes")
        yield self.home(practice.send("ticket"))
        checked = Walker(client).get("/s/whole?PROLIFIC_PID=p4").send("answer", answer="yes")
        yield self.home(checked.send("ticket").leave_practice())
        playing = Walker(client).get("/s/whole?PROLIFIC_PID=p5").send("answer", answer="yes")
        playing.send("ticket").leave_practice().send("ticket", q_cost="One")
        yield self.home(playing.type("check_location"))
        winning = Walker(client).get("/s/whole?PROLIFIC_PID=p6").send("answer", answer="yes")
        winning.send("ticket").type(*practice_variant().episodes[0].solutions[0])
        yield self.home(winning)
        for number in (7, 8, 9):
            won = Walker(client).get(f"/s/demo?PROLIFIC_PID=p{number}").send("answer", answer="yes")
            won.send("ticket").send("ticket", q_why="x").leave_practice()
            home = self.home(won)
            while any("raw" in form.fields for form in won.page.forms):
                won.type("dance wildly")
            yield home
            yield f"{home}/problem"
            yield f"{home}/leave"
        won.to_rule().explain()  # which no round has yet

    def home(self, walker):
        return f"/p/{walker.token}"

    def close(self):
        for one in [*self.people, *self.members.values()]:
            one.client.close()
        self.server.runner.stop()
        self.server.store.dispose()


@contextmanager
def scene(folder: Path, template: Path):
    """Yield a fresh scene; `template`: a migrated database. What is made once is copied later."""
    filled = folder / "filled.db"
    if not filled.exists():
        shutil.copyfile(template, folder / "new.db")
        made = Scene(folder / "new.db", is_new=True)
        made.close()
        (folder / "new.db").rename(filled)
    path = folder / "used.db"
    for end in ("", "-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    shutil.copyfile(filled, path)
    made = Scene(path, is_new=False)
    try:
        yield made
    finally:
        made.close()
