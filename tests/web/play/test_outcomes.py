"""However a part ended, every address of the participant shows it, with the code."""

from datetime import UTC, datetime

import pytest

from app.study.play import seats
from tests.walker import Walker, one_line

ENDED = ("screened_out", "failed_check", "withdrawn", "timed_out", "technical")
CODES = {
    "no_consent": "NOPE1",
    "screened_out": "OUT2",
    "failed_check": "FAIL3",
    "withdrawn": "GONE4",
    "technical": "TECH5",
    "return_url": "https://platform.example/done?cc={code}",
}
OWN = (
    "",
    "/instructions",
    "/practice",
    "/world/1/guardian/1",
    "/world/1/guardian/1/rule",
    "/world/9/guardian/9/answer",
    "/check",
    "/questions/after",
    "/end",
    "/leave",
)


@pytest.fixture
def study(make_study):
    return make_study(codes=CODES)


@pytest.fixture
def end(server, look):
    """End a participant's part."""

    def do(token, state):
        with server.store.write() as db:
            seats.end(db, look.person(token).id, state, "a_test", datetime.now(UTC))
        return token

    return do


@pytest.mark.parametrize("state", ENDED)
def test_outcome_is_shown_at_every_own_address(player, end, state):
    token = end(player.token, state)
    for path in OWN:
        player.get(f"/p/{token}{path}")
        assert player.answer.status_code == 200, path
        assert player.page.name == "outcome", path
        assert f'data-outcome="{state}"' in player.answer.text


@pytest.mark.parametrize("state", ENDED)
def test_code_of_the_outcome_is_shown_and_no_other(player, end, state):
    player.get(f"/p/{end(player.token, state)}")
    shown = {code for code in CODES.values() if f">{code}<" in player.answer.text}
    assert shown == ({CODES[state]} if state in CODES else set())


@pytest.mark.parametrize("state", ["failed_check", "timed_out"])
def test_page_asks_to_return_the_submission(player, end, state):
    player.get(f"/p/{end(player.token, state)}")
    assert "please return your submission" in player.answer.text


def test_return_link_carries_the_code(player, end):
    player.get(f"/p/{end(player.token, 'screened_out')}")
    assert "https://platform.example/done?cc=OUT2" in player.page.links


def test_no_return_link_without_a_code(player, end):
    player.get(f"/p/{end(player.token, 'timed_out')}")
    assert not [link for link in player.page.links if "platform.example" in link]


def test_code_is_quoted_in_the_return_link(client, make_study, end):
    make_study(slug="odd", codes={**CODES, "technical": "A&B =c"})
    walker = Walker(client).enter("/s/odd")
    walker.get(f"/p/{end(walker.token, 'technical')}")
    assert "https://platform.example/done?cc=A%26B%20%3Dc" in walker.page.links


@pytest.mark.parametrize("state", ENDED)
def test_command_of_an_ended_person_is_not_stored(player, end, look, state):
    end(player.token, state)
    player.type("check_location")
    assert player.page.name == "outcome"
    assert look.turns(player.token) == []


def test_command_by_script_leads_to_the_outcome(player, end, look):
    url = player.url
    end(player.token, "technical")
    data = {"raw": "check_location", "seq": "1"}
    answer = player.client.post(url, data=data, headers={"HX-Request": "true"})
    assert answer.headers["HX-Redirect"] == f"/p/{player.token}"
    assert look.turns(player.token) == []


def test_text_sent_too_late_is_given_back(player, end, look):
    player.type(*look.solution(player.token)).to_rule()
    end(player.token, "technical")
    player.explain("A long thought about both traits.")
    assert player.answer.status_code == 409
    assert player.page.name == "outcome"
    assert "A long thought about both traits." in player.answer.text


@pytest.mark.parametrize("state", ENDED)
def test_text_sent_too_late_by_script_is_asked_for_once_more_to_be_given_back(
    player, end, look, state
):
    player.type(*look.solution(player.token)).to_rule()
    form = player.page.form("inputs")
    end(player.token, state)
    sent = {**form.fields, "inputs": "A long thought."}
    by_script = {"headers": {"HX-Request": "true"}}
    answer = player.client.post(form.action, data=sent, **by_script)
    assert answer.headers["HX-Redirect"] == f"/p/{player.token}"
    assert answer.headers["X-Late"] == "true"
    assert "A long thought." in player.client.post(form.action, data=sent).text
    empty = player.client.post(form.action, data=form.fields, **by_script)
    assert "X-Late" not in empty.headers


@pytest.mark.parametrize("path", ["/notes/1", "/world/1/guardian/1/rule/draft"])
def test_autosave_of_an_ended_person_says_that_nothing_is_stored(player, end, path):
    url = f"/p/{end(player.token, 'technical')}{path}"
    data = {"text": "a thought", "revision": "0"}
    answer = player.client.post(url, data=data, headers={"X-Autosave": "true"})
    assert answer.status_code == 409
    assert "nothing more will be stored" in answer.text


def test_problem_can_be_reported_after_the_end(player, end, server, look):
    player.get(f"/p/{end(player.token, 'failed_check')}/problem")
    assert player.page.name == "problem"
    player.send("text", text="I was right, though.")
    assert "Thank you" in player.answer.text


def test_declined_page_shows_the_code_and_where_to_hand_it_in(walker):
    walker.get("/s/demo").send("answer", answer="no")
    assert walker.page.name == "declined"
    assert ">NOPE1<" in walker.answer.text
    assert "https://platform.example/done?cc=NOPE1" in walker.page.links


def test_declined_page_without_code_asks_to_return(client, make_study):
    make_study(slug="plain", codes={})
    walker = Walker(client).get("/s/plain").send("answer", answer="no")
    assert "please return the study there" in walker.answer.text
    assert 'id="code"' not in walker.answer.text


def test_finished_people_see_the_debrief_with_their_code(walker, look):
    walker.enter().leave_practice()
    token = walker.token
    for block, guardians in ((0, 2), (1, 1)):
        for position in range(guardians):
            walker.type(*look.solution(token, block, position)).to_rule().explain()
    assert walker.page.name == "debrief"
    assert walker.get(f"/p/{token}").page.name == "debrief"
    shown = walker.answer.text
    assert (
        0
        < shown.index("You have finished. Please use the button below")
        < shown.index(look.person(token).code)
    )


RETURN = "https://platform.example/done"
HAND_INS = [  # return address -> what people do with the code, the label of the link
    ("", "Please paste this code where you found the study.", ""),
    (f"{RETURN}?cc={{code}}", "submits this code for you", "submit the code"),
    (RETURN, "paste the code there", "Back to where you found the study"),
]


@pytest.mark.one_database
@pytest.mark.parametrize(("address", "words", "label"), HAND_INS)
def test_every_page_with_a_code_says_what_to_do_with_it_there(
    client, make_study, look, address, words, label
):
    codes = {"no_consent": "NOPE", "withdrawn": "LEFT", "return_url": address}
    blocks = [{"task": "P-Comp", "seeds": [2]}]
    make_study(slug="ends", codes=codes, blocks=blocks, per_player=1)
    done = Walker(client).enter("/s/ends").leave_practice()
    done.type(*look.solution(done.token)).to_rule().explain()
    left = Walker(client).enter("/s/ends")
    left.get(f"/p/{left.token}/leave").send("ticket")
    declined = Walker(client).get("/s/ends").send("answer", answer="no")
    for walker in (done, left, declined):
        box = one_line(walker.answer.text.split('class="code-box"')[1].split("</section>")[0])
        assert words in box, walker.page.name
        assert ("Please paste this code" in box) is (not address)
        assert label.lower() in box.lower()
        assert ('role="button"' in box) is bool(address)
