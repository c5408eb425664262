"""Sends odd forms, and says what is wrong with the answers and with what was stored."""

import hashlib
import json
import re
import sqlite3
from contextlib import closing
from random import Random

from tests.fuzz import odd, roles
from tests.fuzz.crawler import forms_of, is_ours, local, shape
from tests.fuzz.states import RESULTS
from tests.rating_desk import model_line

UNCOUNTED = {"login", "health", "login_attempt", "entry_pace", "secret", "clock_reading"}
UNCOUNTED |= {"api_request"}
UNCOUNTED |= {"audit_entry"}  # has what was refused too
LOGIN_FORMS = re.compile("/admin/(login|welcome)")
LOGOUT = "/admin/logout"
PREVIEWS = {  # forms that only show something, with more forms, and what they show it of
    "/recruit/import": {"text": "Submission id,Participant id,Status\ns1,p1,APPROVED\n"},
    "/rating/models": {"text": json.dumps(model_line(7))},
    "/rating/judges": {"text": json.dumps({"item": "m2", "score": 1}), "judge": "a"},
    "/report/models": {"text": RESULTS.replace("some", "other")},
    "/demo/try": {"number": "2"},
}
REFUSED = {401, 403, 404, 421}


def fault_of(answer):
    """Return what is wrong with an answer, or ''."""
    if answer.status_code >= 500:
        return f"status {answer.status_code}"
    kind = answer.headers.get("content-type", "")
    if odd.MARK in answer.text and ("html" in kind or not kind):
        return "unescaped text"
    if any("\n" in value or odd.MARK in value for value in answer.headers.values()):
        return "text in a header"
    target = answer.headers.get("location", "")
    if target and not is_ours(target) and not target.startswith("http://127.0.0.1:8000/"):
        return f"leads to {target[:60]}"
    return ""


def send(client, sent, **headers):
    """Send a request as a browser would: with files as multipart."""
    if sent.content is not None:
        kind = {"Content-Type": sent.kind.encode("latin-1")}
        return client.post(sent.action, content=sent.content, headers={**headers, **kind})
    if sent.files:
        body, kind = multipart(sent)
        return client.post(sent.action, content=body, headers={**headers, "Content-Type": kind})
    fields = {}
    for name, value in sent.fields:
        fields.setdefault(name, []).append(value)
    return client.post(sent.action, data=fields, headers=headers)


def multipart(sent):
    """Return a body, built by hand: clients refuse to send odd names."""
    parts = [
        f'--zq\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode(
            "utf-8", "replace"
        )
        for name, value in sent.fields
    ]
    for name, (file, content) in sent.files:
        head = f'--zq\r\nContent-Disposition: form-data; name="{name}"; filename="{file}"\r\n'
        parts.append(head.encode("utf-8", "replace") + b"\r\n" + content + b"\r\n")
    return b"".join([*parts, b"--zq--\r\n"]), "multipart/form-data; boundary=zq"


def rows(path):
    """Return a digest of each table of a SQLite file."""
    with closing(sqlite3.connect(path)) as db:
        names = [
            name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        return {
            name: hashlib.sha256(
                repr(sorted(map(repr, db.execute(f'SELECT * FROM "{name}"')))).encode()
            ).hexdigest()
            for name in names
            if name not in UNCOUNTED
        }


class Fuzz:
    """One scene; `faults` collects what went wrong, each kind once."""

    def __init__(self, scene, seed):
        self.scene, self.rng, self.faults, self.sent = scene, Random(seed), {}, 0
        self.forms, self.routes, self.pages, self.previewed = set(), set(), {}, set()

    def note(self, where, fault, detail):
        if fault:
            self.faults.setdefault((where, fault), detail)

    def find(self, person, but=None, *, first=False):
        """Open every page of a person, or the first ones; return its forms, one of each kind."""
        found = {}
        for url, answer in person.look() if first else person.crawl(but=but):
            self.note(f"{person.name} GET {shape(url)}", fault_of(answer), url)
            self.pages.setdefault(person.name, set()).add(url)
            forms = [one for one in forms_of(url, answer) if one.method.lower() == "post"]
            for form in [*forms, *self.forms_behind(person, forms)]:
                found.setdefault((shape(form.action), tuple(sorted(form.fields))), form)
        self.forms |= {action for action, _ in found}
        self.routes |= {roles.route_of(form.action) or form.action for form in found.values()}
        return list(found.values())

    def forms_behind(self, person, forms):
        """Yield the forms of pages that come after a form that stores nothing."""
        for form in forms:
            for end, typed in PREVIEWS.items():
                if form.action.endswith(end) and end not in self.previewed:
                    self.previewed.add(end)
                    fields = [*{**form.fields, **typed}.items()]
                    answer = send(person.client, odd.Sent(form.action, fields))
                    url = local(answer.headers.get("location", form.action))
                    answer = person.client.get(url) if answer.is_redirect else answer
                    self.note(f"{person.name}, after {end}", fault_of(answer), url)
                    yield from forms_of(url, answer)

    def spoil(self, person, form):
        """Send one odd version of a form, and open where it leads."""
        sent = odd.odd_request(self.rng, form)
        answer = send(person.client, sent)
        self.sent += 1
        where = f"{person.name} POST {shape(form.action)}"
        self.note(where, fault_of(answer), sent.what)
        if 300 <= answer.status_code < 400 and is_ours(local(answer.headers["location"])):
            answer = person.client.get(local(answer.headers["location"]))
            self.note(f"{where}, then GET", fault_of(answer), sent.what)
        if form.action == LOGOUT:
            self.scene.log_in(person)

    def ask_oddly(self, person, url):
        """Open a page with odd values in its query."""
        names = re.findall(r"[?&]([^=&]+)=", url) or ["q", "page", "sort"]
        query = {name: odd.odd(self.rng)[:3000] for name in names}
        answer = person.client.get(url.partition("?")[0], params=query)
        self.note(f"{person.name} GET {shape(url)}, oddly", fault_of(answer), str(query)[:200])

    def all_without_right(self, person, forms, most=None):
        """Send forms as those who may not; look at each only if they changed something.

        `most`: of those who may not, chosen at random; None = all of them.
        """
        before = rows(self.scene.path)
        for form in forms:
            self.send_wrongly(person, form, most)
        after = rows(self.scene.path)
        changed = {name for name in after if after[name] != before[name]}
        if changed:
            for form in forms:
                self.without_right(person, form)
            self.note(f"{person.name}'s forms", f"changed {sorted(changed)} without right", "")

    def without_right(self, person, form):
        """Send a form as those who may not, and say whether anything changed."""
        before = rows(self.scene.path)
        self.send_wrongly(person, form)
        after = rows(self.scene.path)
        changed = {name for name in after if after[name] != before[name]}
        if changed:
            self.note(f"without right: POST {shape(form.action)}", f"changed {sorted(changed)}", "")

    def send_wrongly(self, person, form, most=None):
        """Send a form as those who may not: they are refused."""
        ways = list(self.wrong_senders(person, form))
        for what, client, sent, headers in ways if most is None else self.some(ways, most):
            answer = send(client, sent, **headers)
            where = f"{what} POST {shape(form.action)}"
            self.note(where, fault_of(answer), "")
            if answer.status_code not in REFUSED:
                self.note(where, f"not refused: {answer.status_code}", "")
            self.sent += 1

    def some(self, ways, most):
        """Return ways at random, in their order."""
        return [ways[at] for at in sorted(self.rng.sample(range(len(ways)), min(most, len(ways))))]

    def wrong_senders(self, person, form):
        """Yield (who, client, what, headers) for each way of sending a form without the right."""
        if LOGIN_FORMS.match(form.action):
            return
        whole = odd.Sent(form.action, list(form.fields.items()))
        yield "foreign", person.client, whole, {"Sec-Fetch-Site": "cross-site"}
        if form.action.startswith("/p/"):
            other = re.sub(r"^/p/[^/]+", "/p/somebody-elses-token-xx", form.action)
            yield "wrong token", person.client, odd.Sent(other, whole.fields), {}
        if not form.action.startswith(("/admin/", "/rate/")):
            return
        no_login = {"stranger"} if form.action == LOGOUT else set()  # they have none to end
        for name in sorted({"stranger", "annotator", "researcher"} - {person.name} - no_login):
            yield name, self.scene.named(name).client, whole, {}
        keyless = [(name, value) for name, value in whole.fields if name != "form_key"]
        yield "keyless", person.client, odd.Sent(form.action, keyless), {}
        wrong = [*keyless, ("form_key", "x" * 43)]
        yield "wrong key", person.client, odd.Sent(form.action, wrong), {}
        for role in roles.without_right(form.action):
            member = self.scene.members[role]
            own = odd.Sent(form.action, [*keyless, ("form_key", member.form_key)])
            yield role or "outsider", member.client, own, {}
