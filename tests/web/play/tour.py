"""Every page that players see, once: what the tests of languages read."""

from datetime import UTC, datetime

from app.study.design import studies
from app.study.play import seats
from tests.walker import Walker

STATES = ("screened_out", "failed_check", "over_quota", "withdrawn", "timed_out", "technical")
REASONS = ("former_participant", "study_full", "cells_full", "seat_lost")
OWN = "§"  # around every text that the study writes, so that tests can tell it from ours
HTMX = {"HX-Request": "true"}
SAVES = {"X-Autosave": "true"}
MISTYPED = (
    *("dance", "go", "go nowhere", "go practice_sword", "check_location now", "rescue snow figure"),
    *("defeat snow figure", "defeat old scarecrow", "buy practice_sword", "go toy_shop"),
    *("go toy_shop", "buy practice_sword", "buy wooden_spoon", "check_inventory"),
    *("drink mint_tea", "get wooden_spoon", "go wheat_field", "defeat old scarecrow"),
    *("check_inventory", "perform lantern_dance"),
)
STUDY = {
    "title": f"{OWN}Title{OWN}",
    "blocks": [
        {"task": "A-Over", "seeds": [1]},
        {"task": "P-Add", "seeds": [3], "format": "direct"},
        {"task": "P-Comp", "seeds": [2]},
        {"task": "A-Cond", "seeds": [4], "format": "direct", "coverage": "0", "distractors": 0},
    ],
    "per_player": 4,
    "options": {"episodes_per_block": 1, "show_rule": True, "canary": True},
    "codes": {
        "no_consent": "NO1",
        "failed_check": "FAIL",
        "return_url": "https://a.example/{code}",
    },
    "people": {"quota": 100},
    "payment": {"base_cents": 400, "bonus": "50 * successes", "bonus_cap_cents": 300},
    "clocks": {"session_hours": 1, "warn_minutes": 60},
    "texts": {
        "consent": f"{OWN}Consent text of the study.{OWN}",
        "instructions": f"{OWN}Instructions of the study.{OWN}",
        "debrief": f"{OWN}Debrief of the study.{OWN}",
        "contact": f"{OWN}a@example.org{OWN}",
        "pay": f"{OWN}GBP 4{OWN}",
    },
    "questions": {
        "before": [
            {"key": "age", "label": f"{OWN}Age?{OWN}", "kind": "number", "least": 18, "most": 99},
            {"key": "least", "label": f"{OWN}N{OWN}", "kind": "number", "least": 1},
            {"key": "most", "label": f"{OWN}N{OWN}", "kind": "number", "most": 9},
            {"key": "free", "label": f"{OWN}N{OWN}", "kind": "number", "required": False},
            {
                "key": "job",
                "label": f"{OWN}Job?{OWN}",
                "kind": "choice",
                "options": [f"{OWN}{n}{OWN}" for n in range(3)],
                "required": False,
            },
            {
                "key": "many",
                "label": f"{OWN}Many?{OWN}",
                "kind": "choice",
                "options": [f"{OWN}{n}{OWN}" for n in range(10)],
            },
            {"key": "why", "label": f"{OWN}Why?{OWN}", "kind": "text"},
        ],
        "comprehension": [
            {
                "key": "cost",
                "label": f"{OWN}Cost?{OWN}",
                "options": [f"{OWN}wrong{OWN}", f"{OWN}right{OWN}"],
                "answer": f"{OWN}right{OWN}",
            }
        ],
        "comprehension_tries": 3,
        "comment": True,
    },
}
ANSWERS = {
    "q_age": "30",
    "q_least": "2",
    "q_most": "3",
    "q_free": "",
    "q_many": f"{OWN}4{OWN}",
    "q_why": f"{OWN}because{OWN}",
}


class Tour:
    """Walks every page of a study; `pages`: name -> HTML, in the order they were seen."""

    def __init__(self, client, server, look, make_study, **changes):
        self.client, self.server, self.look, self.pages = client, server, look, {}
        make_study(slug="tour", **{**STUDY, **changes})
        plain = {"payment": {}, "people": {"withdrawal": "keep", "process_data": False}}
        texts = {**STUDY["texts"], "pay": ""}
        options = {"show_budget": False, "practice": False, "episodes_per_block": 2}
        short = {"blocks": STUDY["blocks"][:1], "per_player": 1, "codes": {}}
        short["questions"] = {"comment": False}
        rules = {"rule_form": {"when": "block", "parts": "one"}}
        make_study(
            slug="plain",
            **{**STUDY, **plain, "texts": texts, "options": options, **short, **rules, **changes},
        )

    def keep(self, name, answer):
        """Keep a page or a part of one under a name."""
        self.pages[name] = answer.text
        return answer

    def see(self, name, walker):
        self.keep(name, walker.answer)
        return walker

    def post(self, name, url, headers=None, **data):
        return self.keep(name, self.client.post(url, data=data, headers=headers or {}))

    def walk(self):
        """Return name -> HTML of all pages."""
        self.outside()
        self.way()
        self.plain_way()
        self.ends()
        self.errors()
        return self.pages

    def outside(self):
        walker = Walker(self.client)
        self.see("consent", walker.get("/s/tour"))
        self.see("consent refused", walker.get("/s/tour").send("answer", answer="yes", ticket="x"))
        self.see("consent changed", walker.get("/s/tour").send("answer", answer="yes", seen="0.0"))
        self.see("declined", walker.get("/s/tour").send("answer", answer="no"))
        self.see("declined plain", walker.get("/s/plain").send("answer", answer="no"))
        self.see("consent plain", walker.get("/s/plain"))

    def way(self):
        walker = Walker(self.client).get("/s/tour?PROLIFIC_PID=one").send("answer", answer="yes")
        self.token, home = walker.token, f"/p/{walker.token}"
        self.see("instructions", walker)
        self.see("too early", walker.get(f"{home}/world/99/guardian/1"))
        self.see("questions", walker.get(f"{home}/instructions").send("ticket"))
        self.see("questions wrong", walker.send("ticket", q_age="7", q_least="0", q_most="12"))
        self.see("practice", walker.send("ticket", **ANSWERS))
        self.commands(walker)
        self.see("check", walker.get(home))
        self.see("check empty", walker.send("ticket"))
        self.see("check wrong", walker.get(home).send("ticket", q_cost=f"{OWN}wrong{OWN}"))
        self.post("check stale", f"{home}/check", attempt="1", ticket="s" * 24, q_cost="x")
        self.see("check last", walker.get(home).send("ticket", q_cost=f"{OWN}wrong{OWN}"))
        self.see("game", walker.get(home).send("ticket", q_cost=f"{OWN}right{OWN}"))
        self.see("check receipt", walker.get(f"{home}/check"))
        self.see("questions receipt", walker.get(f"{home}/questions/before"))
        self.worlds(walker, home)
        self.see("comment", walker.get(home))
        self.see("comment long", walker.send("ticket", q_comment="x" * 5001))
        self.see("leave", walker.get(f"{home}/leave"))
        self.see("debrief", walker.get(home).send("ticket", q_comment=""))
        self.see("leave after the end", walker.get(f"{home}/leave"))
        self.see("problem", walker.get(f"{home}/problem"))
        self.see("problem empty", walker.send("text"))
        self.see("problem sent", walker.send("text", text="Odd."))

    def commands(self, walker):
        """Everything a command line can answer, in the practice."""
        url = walker.url
        for number, text in enumerate(MISTYPED):
            data = {**walker.page.form("raw").fields, "raw": text}
            self.post(f"turn {number}", url, HTMX, **data)
            walker.get(url)
        self.see("practice played", walker)
        seq = walker.page.form("raw").fields["seq"]
        for name, text in (("empty", " "), ("long", "x" * 201), ("signs", "a\tb")):
            self.post(f"refused {name}", url, HTMX, raw=text, seq=seq)
        self.post("refused page", url, raw="", seq=seq)
        self.post("stale", url, HTMX, raw="go", seq="1")
        self.post("stale page", url, raw="go", seq="1")
        notes = f"/p/{walker.token}/notes/1"
        self.post("notes saved", notes, SAVES, text="mine", revision="0")
        self.post("notes stale", notes, SAVES, text="yours", revision="0")
        self.post("notes stale page", notes, text="yours", revision="0")
        self.post("notes long", notes, SAVES, text="x" * 20_001, revision="1")
        walker.get(url).type("go toy_shop", "buy practice_sword", "go wheat_field")
        form = walker.page.form("raw").fields
        self.post("turn won", url, HTMX, **{**form, "raw": "defeat old scarecrow"})
        self.see("practice won", walker.get(url))
        self.post("over", url, HTMX, raw="go", seq="99")
        walker.send("ticket")

    def worlds(self, walker, home):
        budget = next(one.budget for one in self.look.episodes(self.token) if one.budget)
        walker.get(home).type("go nowhere", *["check_location"] * (budget - 2))
        form = walker.page.form("raw").fields
        self.post("turn lost", walker.url, HTMX, **{**form, "raw": "check_location"})
        self.see("game lost", walker.get(walker.url))
        self.see("rule", walker.to_rule())
        rule = walker.url
        self.see("rule empty", walker.send("confidence", confidence="101"))
        self.see("rule long", walker.get(rule).send("confidence", inputs="x" * 5001))
        self.post("draft saved", f"{rule}/draft", SAVES, inputs="a", revision="0")
        self.post("draft stale", f"{rule}/draft", SAVES, inputs="b", revision="0")
        self.post("draft long", f"{rule}/draft", SAVES, inputs="x" * 10_001, revision="1")
        walker.get(rule).send("confidence", inputs="", do_not_know="yes", found_how="x")
        self.see("world", walker)
        self.see("rule receipt", walker.get(rule))
        self.see("game receipt", walker.get(rule.removesuffix("/rule")))
        self.see("direct counted", walker.get(home))
        self.see("direct counted empty", walker.send("ticket"))
        walker.get(home).send("ticket", activity="perform", placed="before", times="2")
        self.see("rule after direct", walker)
        self.see("world played", walker.send("confidence", inputs="a", output="b", how="c"))
        self.see("game procedural", walker.get(home))
        self.see("direct receipt", walker.get(f"{home}/world/2/guardian/1/answer"))
        lines = self.look.solution(self.token, 2)
        walker.get(home).type(*lines[:-1])
        form = walker.page.form("raw").fields
        self.post("turn defeated", walker.url, HTMX, **{**form, "raw": lines[-1]})
        self.see("game won", walker.get(walker.url))
        self.see("rule won", walker.to_rule())
        self.see("world direct", walker.send("confidence", inputs="a"))
        self.see("direct", walker.get(home))
        self.see("direct wrong", walker.send("ticket", item="no such thing"))
        offered = walker.answer.text.partition("<datalist")[2]
        walker.get(home).send("ticket", item=offered.split('value="')[1].partition('"')[0])
        walker.send("confidence", inputs="a")

    def names(self):
        """Return every name in the worlds of the first player, and their solutions."""
        with self.server.store.read() as db:
            rows = self.look.episodes(self.token)
            variants = [self.server.library.variant(db, row.variant_hash) for row in rows]
        for variant in variants:
            yield from variant.places
            yield from (
                name for one in variant.entities for pair in one.attributes for name in pair
            )
            yield from (one.name for one in (*variant.entities, *variant.items))
            yield from (one.name for one in variant.activities)

    def plain_way(self):
        walker = Walker(self.client).get("/s/plain").send("answer", answer="yes")
        self.see("instructions plain", walker)
        self.see("game plain", walker.send("ticket"))
        for position in (0, 1):
            walker.type(*self.look.solution(walker.token, 0, position)).to_rule()
        self.see("rule of a world", walker)
        self.see("debrief plain", walker.send("confidence", text="a"))

    def ends(self):
        for name in (*STATES, *REASONS):
            walker = Walker(self.client).get(f"/s/tour?PROLIFIC_PID={name}")
            walker.send("answer", answer="yes")
            state = name if name in STATES else "over_quota"
            with self.server.store.write() as db:
                person = self.look.person(walker.token)
                seats.end(db, person.id, state, name, datetime.now(UTC))
            self.see(f"ended {name}", walker.get(f"/p/{walker.token}"))
        self.post("ended with text", f"/p/{walker.token}/world/1/guardian/1/rule", text="mine")

    def errors(self):
        walker = Walker(self.client)
        self.see("no player", walker.get("/p/nobody"))
        home = f"/p/{self.token}"
        self.see("no such page", walker.get(f"{home}/nowhere"))
        self.keep("wrong method", self.client.delete(f"{home}/instructions"))
        walker = Walker(self.client).get("/s/tour").send("answer", answer="yes")
        self.post("no ticket", f"/p/{walker.token}/instructions")
        for name, value in (
            ("placeholder", "{{%ID%}}"),
            ("bad id", "x y" * 200),
            ("mturk", "test"),
        ):
            self.keep(name, self.client.get("/s/tour", params={"PROLIFIC_PID": value}))
        self.keep("bad entry", self.client.get("/s/tour?entry=1.2.3&PROLIFIC_PID=p9"))
        self.keep("bad preview", self.client.get("/s/tour?test=1.2.3.x"))
        studies.set_state(self.server.store, "tour", "closed")
        self.see("closed", Walker(self.client).get("/s/tour"))
        self.post("closed for good", "/s/tour", answer="no")
