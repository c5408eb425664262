"""The file for a platform's bulk bonus: `id,amount` in major units, whatever the platform."""

import csv
import io
import re
from datetime import timedelta

import pytest
import sqlalchemy as sa

from app.store.people import platforms
from app.store.play.participants import participant
from app.study.people import bonuses, inviting, payments
from app.study.rights import RIGHTS, Right, Role
from tests.own_forms import logged_in
from tests.walker import PageReader, Walker, one_line
from tests.web.conftest import NOW

PAY = {"base_cents": 300, "bonus": "205 * successes", "bonus_cap_cents": 100_000}
ONE_GUARDIAN = [{"task": "P-Comp", "seeds": [2]}]
PLATFORMS = {  # name of the ID in the link -> a usual ID there
    "PROLIFIC_PID": "5f1a2b3c4d5e6f7a8b9c0d1e",
    "workerId": "A1B2C3D4E5F6G7",
    "participantId": "9F8E7D6C5B4A",
    "participant": "Ada, the first",
}


def amounts(*texts):
    return "".join(f'<td class="num">GBP {text}</td>' for text in texts)


def play(walker, look):
    """Win and explain the only guardian."""
    walker.leave_practice().type(*look.solution(walker.token)).to_rule().explain()


def test_bonus_file_has_one_line_per_person_to_pay_in_major_units(
    make_study, client, researcher, look, server, app, settings, monkeypatch
):
    options = {"id_parameters": list(PLATFORMS)}
    make_study(slug="paid", payment=PAY, options=options, blocks=ONE_GUARDIAN, per_player=1)
    for name, external_id in PLATFORMS.items():
        walker = Walker(client).enter(f"/s/paid?{name}={external_id}")
        play(walker, look)
        assert "Your bonus: GBP 2.05. It is paid after" in walker.answer.text
    play(Walker(client).enter("/s/paid"), look)  # without an ID, no one on a platform to pay
    Walker(client).enter("/s/paid?PROLIFIC_PID=unfinished").leave_practice()
    wanted = [[one, "2.05"] for one in PLATFORMS.values()]
    answer = researcher.client.get("/admin/studies/paid/recruit/bonus.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert list(csv.reader(io.StringIO(answer.text))) == wanted
    assert '"Ada, the first",2.05' in answer.text
    page = one_line(researcher.client.get("/admin/studies/paid/recruit").text)
    assert page.count("<td>finished</td>" + amounts("3.00", "0.00", "2.05", "5.05")) == 5
    assert page.count("<td>active</td>" + amounts("0.00", "0.00", "0.00", "0.00")) == 1
    monkeypatch.setattr(payments, "PER_PAGE", 4)
    payer = logged_in(app, settings, "pia", "researcher", is_admin=False)
    inviting.put(server.store, "paid", "pia", Role.PAYER, "test", NOW)
    for someone, links in ((researcher.client, True), (payer, False)):
        shown = {
            query: someone.get(f"/admin/studies/paid/recruit?page={query}").text
            for query in ("", "2", "99")
        }
        assert [one.count('<th scope="row" class="code">') for one in shown.values()] == [4, 2, 2]
        assert [PLATFORMS["workerId"] in one for one in shown.values()] == [True, False, False]
        assert ("/admin/participants/" in shown["2"]) is links
    with server.store.write() as db:
        db.execute(participant.update().values(is_test=True))
    assert researcher.client.get("/admin/studies/paid/recruit/bonus.csv").text == ""


def test_bonus_file_has_the_pay_for_time_but_not_the_base_pay(
    make_study, client, researcher, look, clock
):
    pay = {"base_cents": 300, "hourly_cents": 3_000}
    make_study(slug="paid", payment=pay, blocks=ONE_GUARDIAN, per_player=1)
    person = Walker(client).enter("/s/paid?PROLIFIC_PID=xyz")
    clock.now = NOW + timedelta(minutes=5)
    play(person, look)
    own = "/admin/studies/paid/recruit"
    assert researcher.client.get(f"{own}/bonus.csv").text == "xyz,2.50\r\n"
    assert ",300,250,0,550," in researcher.client.get(f"{own}/payments.csv").text


def record(browser, study, text):
    """Record that a file of bonuses was sent; return the page's words."""
    where = f"/admin/studies/{study}/recruit/bonus/sent"
    forms = PageReader(browser.get(f"/admin/studies/{study}/recruit").text).forms
    ticket = next(one for one in forms if one.action == where).fields["ticket"]
    answer = browser.post(where, data={"ticket": ticket}, files={"file": ("bonus.csv", text)})
    return answer.status_code, one_line(answer.text)


def money_of(browser, study, name="bonus"):
    return browser.get(f"/admin/studies/{study}/recruit/{name}.csv").text


def test_bonus_recorded_as_sent_is_not_listed_again_until_it_is_due_again(
    make_study, client, researcher, look, clock
):
    make_study(slug="paid", payment=PAY, blocks=ONE_GUARDIAN, per_player=1)
    for one in ("ann", "bob", "-cy"):
        walker = Walker(client).enter(f"/s/paid?PROLIFIC_PID={one}")
        play(walker, look)
    boss, own = researcher.client, "/admin/studies/paid/recruit"
    clock.now = NOW
    first = money_of(boss, "paid")
    assert first == "ann,2.05\r\nbob,2.05\r\n'-cy,2.05\r\n"
    for wrong, words in (
        ("ann,2.05\nzoe,2.05\n", "No one in this study has these IDs: zoe."),
        ("ann 2.05\n", "needs lines of an ID and an amount, as in bonus.csv"),
        ("ann,2.05\nbob,two\n", "Line 2: &#39;two&#39; is not an amount, such as 1.50"),
        ("\n", "The file has no lines."),
    ):
        assert (status := record(boss, "paid", wrong))[0] == 422, wrong
        assert words in status[1]
    assert money_of(boss, "paid") == first  # a refused file has recorded no one
    assert "Bonuses recorded as sent: 1." in record(boss, "paid", "ann,2.05\r\n")[1]
    assert money_of(boss, "paid") == "bob,2.05\r\n'-cy,2.05\r\n"
    assert "sent: 2. bonus.csv leaves them out. 1 had been" in record(boss, "paid", first)[1]
    assert money_of(boss, "paid") == ""
    rows = list(csv.DictReader(io.StringIO(money_of(boss, "paid", "payments"))))
    assert {row["bonus_sent_at"] for row in rows} == {f"{NOW:%Y-%m-%dT%H:%M:%SZ}"}
    assert f'<td class="tight">{NOW:%Y-%m-%d}, GBP 2.05</td>' in boss.get(own).text

    person = f"/admin/participants/{rows[0]['participant_id']}"
    fields = PageReader(boss.get(person).text).form("reason").fields
    boss.post(f"{person}/actions", data={**fields, "action": "bonus_due", "reason": "refused"})
    assert money_of(boss, "paid") == "ann,2.05\r\n"


def test_people_who_left_on_the_platform_or_are_under_way_get_no_bonus_line_but_a_queue(
    make_study, client, researcher, look, clock
):
    pay = {**PAY, "hourly_cents": 3_000}
    make_study(slug="paid", payment=pay, blocks=ONE_GUARDIAN, per_player=1)
    here = Walker(client).enter("/s/paid?PROLIFIC_PID=here").leave_practice()
    clock.now = NOW + timedelta(minutes=5)
    here.type("look")
    for one in ("back", "done"):
        play(Walker(client).enter(f"/s/paid?PROLIFIC_PID={one}"), look)
    boss = researcher.client
    states = "Submission id,Participant id,Status\n1,back,RETURNED\n2,done,APPROVED\n"
    preview = boss.post("/admin/studies/paid/recruit/import", data={"text": states})
    form = next(one for one in PageReader(preview.text).forms if "packed" in one.fields)
    boss.post("/admin/studies/paid/recruit/import/store", data=form.fields)

    assert [line.split(",")[0] for line in money_of(boss, "paid").split()] == ["done"]
    rows = csv.DictReader(io.StringIO(money_of(boss, "paid", "payments")))
    queues = {row["external_id"]: row["queue"] for row in rows}
    assert queues == {"here": "", "back": "finished_timed_out", "done": "settled"}


PERSON_PAY = {"base_cents": 300, "bonus": "60 * successes", "bonus_cap_cents": 100_000}


@pytest.fixture
def paid(make_study, client, look, clock):
    """A study in which ann, who came from Prolific, has earned a bonus of 1.20."""
    blocks = [{"task": "P-Comp", "seeds": [2, 3]}]
    make_study(slug="paid", payment=PERSON_PAY, blocks=blocks, per_player=2)
    walker = Walker(client).enter("/s/paid?PROLIFIC_PID=ann").leave_practice()
    for block in range(2):
        walker.type(*look.solution(walker.token, block)).to_rule().explain()
    clock.now = NOW
    return walker


def own_page(look, walker):
    return f"/admin/participants/{look.person(walker.token).public_id}"


def void_one(browser, page, action="void"):
    form = PageReader(browser.get(page).text).form("reason")
    episode = re.search(r'<option value="(\d+)">', browser.get(page).text)[1]
    data = {**form.fields, "action": action, "episode": episode, "reason": "broken"}
    assert browser.post(f"{page}/actions", data=data).status_code == 200


def test_amount_recorded_as_sent_is_kept_and_a_later_change_of_what_is_owed_is_said(
    paid, researcher, look
):
    boss, page = researcher.client, own_page(look, paid)
    void_one(boss, page)
    record(boss, "paid", "ann,0.60\r\n")
    day = f"{NOW:%Y-%m-%d}"
    places = (page, "/admin/studies/paid/recruit")
    for one in places:
        text = one_line(boss.get(one).text)
        assert (f"{day}, GBP 0.60" in text, ", now " in text) == (True, False), one
    void_one(boss, page, "unvoid")
    for one in places:
        assert f"{day}, GBP 0.60, now GBP 1.20" in boss.get(one).text, one
    assert "has changed since it was recorded as sent" in one_line(boss.get(page).text)
    [row] = csv.DictReader(io.StringIO(money_of(boss, "paid", "payments")))
    assert (row["bonus_cents"], row["bonus_sent_cents"]) == ("120", "60")


@pytest.mark.parametrize(
    ("amount", "status", "kept"),
    [
        ("", 200, "120"),
        ("1,4", 200, "140"),
        (" 0.05 ", 200, "5"),
        ("1.234", 422, ""),
        ("x", 422, ""),
    ],
)
def test_bonus_recorded_on_a_persons_page_has_the_amount_typed_or_the_one_owed(
    paid, researcher, look, amount, status, kept
):
    boss, page = researcher.client, own_page(look, paid)
    fields = PageReader(boss.get(page).text).form("reason").fields
    data = {**fields, "action": "bonus_sent", "reason": "by hand", "amount": amount}
    answer = boss.post(f"{page}/actions", data=data)
    assert answer.status_code == status
    if status == 422:
        assert f'value="{amount}"' in answer.text
        assert '<option value="bonus_sent" selected>' in answer.text
        assert 'value="by hand"' in answer.text
    [row] = csv.DictReader(io.StringIO(money_of(boss, "paid", "payments")))
    assert row["bonus_sent_cents"] == kept


def test_id_on_two_lines_of_a_sent_file_was_sent_their_sum(paid, researcher):
    record(researcher.client, "paid", "ann,0.70\r\nann,0.5\r\n")
    [row] = csv.DictReader(io.StringIO(money_of(researcher.client, "paid", "payments")))
    assert row["bonus_sent_cents"] == "120"


def shown_pay(browser, page):
    return one_line(browser.get(page).text.split('id="pay-h"')[1].split("</section>")[0])


def test_persons_page_shows_what_they_earned_and_how_it_is_settled(
    paid, client, researcher, look, server
):
    boss, page = researcher.client, own_page(look, paid)
    text = shown_pay(boss, page)
    for part in ("GBP 3.00", "GBP 0.00", "GBP 1.20", "GBP 4.20", look.person(paid.token).code):
        assert part in text
    assert "which pays GBP 3.00 for finishing" in text
    assert "bonus.csv lists GBP 1.20" in text
    assert "not recorded as sent" in text
    plain = Walker(client).enter("/s/paid").leave_practice()
    assert "Still under way" in shown_pay(boss, own_page(look, plain))
    seats_end = {"action": "end", "reason": "a fault"}
    fields = PageReader(boss.get(own_page(look, plain)).text).form("reason").fields
    boss.post(f"{own_page(look, plain)}/actions", data={**fields, **seats_end})
    assert "left before finishing and are owed nothing" in shown_pay(boss, own_page(look, plain))
    states = "Submission id,Participant id,Status\n1,ann,RETURNED\n"
    preview = boss.post("/admin/studies/paid/recruit/import", data={"text": states})
    form = next(one for one in PageReader(preview.text).forms if "packed" in one.fields)
    boss.post("/admin/studies/paid/recruit/import/store", data=form.fields)
    assert "timed out or returned there: pay manually" in shown_pay(boss, page)
    assert "bonus.csv lists" not in shown_pay(boss, page)
    with server.store.write() as db:
        db.execute(participant.update().values(is_test=True))
    assert "Nothing is owed to test participants" in shown_pay(boss, page)


def test_persons_page_hides_pay_with_outcomes_and_from_roles_without_pay(
    make_study, paid, client, researcher, look, server, app, settings, monkeypatch
):
    monkeypatch.setitem(RIGHTS, Role.VIEWER, frozenset({Right.SEE, Right.PEOPLE}))
    record(researcher.client, "paid", "ann,1.20\r\n")
    viewer = logged_in(app, settings, "vera", "researcher", is_admin=False)
    inviting.put(server.store, "paid", "vera", Role.VIEWER, "test", NOW)
    text = viewer.get(own_page(look, paid)).text
    assert "Your role in this study does not include pay." in text
    assert "GBP " not in text
    hidden = {"hide_outcomes": True}
    make_study(slug="hidden", payment=PERSON_PAY, blocks=ONE_GUARDIAN, per_player=1, options=hidden)
    other = Walker(client).enter("/s/hidden?PROLIFIC_PID=bob")
    play(other, look)
    record(researcher.client, "hidden", "bob,0.60\r\n")
    text = researcher.client.get(own_page(look, other)).text
    assert "hides what people are paid until it is closed" in text
    assert "GBP " not in text


def test_payments_of_a_page_read_the_platforms_list_of_these_people_alone(paid, server):
    platform = {"study_id": 1, "platform": "prolific", "state": "APPROVED", "imported_at": NOW}
    with server.store.write() as db:
        study = db.execute(sa.select(participant.c.study_id)).scalars().first()
        rows = [{**platform, "study_id": study, "external_id": f"x{n}"} for n in range(30)]
        db.execute(platforms.platform_record.insert(), [*rows, {**rows[0], "external_id": "ann"}])
    read = []

    def count(_db, _cursor, statement, *_):
        read.extend([" IN (" in statement] if "FROM platform_record" in statement else [])

    with server.store.read() as db:
        sa.event.listen(db, "after_cursor_execute", count)
        [one] = payments.pay_page(db, study, 1).rows
        assert (one.queue, read) == ("settled", [True])
        assert [row.external_id for row in platforms.records(db, study, ["ann"])] == ["ann"]
        bonuses.bonus_lines(db, study)
        assert read == [True, True, False]
