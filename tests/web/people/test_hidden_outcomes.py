"""A study that hides outcomes reveals them on no researcher's page until it is closed."""

import re
from collections import Counter
from dataclasses import dataclass

import pytest

from app.study.design import studies
from tests.rated import store_round
from tests.walker import PageReader, Walker
from tests.web.test_access import TABLE

TELLING = re.compile(
    r"\b(won|lost|right|wrong|defeated|norm_eff|ecsr|success\w*|bonus\w*|win)\b", re.IGNORECASE
)
# downloads with outcomes on purpose: backups and pay; the pages that link to them say so
FILES = {
    "GET /admin/studies/{slug}/download/{table}/{flavour}",
    "GET /admin/studies/{slug}/bundle.zip",
    "GET /admin/studies/{slug}/recruit/{name}.csv",
}
# pages that show outcomes once a study is closed, so that the walk is known to see them; the report
# has its own
TELLS = {
    "GET /admin/participants/{public_id}",
    "GET /admin/participants/{public_id}/replay",
    "GET /admin/studies/{slug}/monitor",
}
BLOCKS = [
    {"task": "A-Over", "seeds": [1]},
    {"task": "A-Over", "seeds": [2], "format": "direct"},
]
SECRET = {
    "slug": "secret",
    "blocks": BLOCKS,
    "options": {"hide_outcomes": True},
    "payment": {"base_cents": 300, "bonus": "50 * successes", "bonus_cap_cents": 500},
}


@dataclass
class Played:
    """One person who won, answered right and wrong, and finished; one who lost and goes on."""

    winner: Walker
    loser: Walker


def needed(server, look, token, block, position):
    """Return the item that answers a guardian."""
    [row] = [
        one
        for one in look.episodes(token)
        if (one.block_position, one.position) == (block, position)
    ]
    with server.store.read() as db:
        variant = server.library.variant(db, row.variant_hash)
    return variant.episodes[row.variant_episode].process.item


def win_and_finish(server, look, walker):
    for position in range(2):
        walker.type(*look.solution(walker.token, 0, position)).to_rule().explain("a rule")
    item = needed(server, look, walker.token, 1, 0)
    walker.send("ticket", item=item)
    if walker.page.name == "rule":
        walker.explain("a rule")
    item = needed(server, look, walker.token, 1, 1)
    offered = re.findall(r'<option value="([^"]+)">', walker.answer.text)
    walker.send("ticket", item=next(one for one in offered if one != item))
    return walker.explain("a rule")


def lose(look, walker):
    budget = next(one.budget for one in look.episodes(walker.token) if one.kind == "main")
    walker.type(*["check_location"] * budget).to_rule().explain("no rule")
    return walker.type("mumble something")


@pytest.fixture
def entered(client, make_study):
    """Two players at their first guardian."""
    make_study(**SECRET)
    people = [Walker(client).enter(f"/s/secret?PROLIFIC_PID={who}") for who in ("a1", "b2")]
    return Played(*(one.leave_practice() for one in people))


@pytest.fixture
def secret(server, look, entered):
    win_and_finish(server, look, entered.winner)
    lose(look, entered.loser)
    return entered


def own_page(look, walker):
    return f"/admin/participants/{look.person(walker.token).public_id}"


def words_of(html):
    """Return the words on a page that could reveal an outcome, and the marks of lines that do.

    What a researcher can choose is the same on every page.
    """
    html = re.sub(r"<option .*?</option>", "", html)
    found = Counter(one.lower() for one in TELLING.findall(" ".join(PageReader(html).text)))
    return found + Counter(re.findall(r'class="(?:win|end)"', html))


def walk(researcher, server, look, people, only=frozenset(TABLE)):
    """Return (route, ...) -> (status, words) of every page for researchers but `FILES`."""
    server.watching.looks.clear()  # the monitor's figures can be some seconds old
    pages_seen = {}
    for row in sorted(only - FILES):
        if not row.startswith("GET /admin") or TABLE[row][-1] not in {200, 404}:
            continue
        for who in (people.winner, people.loser):
            person = look.person(who.token)
            path = row.removeprefix("GET ").format(
                slug="secret",
                public_id=person.public_id,
                variant_hash=look.episodes(who.token)[1].variant_hash,
                section="pay",
                number=1,
                place=1,
                token="none",
                name="people",
                folder="tables",
                suffix="csv",
                job="none",
                episode=1,
                task="A-Add",
            )
            tails = ("", f"?q={person.public_id}", "?episode=1&step=3", "?episode=2")
            for tail in tails if "{public_id}" in row or "search" in row else tails[:1]:
                for headers in ({}, {"HX-Request": "true"}):
                    answer = researcher.client.get(path + tail, headers=headers)
                    key = row, who is people.winner, tail, len(headers)
                    pages_seen[key] = answer.status_code, words_of(answer.text)
    return pages_seen


@pytest.mark.long
def test_no_page_tells_more_after_people_have_won_and_lost_than_before(
    researcher, server, look, entered
):
    with server.store.write() as db:
        store_round(db, studies.find(db, "secret").id, size=90, per_level=5)
    before = walk(researcher, server, look, entered)
    win_and_finish(server, look, entered.winner)
    lose(look, entered.loser)
    after = walk(researcher, server, look, entered)
    pages = {row for (row, *_), (status, _) in after.items() if status == 200}
    assert len(pages) > 25
    assert "GET /admin/studies/{slug}/rating/rounds/{number}/agreement" in pages
    wrong = {
        key: dict(words - before[key][1])
        for key, (_, words) in after.items()
        if words - before[key][1]
    }
    assert wrong == {}
    of_people = [words for (row, *_), (_, words) in after.items() if "{public_id}" in row]
    assert [dict(words) for words in of_people if words] == []
    studies.set_state(server.store, "secret", "closed")
    shown = walk(researcher, server, look, entered, only=TELLS)
    assert {key[0] for key, (_, words) in shown.items() if words - before[key][1]} == TELLS


def test_of_an_ended_guardian_only_its_end_is_shown_and_the_open_one_in_full(
    researcher, server, look, secret
):
    page = own_page(look, secret.loser)
    text = researcher.client.get(page).text
    assert "hides outcomes until it is closed" in text
    assert "mumble something" in text
    assert "<code>check_location" not in text
    assert [text.count(f'class="tag">{word}<') for word in ("over", "won", "lost")] == [2, 0, 0]
    assert re.findall(r"(\d+) actions?", text) == ["1", "0", "0"]
    text = researcher.client.get(own_page(look, secret.winner)).text
    assert "answered once" not in text
    assert "/replay" not in text  # nothing is open
    assert "a rule" in text
    assert text.count('class="tag">over<') == 5
    studies.set_state(server.store, "secret", "closed")
    text = researcher.client.get(own_page(look, secret.winner)).text
    assert "norm_eff 1.000" in text
    assert "/replay" in text
    assert "answered once, wrong" in text
    assert "hides outcomes" not in text


def test_number_of_turns_is_not_listed_while_it_tells_outcomes(researcher, server, secret):
    assert ">Turns<" not in researcher.client.get("/admin/studies/secret").text
    studies.set_state(server.store, "secret", "closed")
    assert ">Turns<" in researcher.client.get("/admin/studies/secret").text


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["page", "fragment"])
def test_guardian_that_is_over_is_replayed_when_the_study_is_closed(
    researcher, server, look, secret, headers
):
    client, url = researcher.client, own_page(look, secret.loser) + "/replay"
    for tail in ("?episode=0", "?episode=1", "?episode=1&step=0", "?episode=1&step=9999"):
        answer = client.get(url + tail, headers=headers)
        assert (answer.status_code, "until it is closed" in answer.text) == (403, True)
        assert "After action" not in answer.text
        assert f'href="{own_page(look, secret.loser)}"' in answer.text  # a way back
    for tail in ("", "?episode=2", "?episode=2&step=1", "?episode=&step=1"):
        answer = client.get(url + tail, headers=headers)
        assert answer.status_code == 200
        assert "After action 1 of 1" in answer.text
        assert "mumble something" in answer.text
    assert client.get(url + "?episode=99", headers=headers).status_code == 404
    assert client.get(own_page(look, secret.winner) + "/replay").status_code == 403
    studies.set_state(server.store, "secret", "closed")
    assert client.get(url + "?episode=1", headers=headers).status_code == 200
    assert client.get(own_page(look, secret.winner) + "/replay").status_code == 200


def test_replay_offers_only_what_it_shows(researcher, look, secret):
    text = researcher.client.get(own_page(look, secret.loser) + "/replay").text
    assert re.findall(r'<option value="(\d+)"', text) == ["2", "3", "4"]
    start = researcher.client.get(own_page(look, secret.loser) + "/replay?episode=2&step=0").text
    assert "Previous guardian" not in start
    assert "hides outcomes until it is closed" in text


def test_monitor_says_that_the_wage_is_hidden_not_that_there_is_none(
    researcher, server, entered, look
):
    page = "/admin/studies/secret/monitor"
    assert "hidden until the study is closed" in researcher.client.get(page).text
    win_and_finish(server, look, entered.winner)
    server.watching.looks.clear()
    text = researcher.client.get(page).text
    assert "hidden until the study is closed" in text
    assert "none yet" not in text
    studies.set_state(server.store, "secret", "closed")
    assert "hidden until" not in researcher.client.get(page).text


@pytest.mark.parametrize("page", ["exports", "recruit"])
def test_pages_of_files_say_that_these_hold_what_pages_hide(researcher, server, secret, page):
    url = f"/admin/studies/secret/{page}"
    text = researcher.client.get(url).text
    assert "hides outcomes until it is closed" in text
    assert "Who is paid how much" not in text
    studies.set_state(server.store, "secret", "closed")
    assert "hides outcomes" not in researcher.client.get(url).text
