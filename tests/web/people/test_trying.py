"""Trying a study as several test players: frames, steps, jumping, and who may frame what."""

import re

import pytest

from app.study.play import ahead
from tests.walker import Walker
from tests.web.design.designing import part

TRY = "/admin/studies/demo/try"
FULL = {
    "questions": {
        "comment": True,
        "before": [{"key": "age", "label": "Age?", "kind": "number", "least": 18}],
        "comprehension": [
            {"key": "cost", "label": "A command costs?", "options": ["0", "1"], "answer": "1"}
        ],
    },
    "blocks": [
        {"task": "A-Over", "seeds": [1]},
        {"task": "P-Comp", "seeds": [2], "format": "direct"},
    ],
}


@pytest.fixture
def trying(researcher):
    return researcher.get(TRY).send("number", number="3")


def frames(walker):
    """Return the addresses of the frames on the page."""
    return [
        piece.partition('"')[0].replace("&amp;", "&")
        for piece in walker.answer.text.split('<iframe src="')[1:]
    ]


def jump(walker, seat, step):
    form = next(form for form in walker.page.forms if form.fields.get("seat") == str(seat))
    walker.answer = walker.client.post(form.action, data={**form.fields, "step": step})
    walker.page = type(walker.page)(walker.answer.text)
    return walker


def policies(client, url):
    return client.get(url, follow_redirects=False).headers.get_list("content-security-policy")


def test_three_players_start_at_the_consent_page_and_go_their_own_ways(trying, client, look):
    urls = frames(trying)
    assert len(set(urls)) == 3
    first, second = (Walker(client).enter(url) for url in urls[:2])
    assert first.token != second.token
    again = frames(trying.get(str(trying.answer.url)))
    assert again == [f"/p/{first.token}", f"/p/{second.token}", urls[2]]
    assert all(look.person(one.token).is_test for one in (first, second))
    played, also = (
        [(row.variant_hash, row.variant_episode) for row in look.episodes(one.token)]
        for one in (first, second)
    )
    assert played != also


TREATED = [
    ({"lexicon": "nonce"}, "lexicon", {"real words (semantic)", "made-up words (nonce)"}),
    ({"coverage": "1/3"}, "coverage", {"all accounts (1)", "a third of the accounts (1/3)"}),
    ({"format": "direct"}, "format", {"played (episodic)", "answered once (direct)"}),
    ({"task": "A-Add"}, "task", {"Combine size and color (A-Comp)", "Add sizes (A-Add)"}),
]


@pytest.mark.parametrize(("other", "between", "said"), TREATED)
def test_head_of_each_player_says_their_treatment_once_they_have_consented(
    make_study, researcher, other, between, said
):
    first = {"task": "A-Comp", "seeds": [1]}
    make_study(slug="apart", blocks=[first, first | other], between=between, per_player=1)
    page = researcher.get("/admin/studies/apart/try").send("number", number="2")
    assert treatments(page) == ["given at consent"] * 2
    for seat in (0, 1):
        jump(page, seat, "instructions")
    assert set(treatments(page)) == said


def treatments(walker):
    """Return what the head of each player says."""
    return re.findall(r">Treatment: ([^<]*)<", walker.answer.text)


def test_study_without_treatments_names_none(trying):
    assert "Treatment" not in trying.answer.text


def test_study_without_changes_and_draft_can_both_be_tried(researcher, client):
    part(researcher, "texts", "demo").send("revision", **{"texts.contact": "new@example.org"})
    page = researcher.get(TRY).send("number", number="2")
    assert "new@example.org" in client.get(frames(page)[0]).text
    part(researcher, "clocks", "demo").send("revision", **{"clocks.seat_minutes": "soon"})
    page = researcher.get(TRY).send("number", number="2")
    assert page.answer.status_code == 422
    assert "fields to fix" in page.answer.text


class TestJumping:
    @pytest.fixture
    def study(self, make_study):
        return make_study(**FULL)

    def steps_of(self, walker, seat):
        """Return the steps on offer for a player."""
        text = walker.answer.text.split(f'id="step-{seat + 1}"')[1].partition("</select>")[0]
        return [piece.partition('"')[0] for piece in text.split('<option value="')[1:]]

    def test_every_step_is_reached_from_the_start_and_from_the_end(self, trying, client):
        jump(trying, 0, ahead.FIRST)
        steps = self.steps_of(trying, 0)
        assert steps[0] == "consent"
        assert {"questions/before", "practice", "check", "questions/after", "end"} <= set(steps)
        assert any(step.endswith("/answer") for step in steps)
        for seat, way in ((1, steps[1:]), (2, steps[:0:-1])):
            for step in way:
                jump(trying, seat, step)
                url = frames(trying)[seat]
                assert client.get(url).url.path == f"{url}/{step}"

    def test_every_step_on_offer_before_consent_is_reached(self, trying, client):
        offered = self.steps_of(trying, 0)
        assert offered[:2] == ["consent", "instructions"]
        assert {"questions/before", "practice", "check", "world/1", "world/2"} <= set(offered)
        assert offered[-2:] == ["questions/after", "end"]
        for step in offered[1:]:
            again = jump(jump(trying, 1, "consent"), 1, step)
            url = frames(again)[1]
            assert client.get(url).url.path.startswith(f"{url}/{step}")

    def test_jump_to_a_step_that_does_not_exist_is_refused_in_words(self, trying):
        form = next(form for form in trying.page.forms if form.fields.get("seat") == "0")
        for step in ("", "practise", "world/3", "world/0", "world/1/guardian/9"):
            answer = trying.client.post(form.action, data={**form.fields, "step": step})
            assert answer.status_code == 400
            assert "has no such step" in answer.text

    def test_jump_to_consent_starts_again_and_leaves_the_others(self, trying):
        jump(trying, 0, "end")
        jump(trying, 1, "instructions")
        before = frames(trying)
        after = frames(jump(trying, 0, "consent"))
        assert after[0].startswith("/s/demo?test=")
        assert after[1:] == before[1:]

    def test_jump_goes_on_from_an_attempt_that_has_gone_wrong(self, trying, client, look):
        jump(trying, 0, ahead.FIRST)
        player = Walker(client).get(frames(trying)[0])
        player.type(look.solution(player.token)[0], "dance wildly")
        jump(trying, 0, "end")
        assert client.get(frames(trying)[0]).url.path.endswith("/end")


def test_real_participant_is_never_moved(server, player):
    from datetime import UTC, datetime

    with pytest.raises(ahead.NotTestError):
        ahead.move(server.table, player.token, "end", datetime.now(UTC))


def test_only_test_pages_may_be_framed_and_only_by_us(trying, client, player, researcher):
    consent = frames(trying)[0]
    jump(trying, 1, "instructions")
    own = frames(trying)[1]
    for url in (consent, own, f"{own}/instructions", f"{own}/nothing"):
        assert all("frame-ancestors 'self'" in one for one in policies(client, url))
        assert all("frame-src" not in one for one in policies(client, url))
    for url in ("/s/demo", f"/p/{player.token}/instructions", "/admin/login", "/s/demo?x=test"):
        assert all("frame-ancestors 'none'" in one for one in policies(client, url))
    page = policies(researcher.client, TRY)
    assert all("frame-ancestors 'none'; frame-src 'self'" in one for one in page)


@pytest.mark.parametrize("who", ["", "one", "a,b,c,d,e", "a,b;c", "A,B"])
def test_address_without_players_says_what_to_do(trying, who):
    test = trying.answer.url.params["test"]
    answer = trying.client.get(TRY, params={"test": test, "who": who})
    assert answer.status_code == 400
    assert "Start again" in answer.text
