"""Full, closed and excluded studies, clocks and warnings, as participants see them."""

from datetime import UTC, datetime, timedelta

import pytest

from app.store.play import participants
from app.study.design import studies
from app.study.play import seats
from tests.walker import Walker, one_line

ANN, BEN = "/s/demo?PROLIFIC_PID=ann", "/s/demo?PROLIFIC_PID=ben"
RETURN = "please return your submission"


@pytest.fixture
def ago(server, look):
    """Set a person's consent to some minutes ago, with no action since."""

    def move(token, minutes):
        then = datetime.now(UTC) - timedelta(minutes=minutes)
        with server.store.write() as db:
            values = {"consented_at": then, "seen_at": then}
            participants.change(db, look.person(token).id, values)

    return move


def agree(client, link):
    return Walker(client).get(link).send("answer", answer="yes")


def reads(walker, text):
    return text in " ".join(" ".join(walker.page.text).split())


def test_a_full_study_asks_for_the_return_and_names_the_reason(client, make_study, look):
    make_study(people={"quota": 1})
    agree(client, ANN)

    late = agree(client, BEN)

    assert late.page.name == "outcome"
    assert reads(late, RETURN)
    assert reads(late, "study_full")
    assert look.person(late.token).code is None


def test_a_link_opened_in_a_full_study_takes_nothing_and_shows_the_consent(client, make_study):
    make_study(people={"quota": 1})
    agree(client, ANN)
    agree(client, BEN)

    assert Walker(client).get(BEN).page.name == "consent"


def test_who_was_turned_away_starts_with_the_same_link_once_a_place_is_free(
    client, make_study, server, look
):
    make_study(people={"quota": 1})
    first, late = agree(client, ANN), agree(client, BEN)
    with server.store.write() as db:
        person = look.person(first.token).id
        seats.end(db, person, "withdrawn", "withdrawn", datetime.now(UTC))

    again = agree(client, BEN)

    assert again.page.name == "instructions"
    assert again.token == late.token


def test_a_closed_study_says_so_and_lets_no_one_in(client, make_study, server):
    make_study()
    page = Walker(client).get(ANN)
    studies.set_state(server.store, "demo", "closed")

    page.send("answer", answer="yes")
    assert page.answer.status_code == 403
    assert reads(page, "is not taking new players")
    assert not any("answer" in dict(form.buttons) for form in Walker(client).get(ANN).page.forms)


def test_a_closed_study_lets_its_people_go_on(client, make_study, server):
    make_study()
    inside = agree(client, ANN)
    studies.set_state(server.store, "demo", "closed")

    assert Walker(client).get(ANN).url == inside.url
    assert inside.send("ticket").page.name == "practice"


def test_people_of_an_earlier_study_read_why_they_are_refused(client, make_study, look):
    make_study(slug="pilot")
    agree(client, "/s/pilot?PROLIFIC_PID=ann")
    codes = {"kind": "static", "finished": "DONE", "screened_out": "OUT"}
    make_study(people={"exclude_studies": ["pilot"]}, codes=codes)

    walker = agree(client, ANN)

    assert walker.page.name == "outcome"
    assert reads(walker, "You have taken part before")
    assert reads(walker, "former_participant")
    assert reads(walker, RETURN)
    assert "OUT" not in walker.answer.text
    assert look.person(walker.token).state == "screened_out"


def test_a_time_that_has_run_out_is_shown_and_a_look_stores_nothing(client, make_study, ago, look):
    make_study()
    walker = agree(client, ANN)
    ago(walker.token, 24 * 60 + 1)

    walker.get(f"/p/{walker.token}/instructions")

    assert walker.page.name == "outcome"
    assert reads(walker, "Your time for this study is over")
    assert reads(walker, RETURN)
    assert look.person(walker.token).state == "active"


def test_a_form_after_the_time_has_run_out_stores_the_end_alone(client, make_study, ago, look):
    make_study()
    walker = agree(client, ANN)
    ago(walker.token, 24 * 60 + 1)

    walker.send("ticket")

    row = look.person(walker.token)
    assert walker.page.name == "outcome"
    assert (row.state, row.end_reason) == ("timed_out", "session_over")
    assert row.instructions_at is None


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_command_after_the_time_has_run_out_leads_to_the_outcome_page(
    client, make_study, ago, look, headers
):
    make_study(options={"practice": False})
    walker = agree(client, ANN).send("ticket")
    assert walker.page.name == "game"
    ago(walker.token, 24 * 60 + 1)

    answer = client.post(walker.url, data={"seq": "1", "raw": "look"}, headers=headers)

    if headers:
        assert answer.headers["HX-Redirect"] == f"/p/{walker.token}"
    assert "arrived too late" in answer.text or headers
    assert walker.get(f"/p/{walker.token}").page.name == "outcome"
    assert look.person(walker.token).state == "timed_out"
    assert look.turns(walker.token) == []


def test_who_comes_back_too_late_reads_that_the_place_is_gone(client, make_study, ago, look):
    make_study(people={"quota": 1}, options={"practice": False})
    walker = agree(client, ANN).send("ticket")
    ago(walker.token, 61)
    assert agree(client, BEN).page.name == "instructions"

    walker.type("look").get(f"/p/{walker.token}")

    assert walker.page.name == "outcome"
    assert reads(walker, "Your place has gone to someone else")
    assert reads(walker, "seat_lost")
    assert reads(walker, RETURN)


def test_who_comes_back_in_time_goes_on_where_they_were(client, make_study, ago, server):
    make_study(people={"quota": 1}, options={"practice": False})
    walker = agree(client, ANN).send("ticket")
    ago(walker.token, 61)
    seats.sweep(server.store, datetime.now(UTC))

    walker.type("look")

    assert (walker.page.name, walker.seq) == ("game", 2)


@pytest.mark.parametrize(("minutes", "hidden"), [(24 * 60 - 9, False), (60, True)])
def test_a_warning_comes_before_the_end_and_not_earlier(client, make_study, ago, minutes, hidden):
    make_study()
    walker = agree(client, ANN)
    ago(walker.token, minutes)

    html = walker.get(f"/p/{walker.token}/instructions").answer.text

    warning = html[html.index('id="warning"') :].split("</p>")[0]
    assert ("hidden data-in=" in warning) is hidden
    assert ("About 8 minutes left" in warning) is not hidden


def test_a_study_without_warning_shows_none(client, make_study):
    make_study(clocks={"warn_minutes": 0})

    assert 'id="warning"' not in agree(client, ANN).answer.text


def test_the_instructions_say_how_long_a_place_is_kept(client, make_study):
    make_study(people={"quota": 5}, clocks={"seat_minutes": 45, "resume_hours": 3})

    walker = agree(client, ANN)

    assert reads(walker, "within 3 hours")
    assert reads(walker, "kept for 45 minutes")


def test_the_pages_show_finished_under_way_expired_and_quota_of_each_cell(
    client, make_study, researcher, ago
):
    make_study(slug="two", per_player=1, order="fixed", people={"quota": 9, "cell_quota": 3})
    vanished = agree(client, "/s/two?PROLIFIC_PID=ann")
    agree(client, "/s/two?PROLIFIC_PID=ben")
    ago(vanished.token, 90)

    for page in ("", "/monitor"):
        researcher.get(f"/admin/studies/two{page}")

        text = one_line(researcher.answer.text)
        row = text.split("A-Over/1/semantic/1</small>")[1].split("</tr>")[0]
        numbers = [cell.split("<")[0] for cell in row.split('class="num">')[1:]]
        assert numbers == ["0", "2", "1", "3"], page
        assert reads(researcher, "2 of 9")
