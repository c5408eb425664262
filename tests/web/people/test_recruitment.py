"""Recruitment: links and groups, the platform's list and ours, what people are owed."""

import csv
import io
from datetime import timedelta

import pytest

from app.store.people import platforms
from app.study.people import identifiers, recruitment
from app.study.people.recruitment import queue_of
from app.study.play import seats
from tests.walker import Walker
from tests.web.conftest import NOW
from tests.web.people.listed import import_list, page_of

HEADER = "Submission id,Participant id,Status,Completion code\n"


def payments(researcher, slug):
    text = researcher.client.get(f"/admin/studies/{slug}/recruit/payments.csv").text
    return list(csv.DictReader(io.StringIO(text)))


def play(walker, look, guardians=((0, 2), (1, 1))):
    """Win and explain every guardian of the small study."""
    for block, number in guardians:
        for position in range(number):
            walker.type(*look.solution(walker.token, block, position)).to_rule().explain("typed")
    return walker


def leave(walker):
    return walker.get(f"/p/{walker.token}/leave").send("ticket")


@pytest.mark.parametrize(
    ("ours", "theirs", "codes", "queue"),
    [
        ("finished", "awaiting review", ("ABC", "ABC"), "pay"),
        ("finished", "awaiting review", ("ABC", " abc "), "pay"),
        ("finished", "awaiting review", ("ABC", "NOCODE"), "no_code"),
        ("finished", "awaiting review", ("ABC", ""), "no_code"),
        ("finished", "awaiting review", ("ABC", "XYZ"), "unknown_code"),
        ("finished", "timed-out", ("ABC", ""), "finished_timed_out"),
        ("finished", "returned", ("ABC", ""), "finished_timed_out"),
        ("finished", "approved", ("ABC", "ABC"), "settled"),
        ("screened_out", "awaiting review", ("OUT", "OUT"), "pay_in_part"),
        ("technical", "awaiting review", ("TECH", "TECH"), "pay_in_part"),
        ("screened_out", "awaiting review", ("", "NOCODE"), "ask_to_return"),
        ("failed_check", "awaiting review", ("FAIL", "FAIL"), "ask_to_return"),
        ("withdrawn", "awaiting review", ("", ""), "ask_to_return"),
        ("", "awaiting review", ("", "NOCODE"), "unknown_code"),
        ("active", "awaiting review", ("", ""), "running"),
        ("active", "active", ("", ""), "running"),
        ("active", "", ("", ""), "running"),
        ("active", "timed-out", ("", ""), "running"),
        ("active", "returned", ("", ""), "running"),
        ("timed_out", "returned", ("", ""), "settled"),
        ("timed_out", "approved", ("", "X"), "approved_unfinished"),
        ("finished", "", ("ABC", ""), "only_here"),
    ],
)
def test_everyone_has_one_queue(ours, theirs, codes, queue):
    assert queue_of(ours, theirs, *codes) == queue
    assert queue in recruitment.QUEUES


@pytest.mark.parametrize("withdrawal", ["erase", "keep"])
def test_who_finished_and_left_after_that_is_still_to_be_paid(
    client, make_study, look, researcher, withdrawal
):
    make_study(
        slug="paid",
        people={"withdrawal": withdrawal},
        payment={
            "base_cents": 300,
            "hourly_cents": 6000,
            "bonus": "50 * successes",
            "bonus_cap_cents": 150,
        },
    )
    person = play(Walker(client).enter("/s/paid?PROLIFIC_PID=xyz").leave_practice(), look)
    code = look.person(person.token).code
    [before] = payments(researcher, "paid")
    leave(person)
    assert bool(look.turns(person.token)) == (withdrawal == "keep")
    [after] = payments(researcher, "paid")
    assert (after["outcome"], after["code"]) == ("withdrawn", code)
    assert (after["base_cents"], after["bonus_cents"]) == ("300", "150")
    assert {**after, "outcome": ""} == {**before, "outcome": ""}
    text = HEADER + f"sub1,xyz,AWAITING REVIEW,{code}\n"
    assert 'aria-label="pay"' in import_list(researcher, "paid", text).answer.text


def test_the_code_shown_to_someone_who_left_is_on_their_page(client, make_study, look, researcher):
    make_study(slug="left", codes={"withdrawn": "CWITHDR"}, people={"require": "id"})
    person = Walker(client).enter("/s/left?PROLIFIC_PID=xyz")
    assert "CWITHDR" in leave(person).answer.text
    page = researcher.get(f"/admin/participants/{look.person(person.token).public_id}")
    assert "CWITHDR" in page.answer.text
    text = researcher.get("/admin/studies/left").answer.text
    assert 'refused without an ID or a signature: copy links from <a href="' in text
    assert "refused without" not in researcher.get("/admin/studies/demo").answer.text


def test_real_code_of_another_outcome_is_not_called_unknown(client, make_study, researcher):
    make_study(slug="left", codes={"kind": "static", "finished": "C1DONE", "withdrawn": "C2LEFT"})
    leave(Walker(client).enter("/s/left?PROLIFIC_PID=xyz"))
    text = HEADER + "sub1,xyz,AWAITING REVIEW,c1done\nsub2,who,AWAITING REVIEW,C1DONE\n"
    page = import_list(researcher, "left", text).answer.text

    for queue, number in (("other_code", 1), ("unknown_code", 1), ("ask_to_return", 0)):
        assert page.count(f'aria-label="{queue}"') == number


def test_time_of_erased_data_is_still_paid(client, make_study, look, researcher, clock):
    make_study(slug="paid", payment={"hourly_cents": 6000})
    person = Walker(client).enter("/s/paid?PROLIFIC_PID=xyz").leave_practice()
    for minutes in (5, 10):
        clock.now = NOW + timedelta(minutes=minutes)
        person.type("check_location")
    leave(person)
    [row] = payments(researcher, "paid")
    assert (row["outcome"], row["active_minutes"]) == ("withdrawn", "10.0")
    assert (row["base_cents"], row["time_cents"], row["total_cents"]) == ("0", "1000", "1000")


def test_time_up_to_being_screened_out_is_paid(client, make_study, look, researcher, clock):
    job = {"key": "job", "label": "Job?", "kind": "choice", "options": ["a", "b"]}
    make_study(
        slug="paid",
        payment={"hourly_cents": 6000},
        questions={"before": [{**job, "screen_out": ["b"]}], "comment": False},
    )
    person = Walker(client).enter("/s/paid")
    clock.now = NOW + timedelta(minutes=4)
    person.send("ticket", q_job="b")
    assert look.person(person.token).state == "screened_out"
    [row] = payments(researcher, "paid")
    assert (row["outcome"], row["active_minutes"], row["time_cents"]) == (
        "screened_out",
        "4.0",
        "400",
    )


def test_a_stated_answer_neither_raises_nor_lowers_the_efficiency_of_a_bonus(
    client, make_study, look, researcher, server
):
    make_study(
        slug="mixed",
        blocks=[
            {"task": "A-Over", "seeds": [1]},
            {"task": "A-Over", "seeds": [2], "format": "direct"},
        ],
        payment={"bonus": "100 * ecsr", "bonus_cap_cents": 500},
    )
    person = play(Walker(client).enter("/s/mixed").leave_practice(), look, ((0, 2),))
    while person.page.name != "debrief":
        if person.page.name == "direct":
            person.send("ticket", item=item_of(server, look.episodes(person.token)[-1]))
        else:
            person.explain("typed")
    [row] = payments(researcher, "mixed")
    assert row["bonus_cents"] == "100"  # both guardians were defeated by the shortest way


def item_of(server, row):
    """Return an item in an episode's world."""
    with server.store.read() as db:
        variant = server.library.variant(db, row.variant_hash)
    return variant.episodes[row.variant_episode].process.item


def test_the_page_states_what_the_platforms_allow(researcher):
    text = page_of(researcher, "demo").answer.text
    for words in (
        "two failed attention checks",
        "ask for a return; do not reject",
        "Screening inside a study must be paid",
        "refill returned and timed-out places",
        "This server never rejects anyone",
    ):
        assert words in text


def test_ids_of_people_we_never_met_are_deleted_too(researcher, server, study, client):
    Walker(client).enter("/s/demo?PROLIFIC_PID=known")
    text = HEADER + "s1,known,ACTIVE,\ns2,stranger,RETURNED,\n"
    import_list(researcher, "demo", text)

    def kept():
        with server.store.read() as db:
            return sorted(row.external_id for row in platforms.records(db, study.id))

    with server.store.read() as db:
        at = platforms.records(db, study.id)[0].imported_at
    days = timedelta(days=study.spec.people.identifiers_days)
    identifiers.sweep(server.store, server.library, at + days / 2)
    assert kept() == ["known", "stranger"]
    assert identifiers.sweep(server.store, server.library, at + days * 1.01) == 1
    assert kept() == ["known"]


def test_who_is_screened_out_with_a_code_is_to_be_paid_in_part(
    client, make_study, researcher, server, look
):
    make_study(slug="strict", codes={"screened_out": "OUT2"})
    person = Walker(client).enter("/s/strict?PROLIFIC_PID=xyz")
    with server.store.write() as db:
        seats.end(db, look.person(person.token).id, "screened_out", "a_test", NOW)
    text = HEADER + "sub1,xyz,AWAITING REVIEW,out2\n"
    assert 'aria-label="pay_in_part"' in import_list(researcher, "strict", text).answer.text


WITHOUT = "No list has been imported yet."
APART = "only_here: known here, but not in the platform’s list"


def test_words_fit_whether_a_list_has_been_imported(researcher, study, client):
    Walker(client).enter("/s/demo?PROLIFIC_PID=known")
    text = page_of(researcher, "demo").answer.text
    for words in (WITHOUT, APART, "import the platform’s list:"):
        assert words in text
    for words in ("queues above", "list again"):
        assert words not in text
    text = import_list(researcher, "demo", HEADER + "s1,known,ACTIVE,\n").answer.text
    for words in ("everyone in the queues above", APART, "import the platform’s list again"):
        assert words in text


def test_codes_and_names_of_queues_are_there_to_copy(make_study, researcher):
    make_study(slug="own", codes={"technical": "CTECH"})
    make_study(slug="same", codes={"kind": "static", "finished": "CDONE"})
    words = {
        slug: " ".join(" ".join(page_of(researcher, slug).page.text).split())
        for slug in ("own", "same")
    }
    assert "Code: finished each person’s own Code: technical CTECH" in words["own"]
    assert "Code: finished CDONE" in words["same"]
    page = import_list(researcher, "same", HEADER + "sub1,xyz,TIMED-OUT,\n")
    assert '<code class="soft">settled</code>' in page.answer.text


@pytest.mark.parametrize("queue", recruitment.QUEUES)
def test_each_queue_says_what_to_do(queue):
    what, _, do = recruitment.QUEUES[queue].partition(": ")
    assert what
    assert do, queue


def test_queue_of_those_under_way_says_what_to_do_about_whoever_timed_out_there(researcher, client):
    Walker(client).enter("/s/demo?PROLIFIC_PID=late")
    page = import_list(researcher, "demo", HEADER + "sub1,late,TIMED-OUT,\n")
    text = " ".join(page.answer.text.split())
    assert 'aria-label="running"' in text
    for words in (
        "Still under way, here or there: wait.",
        "Whoever has timed out there may still finish here: then pay manually. To end it now,",
        "approve them on the platform first",
    ):
        assert words in text


def test_queues_call_the_participant_as_payments_do(researcher, client):
    Walker(client).enter("/s/demo?PROLIFIC_PID=known")
    names = {
        table: set(csv.DictReader(io.StringIO(researcher.client.get(url).text)).fieldnames or ())
        for table in ("queues", "payments")
        if (url := f"/admin/studies/demo/recruit/{table}.csv")
    }
    assert {"participant_id", "external_id"} <= names["queues"] & names["payments"]
    assert "public_id" not in names["queues"]
