"""Withdrawal, manual actions, search, recruitment lists, payments, identifiers."""

import csv
import io
import re
from datetime import timedelta

import pytest

from app.store.play import participants
from app.study.export.verify import verify
from app.study.people import identifiers
from app.study.play import seats
from tests.walker import PageReader, Walker, one_line

LINK = "/s/demo?PROLIFIC_PID=abc&STUDY_ID=s1&SESSION_ID=sub1"
HEADER = "Submission id,Participant id,Status,Completion code\n"


@pytest.fixture
def person(client, study):
    """A player from Prolific at the first guardian."""
    return Walker(client).enter(LINK).leave_practice()


def finish(walker, look):
    for block, guardians in ((0, 2), (1, 1)):
        for position in range(guardians):
            walker.type(*look.solution(walker.token, block, position)).to_rule().explain("typed")
    return walker


def test_leaving_is_asked_once_more_and_changes_nothing_before(person, look):
    person.get(f"/p/{person.token}/leave")
    assert person.page.name == "leave"
    assert look.person(person.token).state == "active"


def test_withdrawal_erases_what_was_typed_and_keeps_a_tombstone(person, look):
    token = person.token
    person.type("check_location", "my secret words")
    person.get(f"/p/{token}/leave").send("ticket")
    row = look.person(token)
    assert (row.state, row.erased_at is not None) == ("withdrawn", True)
    assert look.turns(token) == []
    assert look.turns(token, kind="practice") == []
    person.get(f"/p/{token}")
    assert person.page.name == "outcome"
    answer = person.client.post(f"/p/{token}/world/1/guardian/1", data={"seq": "1", "raw": "go x"})
    assert answer.status_code < 500
    assert look.turns(token) == []


def test_withdrawal_can_keep_the_data_if_the_study_says_so(client, make_study, look):
    make_study(slug="keep", people={"withdrawal": "keep"})
    person = Walker(client).enter("/s/keep").leave_practice()
    token = person.token
    person.type("check_location").get(f"/p/{token}/leave").send("ticket")
    assert look.person(token).state == "withdrawn"
    assert [turn.raw for turn in look.turns(token)] == ["check_location"]


def test_consent_page_says_what_leaving_does_and_when_ids_are_deleted(client, make_study, study):
    make_study(slug="keep", people={"withdrawal": "keep", "identifiers_days": 30})
    erase, keep = client.get("/s/demo").text, client.get("/s/keep").text
    assert "everything you typed and did here is deleted" in erase
    assert "deleted 90 days after your part ends" in erase
    assert "and confirm, what you typed and did until then is kept" in keep
    assert "deleted 30 days after your part ends" in keep


def test_who_has_finished_can_still_find_the_way_to_leave(person, look):
    finish(person, look)
    assert person.page.name == "debrief"
    leave = next(link for link in person.page.links if link.endswith("/leave"))
    person.get(leave).send("ticket")
    assert look.person(person.token).state == "withdrawn"
    assert look.turns(person.token) == []


def test_erased_data_still_verifies(person, server):
    person.type("check_location").get(f"/p/{person.token}/leave").send("ticket")
    assert verify(server.store).ok


def import_list(page, text):
    """Check a platform's list, then store it."""
    preview = page.get("/admin/studies/demo/recruit").send("text", text=text).page
    form = preview.form("packed")
    return page.client.post(f"{form.action}/store", data=form.fields)


def test_platform_csv_puts_people_into_queues(person, researcher, look):
    finish(person, look)
    code = look.person(person.token).code
    Walker(person.client).get("/s/demo?PROLIFIC_PID=left").send("answer", answer="no")
    page = researcher.get("/admin/studies/demo/recruit")
    text = HEADER + f"sub1,abc,AWAITING REVIEW,{code}\nsub2,left,AWAITING REVIEW,\n"
    text += "sub3,stranger,AWAITING REVIEW,XYZ\n"
    answer = import_list(page, text)
    assert answer.status_code == 200
    for queue in ("pay", "ask_to_return", "unknown_code"):
        assert f'aria-label="{queue}"' in answer.text
    again = import_list(page, text.replace("AWAITING REVIEW", "RETURNED"))
    assert 'aria-label="finished_timed_out"' in again.text
    assert 'aria-label="pay"' not in again.text


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "empty"),
        ("a,b\n1,2\n", "Choose the column for"),
        (HEADER + f"s,{'a' * 129},APPROVED,\n", "at most 128 characters"),
    ],
)
def test_platform_csv_with_a_fault_is_refused_in_words_and_stores_nothing(researcher, text, word):
    url = "/admin/studies/demo/recruit/import"
    answer = researcher.client.post(url, data={"text": text})
    assert answer.status_code == 422
    assert word.lower() in " ".join(PageReader(answer.text).text).lower()


def test_payment_table_holds_whole_cents_and_the_ids(client, make_study, look, researcher):
    make_study(
        slug="paid",
        payment={"base_cents": 300, "bonus": "50 * successes", "bonus_cap_cents": 120},
    )
    person = Walker(client).enter("/s/paid?PROLIFIC_PID=xyz").leave_practice()
    finish(person, look)
    text = researcher.client.get("/admin/studies/paid/recruit/payments.csv").text
    [row] = csv.DictReader(io.StringIO(text))
    assert (row["external_id"], row["outcome"]) == ("xyz", "finished")
    assert (row["base_cents"], row["bonus_cents"], row["total_cents"]) == ("300", "120", "420")
    assert row["code"] == look.person(person.token).code


def test_personal_links_are_a_csv_of_different_links(researcher):
    url = "/admin/studies/demo/recruit/links"
    answer = researcher.client.post(
        url, data={"count": "3"}, headers={"Sec-Fetch-Site": "same-origin"}
    )
    rows = list(csv.reader(io.StringIO(answer.text)))
    assert len({link for _, link in rows[1:]}) == 3


def test_identifiers_are_deleted_when_their_date_has_come(person, server, look, study):
    row = look.person(person.token)
    days = timedelta(days=study.spec.people.identifiers_days)
    late = row.created_at + days * 1.01
    assert identifiers.sweep(server.store, server.library, late) == 0  # their link still leads back
    with server.store.write() as db:
        seats.end(db, row.id, "timed_out", "session_over", row.created_at)
    assert identifiers.sweep(server.store, server.library, row.created_at + days / 2) == 0
    assert identifiers.sweep(server.store, server.library, late) == 1
    with server.store.read() as db:
        assert db.execute(participants.identity.select()).all() == []
    assert look.person(person.token).state == "timed_out"


def test_person_is_found_by_platform_id_and_by_code(person, researcher, look):
    public_id = look.person(person.token).public_id
    for text in ("abc", "sub1", public_id):
        assert public_id in researcher.get(f"/admin/search?q={text}").answer.text
    assert public_id not in researcher.get("/admin/search?q=ab").answer.text


def apply_action(researcher, look, token, action, **fields):
    page = researcher.get(f"/admin/participants/{look.person(token).public_id}")
    page.send("reason", action=action, reason="because", **fields)
    return page


def test_hand_actions_need_a_reason_and_are_logged(person, researcher, look):
    page = researcher.get(f"/admin/participants/{look.person(person.token).public_id}")
    page.send("reason", action="exclude", reason="  ")
    assert page.answer.status_code == 422
    assert look.person(person.token).excluded == ""
    page = apply_action(researcher, look, person.token, "exclude")
    assert look.person(person.token).excluded == "because"
    assert "<b>exclude</b>" in page.answer.text
    apply_action(researcher, look, person.token, "include")
    assert look.person(person.token).excluded == ""


@pytest.mark.parametrize("action", ["note", "extend", "unstick", "exclude", "include", "end"])
def test_every_hand_action_is_logged_with_who_and_why(person, researcher, look, action):
    page = apply_action(researcher, look, person.token, action)
    assert page.answer.status_code == 200
    assert f"<b>{action}</b> because <span>(researcher)</span>" in page.answer.text


def test_an_end_by_hand_is_technical_with_its_page_code_and_a_free_seat(
    client, make_study, researcher, look, server
):
    make_study(slug="coded", codes={"technical": "TECH5"}, people={"quota": 1}, per_player=1)
    person = Walker(client).enter("/s/coded")
    apply_action(researcher, look, person.token, "end")
    row = look.person(person.token)
    assert (row.state, row.end_reason, row.seat) == ("technical", "by_hand", "released")
    person.get(f"/p/{person.token}")
    assert 'data-outcome="technical"' in person.answer.text
    assert ">TECH5<" in person.answer.text
    assert Walker(client).enter("/s/coded").page.name == "practice"  # the seat was free

    page = apply_action(researcher, look, person.token, "end")
    assert page.answer.status_code == 422


def test_an_end_by_hand_can_be_taken_back(person, researcher, look):
    apply_action(researcher, look, person.token, "end")
    apply_action(researcher, look, person.token, "extend")
    assert look.person(person.token).state == "active"
    assert person.get(f"/p/{person.token}").page.name == "game"
    person.type("check_location")
    assert look.person(person.token).seat in {"", "held"}


def test_unstick_carries_over_a_guardian_and_voids_it(person, researcher, look):
    token = person.token
    apply_action(researcher, look, token, "unstick")
    person.get(f"/p/{token}")
    assert person.page.name == "rule"
    row = next(one for one in look.episodes(token) if one.kind == "main")
    assert (row.state, row.voided_at is not None) == ("lost", True)


def test_voiding_takes_only_own_episodes(person, researcher, look):
    page = apply_action(researcher, look, person.token, "void", episode="999999")
    assert page.answer.status_code == 422
    own = next(one for one in look.episodes(person.token) if one.kind == "main")
    apply_action(researcher, look, person.token, "void", episode=str(own.id))
    again = next(one for one in look.episodes(person.token) if one.id == own.id)
    assert again.voided_at is not None


def rows_of_turns(html):
    return html.split('<table class="turns">')[-1].split("</table>")[0].count("<tr")


def test_equal_turns_in_a_row_are_one_row_with_their_number_and_every_time(
    person, researcher, look
):
    token = person.token
    person.type("look", "look", *["check_location"] * 12, "look")
    page = f"/admin/participants/{look.person(token).public_id}"
    html = researcher.client.get(page).text
    assert rows_of_turns(html) == 1 + 2 + 1 + 1  # the head; two looks stay apart; twelve; one
    assert html.count("<summary>12 times</summary>") == 1
    listed = html.split("<summary>12 times</summary>")[1].split("</details>")[0]
    assert [f"<li>{seq}: " in one_line(listed) for seq in (3, 14)] == [True, True]
    assert listed.count("<li>") == 12


def test_equal_rows_of_every_log_are_folded_and_rows_that_differ_are_not(person, researcher, look):
    boss, page = researcher.client, f"/admin/participants/{look.person(person.token).public_id}"
    for text in ("slow", "slow", "slow", "late"):
        person.get(f"/p/{person.token}/problem").send("text", text=text)
    for reason in ("seen", "seen", "seen", "seen again"):
        fields = PageReader(boss.get(page).text).form("reason").fields
        boss.post(f"{page}/actions", data={**fields, "action": "note", "reason": reason})
    html = one_line(boss.get(page).text)
    for part in ("problems-h", "manual-actions-h"):
        shown = html.split(f'id="{part}"')[1].split("</section>")[0]
        assert shown.count("<summary>3 times</summary>") == 1, part
    monitor = boss.get("/admin/studies/demo/monitor").text.split('id="errors-h"')[1]
    assert monitor.count("<summary>3 times</summary>") == 1
    for _ in range(5):
        boss.get(page)
    log = one_line(boss.get("/admin/audit").text)
    assert "times</summary>" in log
    seen = sum(int(n) for n in re.findall(r"<summary>(\d+) times", log))
    rows = log.split("<tbody>")[1].count("<tr")
    csv_rows = len(boss.get("/admin/audit.csv").text.splitlines()) - 1
    assert rows - log.count("times</summary>") + seen == csv_rows - 1  # and this download
