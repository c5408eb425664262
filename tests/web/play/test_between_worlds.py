"""What the pages say between worlds, about the last answer, and at the end."""

import pytest

from app.study.design import studies
from app.study.rule_words import rule_of
from app.web.play.consent import PAID, UNPAID, score_line
from tests.walker import Walker

EACH_ONCE = {"options": {"episodes_per_block": 1}}


@pytest.fixture
def finish(client, make_study, look):
    """Play a whole study, one guardian per world, losing nothing; return the walker."""

    def play(slug, *, lose=(), **changes):
        options = {"episodes_per_block": 1, **changes.pop("options", {})}
        make_study(slug=slug, options=options, **changes)
        walker = Walker(client).enter(f"/s/{slug}").leave_practice()
        for block in (0, 1):
            row = next(one for one in look.episodes(walker.token) if one.block_position == block)
            loses = block in lose
            lines = ["check_location"] * row.budget if loses else look.solution(walker.token, block)
            walker.type(*lines).to_rule().explain()
        assert walker.page.name == "debrief"
        return walker

    return play


def test_page_between_worlds_says_that_the_rule_is_another(client, make_study, look):
    make_study(slug="two", **EACH_ONCE)
    walker = Walker(client).enter("/s/two").leave_practice()
    walker.type(*look.solution(walker.token)).to_rule()
    walker.send("confidence", inputs="class")
    assert (walker.page.name, walker.url) == ("world", f"/p/{walker.token}/world/2")
    assert "World 2: another rule" in walker.answer.text
    assert walker.enter_world().page.name == "game"
    assert walker.url.endswith("/world/2/guardian/1")


def test_page_between_worlds_is_shown_to_htmx_by_its_redirect(client, make_study, look):
    make_study(slug="two", **EACH_ONCE)
    walker = Walker(client).enter("/s/two").leave_practice()
    walker.type(*look.solution(walker.token)).to_rule()
    form = walker.page.form("confidence")
    data = {**form.fields, "inputs": "class"}
    answer = client.post(form.action, data=data, headers={"HX-Request": "true"})
    assert answer.headers["HX-Redirect"] == f"/p/{walker.token}/world/2"


@pytest.mark.parametrize("number", [1, 2, 3, 9999])
def test_page_of_a_world_that_is_not_entered_now_leads_back(player, number):
    player.get(f"/p/{player.token}/world/{number}")
    assert player.url.endswith("/world/1/guardian/1")


def test_next_guardian_of_the_same_world_is_not_announced(player, look):
    player.type(*look.solution(player.token)).to_rule()
    assert player.send("confidence", inputs="class").url.endswith("/world/1/guardian/2")


def test_rule_form_shows_what_was_written_last_in_this_world(player, look):
    player.type(*look.solution(player.token)).to_rule()
    assert "Last time you wrote" not in player.answer.text
    assert 'name="unchanged"' not in player.answer.text
    player.send("confidence", inputs="the <b>class</b>", how="one each")
    player.type(*look.solution(player.token, 0, 1)).to_rule()
    page = player.answer.text
    assert 'name="unchanged"' in page
    assert page.count("Last time you wrote:") == 2
    assert "the &lt;b&gt;class&lt;/b&gt;" in page
    assert "you ticked this last time" not in page
    assert player.page.form("confidence").fields["inputs"] == ""


def test_rule_form_of_another_world_shows_no_last_answer(client, make_study, look):
    make_study(slug="two", **EACH_ONCE)
    walker = Walker(client).enter("/s/two").leave_practice()
    walker.type(*look.solution(walker.token)).to_rule().explain("secret thought")
    walker.type(*look.solution(walker.token, 1)).to_rule()
    assert walker.page.name == "rule"
    assert "secret thought" not in walker.answer.text


def test_rule_form_has_an_example_of_what_traits_can_decide(player, look):
    player.type(*look.solution(player.token)).to_rule()
    assert 'id="output-example">For example, in another game' in player.answer.text
    assert 'aria-describedby="output-example limit"' in player.answer.text


def test_debrief_tells_guardians_and_actions_of_each_world(finish, look):
    walker = finish("result", lose={1})
    won, lost = (one for one in look.episodes(walker.token) if one.kind == "main")
    page = walker.answer.text
    assert f"You defeated the guardian. You used {won.actions_used} actions." in page
    assert f"The guardian was not defeated. You used {lost.budget} actions." in page
    assert "hidden rule:" not in page


def test_debrief_tells_the_rule_if_the_study_allows_it(finish, look, server):
    walker = finish("open", options={"show_rule": True})
    with server.store.read() as db:
        variants = [
            server.library.variant(db, one.variant_hash)
            for one in look.episodes(walker.token)
            if one.kind == "main"
        ]
    for variant in variants:
        for sentence in rule_of(variant):
            assert sentence in walker.answer.text.replace("&#39;", "'")


def test_bar_offers_to_leave_until_one_has_finished(finish):
    walker = finish("done")
    assert 'class="report leave"' not in walker.answer.text
    walker.get(f"/p/{walker.token}/instructions")
    assert 'class="report leave"' not in walker.answer.text
    assert walker.get(f"/p/{walker.token}/leave").page.name == "leave"


def test_bar_offers_to_leave_while_playing(player):
    assert 'class="report leave"' in player.answer.text


@pytest.mark.parametrize(
    ("pay", "line"),
    [
        ("Nothing: this is a demo.", UNPAID),
        ("nothing", UNPAID),
        ("None", UNPAID),
        ("no payment", UNPAID),
        ("unpaid, about 20 minutes", UNPAID),
        ("You will not be paid.", UNPAID),
        ("There is no payment.", UNPAID),
        ("This study is unpaid.", UNPAID),
        ("We cannot pay you.", UNPAID),
        ("Participation is voluntary", UNPAID),
        ("keine Vergütung", UNPAID),
        ("Die Teilnahme ist unbezahlt.", UNPAID),
        ("لا شيء", UNPAID),
        ("لا يوجد أجر", UNPAID),
        ("GBP 0", UNPAID),
        ("You cannot lose your pay: 500 KES", PAID),
        ("£0.00", UNPAID),
        ("0", UNPAID),
        ("", UNPAID),
        ("GBP 4 for about 20 minutes", PAID),
        ("No less than £9 per hour", PAID),
        ("1 course credit", PAID),
        ("a book voucher", PAID),
        ("0.50 EUR a guardian", PAID),
    ],
)
def test_pay_and_what_the_score_means_never_contradict_each_other(
    client, make_study, server, pay, line
):
    make_study(slug="pay", texts={"pay": pay})
    page = client.get("/s/pay").text
    assert line in page
    assert (PAID in page) == (line == PAID)
    walker = Walker(client).enter("/s/pay")
    assert (PAID in walker.get(f"/p/{walker.token}/instructions").answer.text) == (line == PAID)


@pytest.mark.parametrize(
    ("base_cents", "cap", "pay", "line"),
    [
        (
            400,
            200,
            "GBP 4",
            "You are paid whatever your score, and can get a bonus of up to GBP 2.00.",
        ),
        (0, 200, "Up to GBP 2", "You can get a bonus of up to GBP 2.00."),
        (0, 50, "", "You can get a bonus of up to GBP 0.50."),
        (400, 0, "GBP 4", PAID),
    ],
)
def test_consent_names_the_bonus_that_a_score_can_bring(
    client, make_study, base_cents, cap, pay, line
):
    payment = {"base_cents": base_cents, "bonus": "50 * successes", "bonus_cap_cents": cap}
    make_study(slug="bonus", texts={"pay": pay}, payment=payment)
    assert f">{line}<" in client.get("/s/bonus").text


@pytest.mark.parametrize(
    ("pay", "line"), [("", PAID), ("Prolific pays you", PAID), ("nothing", UNPAID)]
)
def test_payment_section_counts_as_pay_unless_the_text_denies_it(make_study, server, pay, line):
    make_study(slug="hourly", texts={"pay": pay}, payment={"hourly_cents": 900})
    with server.store.read() as db:
        assert score_line(studies.find(db, "hourly").spec) == line


def test_instructions_say_how_to_start_over(walker):
    walker.get("/s/demo").send("answer", answer="yes")
    page = " ".join(walker.answer.text.split())
    assert (
        "To start over after a wrong one, go to the guardian and type <code>defeat</code>" in page
    )
    assert "This attempt then fails" in page


def test_game_page_greets_until_something_was_typed(player):
    assert "What to do first" in player.answer.text
    assert "What to do first" not in player.type("check_location").answer.text
