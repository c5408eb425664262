"""Commands over HTTP: each once, in order, whatever the network and the player do."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from app.study.play.transcript import HINTS

HTMX = {"HX-Request": "true"}


def raws(look, token):
    return [(turn.seq, turn.raw) for turn in look.turns(token)]


def test_twenty_parallel_posts_of_one_action_store_one_turn(player, look):
    form = {"seq": "1", "raw": "check_location"}
    with ThreadPoolExecutor(20) as pool:
        answers = list(
            pool.map(lambda _: player.client.post(player.url, data=form, headers=HTMX), range(20))
        )
    assert {answer.status_code for answer in answers} == {200}
    assert raws(look, player.token) == [(1, "check_location")]


def test_twenty_parallel_posts_of_different_text_store_one_turn(player, look):
    def post(number):
        form = {"seq": "1", "raw": f"go place{number}"}
        return player.client.post(player.url, data=form, headers=HTMX).status_code

    with ThreadPoolExecutor(20) as pool:
        codes = sorted(pool.map(post, range(20)))
    assert codes == [200] + [409] * 19
    assert len(look.turns(player.token)) == 1


def test_same_action_again_answers_with_the_present_state(player, look):
    form = {"seq": "1", "raw": "check_location"}
    player.client.post(player.url, data=form, headers=HTMX)
    player.client.post(player.url, data={"seq": "2", "raw": "check_inventory"}, headers=HTMX)
    again = player.client.post(player.url, data=form, headers=HTMX)
    assert again.status_code == 200
    assert 'data-seq="3"' in again.text
    assert len(look.turns(player.token)) == 2


def test_same_number_with_other_text_is_refused_and_the_text_kept(player, look):
    player.type("check_location")
    answer = player.client.post(player.url, data={"seq": "1", "raw": "go to_the_<b>"})
    assert answer.status_code == 409
    assert "out of date" in answer.text
    assert 'value="go to_the_&lt;b&gt;"' in answer.text
    assert len(look.turns(player.token)) == 1


@pytest.mark.parametrize("seq", ["", "0", "-1", "9", "1e3", "9" * 30, "٣", "1.0", "abc"])
def test_wrong_number_stores_nothing(player, look, seq):
    answer = player.client.post(player.url, data={"seq": seq, "raw": "check_location"})
    assert answer.status_code == 409
    assert look.turns(player.token) == []


def test_htmx_answer_carries_the_new_lines_and_the_next_number(player):
    answer = player.client.post(
        player.url, data={"seq": "1", "raw": "check_location"}, headers=HTMX
    )
    assert answer.headers["X-Seq"] == "1"
    assert 'data-seq="2"' in answer.text
    assert "<html" not in answer.text


def test_refused_text_is_explained_and_costs_nothing(player, look):
    answer = player.client.post(player.url, data={"seq": "1", "raw": "go " + "x" * 300})
    assert answer.status_code == 422
    assert "200 characters" in answer.text
    assert "x" * 300 in answer.text
    assert look.turns(player.token) == []


def test_mistyped_command_is_stored_as_typed_and_costs_an_action(player, look):
    player.type("GO  nowhere, <script>alert(1)</script> 🐉")
    [turn] = look.turns(player.token)
    assert turn.raw == "GO  nowhere, <script>alert(1)</script> 🐉"
    assert turn.parse_status == "unknown_name"
    assert turn.actions_used == 1
    assert "<script>alert(1)" not in player.answer.text


def test_script_facts_are_stored_and_nonsense_is_left_out(player, look):
    sent = {"client_ms": "1700000000000", "think_ms": "2500", "taps": "1"}
    player.send("raw", raw="check_location", **sent)
    player.send("raw", raw="check_inventory", client_ms="9" * 40, think_ms="-3", taps="x")
    first, second = look.turns(player.token)
    assert (first.client_ms, first.think_ms, first.taps) == (1700000000000, 2500, 1)
    assert (second.client_ms, second.think_ms, second.taps) == (None, None, None)


def test_ended_episode_takes_no_more_commands(player, look):
    player.type(*look.solution(player.token))
    number = len(look.turns(player.token))
    answer = player.client.post(player.url, data={"seq": str(number + 1), "raw": "go home"})
    assert answer.status_code == 409
    assert len(look.turns(player.token)) == number


def test_budget_spent_ends_the_episode_without_success(player, look):
    [first, *_] = [row for row in look.episodes(player.token) if row.kind == "main"]
    warned = {}
    for left in reversed(range(first.budget)):
        player.type("check_location")
        found = re.search(r'role="status">([^<]*left\.|[^<]*last action\.)<', player.answer.text)
        warned |= {left: found[1]} if found else {}
    words = {1: "This is your last action."}
    assert warned == words | {n: f"Only {n} actions left." for n in (2, 3)}
    [row] = [row for row in look.episodes(player.token) if row.id == first.id]
    assert (row.state, row.actions_used, row.attempts) == ("lost", first.budget, 0)
    assert player.page.state["data-done"] == "true"


def test_state_after_a_restart_is_that_of_the_log(player, look, server):
    solution = look.solution(player.token)
    player.type(*solution[:-1])
    server.table.live.__init__()
    player.type(solution[-1])
    assert player.page.state["data-success"] == "true"


def test_stale_cache_of_another_process_is_not_believed(player, look, server):
    player.type("check_location")
    [turn] = look.turns(player.token)
    live = server.table.live.get(turn.episode_id, 1)
    player.type("check_inventory")
    server.table.live.put(turn.episode_id, live)  # as if another process had played action 2
    player.type("check_location")
    assert [turn.seq for turn in look.turns(player.token)] == [1, 2, 3]
    assert look.turns(player.token)[2].actions_used == 3


def test_page_reached_by_a_command_without_script_starts_in_the_command_line(player):
    """Not on the first view: a focused line is laid out before the style sheet loads."""
    assert " autofocus" not in player.client.get(player.url).text
    player.type("check_location")
    assert " autofocus" in player.client.get(player.url).text


def test_game_page_asks_for_its_scripts_after_its_text(player):
    """On a slow connection they would otherwise delay the style sheet and the first paint."""
    page = player.client.get(player.url).text
    assert page.index("</main>") < page.index("<script") < page.rindex("<script")


def test_answers_that_were_misread_are_explained_beside_their_words(player, look):
    """The engine's words stay; what one does next is told in the page's own."""
    go, buy, leave, defeat = look.solution(player.token)
    wares = re.findall(r'n">([^<]+)</b> <span>at <b class="n">([^<]+)', player.answer.text)
    right, shop = buy.removeprefix("buy "), go.removeprefix("go ")
    other = next(item for item, where in wares if where == shop and item != right)
    player.type("dance", go, f"buy {other}", buy, leave, defeat)
    shown = re.findall(r'<p class="(\w+)"[^>]*>([^<]*)</p>', player.get(player.url).answer.text)
    beside = {text: shown[at - 1][0] for at, (kind, text) in enumerate(shown) if kind == "hint"}
    assert beside == {
        HINTS["unknown_verb"]: "no",
        HINTS["already_bought"]: "no",
        HINTS["failed"]: "fail",
    }
    assert look.turns(player.token)[-1].coins < look.turns(player.token)[0].coins


def test_last_answer_of_a_lost_episode_is_not_explained(player, look):
    [first, *_] = [row for row in look.episodes(player.token) if row.kind == "main"]
    player.type(*["dance"] * first.budget)
    page = player.get(player.url).answer.text
    assert page.count(HINTS["unknown_verb"]) == first.budget - 1
