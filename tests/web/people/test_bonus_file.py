"""The file for a platform's bulk bonus: `id,amount` in major units, whatever the platform."""

import csv
import io
from datetime import timedelta

from app.store.play.participants import participant
from app.study.people import inviting, payments
from app.study.rights import Role
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
        ("ann;2.05\n", "Line 1 is not an ID and an amount"),
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
    assert f'<td class="tight">{NOW:%Y-%m-%d}</td>' in boss.get(own).text

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
