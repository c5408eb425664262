"""A player without script completes the whole study."""

import re


def play_and_explain(walker, look, block, guardians):
    for position in range(guardians):
        walker.type(*look.solution(walker.token, block, position))
        assert walker.page.state["data-success"] == "true"
        walker.to_rule()
        assert walker.page.name == "rule"
        walker.explain(f"rule of {block}.{position}")
    return walker


def test_whole_study_without_script_ends_with_the_code_for_ever(player, look):
    token = player.token
    play_and_explain(player, look, 0, 2)
    play_and_explain(player, look, 1, 1)
    assert player.page.name == "debrief"
    code = look.person(token).code
    assert re.fullmatch("[A-Z2-9]{8}", code)
    assert code in player.answer.text
    assert look.person(token).state == "finished"
    again = player.get(f"/p/{token}")
    assert code in again.answer.text


def test_code_does_not_exist_before_the_last_answer(player, look):
    play_and_explain(player, look, 0, 2)
    assert look.person(player.token).code is None
    player.get(f"/p/{player.token}/end")
    assert player.page.name == "game"


def test_future_page_leads_back_to_the_present_one(player):
    here = player.url
    player.get(f"/p/{player.token}/world/2/guardian/1")
    assert player.url == here
    player.get(f"/p/{player.token}/world/1/guardian/1/rule")
    assert player.url == here


def test_post_to_a_future_guardian_stores_nothing(player, look):
    url = f"/p/{player.token}/world/2/guardian/1"
    player.client.post(url, data={"raw": "check_location", "seq": "1"})
    assert look.turns(player.token) == []


def test_finished_game_page_stays_readable(player, look):
    url = player.url
    player.type(*look.solution(player.token))
    player.to_rule().explain()
    player.get(url)
    assert player.page.name == "game"
    assert player.page.state["data-done"] == "true"
    assert not any("raw" in form.fields for form in player.page.forms)


def test_past_rule_form_is_a_receipt_with_the_answer(player, look):
    player.type(*look.solution(player.token)).to_rule()
    url = player.url
    player.explain("it is the class")
    player.get(url)
    assert player.page.name == "receipt"
    assert "it is the class" in player.answer.text


def test_practice_cannot_be_left_before_it_is_won(walker):
    walker.enter()
    ticket = "a-ticket-of-sixteen-or-more"
    walker.client.post(f"/p/{walker.token}/practice/leave", data={"ticket": ticket})
    walker.get(f"/p/{walker.token}")
    assert walker.page.name == "practice"


def test_unknown_token_is_a_page_in_plain_words(client):
    answer = client.get("/p/nobody")
    assert answer.status_code == 404
    assert "link" in answer.text
    assert "Continue where you left off" not in answer.text  # it would lead back here


def test_wrong_address_of_a_known_person_leads_back(player):
    player.get(f"/p/{player.token}/nowhere")
    assert player.answer.status_code == 404
    assert f'href="/p/{player.token}">Continue where you left off' in player.answer.text
