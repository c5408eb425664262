"""The rule form, drafts, notes and problem reports: nothing typed is lost or stored twice."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.store.play import explanations, problems
from app.study.play import canary
from tests.walker import PageReader, Walker

AUTOSAVE = {"X-Autosave": "true"}


@pytest.fixture
def writer(player, look):
    """A player at their first rule form."""
    player.type(*look.solution(player.token)).to_rule()
    return player


@pytest.fixture
def stored(server, look):
    def read(token):
        with server.store.read() as db:
            return explanations.of_participant(db, look.person(token).id)

    return read


def test_three_parts_are_stored_apart(writer, stored):
    answers = {"inputs": "class", "output": "size", "how": "one each", "confidence": "80"}
    writer.send("confidence", **answers, found_how="by comparing")
    [row] = stored(writer.token)
    assert (row.inputs, row.output, row.how) == ("class", "size", "one each")
    assert (row.confidence, row.found_how, row.form) == (80, "by comparing", "three")


def test_hidden_sentence_is_there_only_if_the_study_asks_for_it_and_consent_says_so(
    writer, client, make_study, look
):
    assert 'class="canary"' not in writer.answer.text
    make_study(slug="hidden", options={"canary": True})
    assert "a hidden sentence" in client.get("/s/hidden").text
    assert "a hidden sentence" not in client.get("/s/demo").text
    other = Walker(client).enter("/s/hidden").leave_practice()
    other.type(*look.solution(other.token)).to_rule()
    words = canary.sentence_of(look.person(other.token).public_id)
    assert f'<p class="canary" aria-hidden="true">{words}</p>' in other.answer.text


def test_empty_form_is_refused_and_says_what_to_do(writer, stored):
    writer.send("confidence")
    assert writer.answer.status_code == 422
    assert "I do not know" in writer.answer.text
    assert stored(writer.token) == []


def test_i_do_not_know_is_an_answer(writer, stored):
    writer.send("confidence", do_not_know="yes")
    [row] = stored(writer.token)
    assert row.do_not_know is True


@pytest.fixture
def again(writer, look):
    """A player at the second rule form of a world."""

    def write(**first):
        writer.send("confidence", **first)
        writer.type(*look.solution(writer.token, 0, 1)).to_rule()
        return writer

    return write


@pytest.mark.parametrize(
    "first",
    [{"inputs": " the class\n", "how": "one each", "found_how": "luck"}, {"do_not_know": "yes"}],
)
def test_rule_that_has_not_changed_is_stored_again_but_not_how_sure_and_how_found(
    again, stored, first
):
    writer = again(**first, confidence="20")
    one, two = stored(writer.send("confidence", unchanged="yes", confidence="90").token)
    assert [(row.inputs, row.how, row.do_not_know) for row in (one, two)] == [
        (first.get("inputs", ""), first.get("how", ""), "do_not_know" in first)
    ] * 2
    assert (one.found_how, one.confidence) == (first.get("found_how", ""), 20)
    assert (two.found_how, two.confidence) == ("", 90)


@pytest.mark.parametrize(
    "typed",
    [
        {"do_not_know": "yes", "inputs": "region"},
        {"unchanged": "yes", "how": "in another way"},
        {"unchanged": "yes", "do_not_know": "yes"},
    ],
)
def test_two_answers_at_once_are_refused_and_both_kept(again, stored, typed):
    writer = again(inputs="class").send("confidence", **typed)
    assert writer.answer.status_code == 422
    assert "also gave another answer" in writer.answer.text
    assert typed.items() <= writer.page.form("confidence").fields.items()
    assert len(stored(writer.token)) == 1


def test_first_rule_of_a_world_cannot_be_the_same_as_before(writer, stored):
    writer.send("confidence", unchanged="yes")
    assert writer.answer.status_code == 422
    assert stored(writer.token) == []


def test_too_long_text_is_refused_whole_and_kept_on_the_page(writer, stored):
    text = "x" * 5001
    writer.send("confidence", inputs=text)
    assert writer.answer.status_code == 422
    assert "5,001" in writer.answer.text
    assert text in writer.answer.text
    assert stored(writer.token) == []


@pytest.mark.parametrize("value", ["101", "-1", "9" * 20, "1.5", "many"])
def test_confidence_out_of_range_is_refused(writer, stored, value):
    writer.send("confidence", inputs="class", confidence=value)
    assert writer.answer.status_code == 422
    assert stored(writer.token) == []


def test_text_is_stored_byte_for_byte(writer, stored):
    text = '=cmd|"/c calc"!A1\nзмей 🐉 \u202eabc\u202c <b>&amp;'
    writer.send("confidence", inputs=text)
    [row] = stored(writer.token)
    assert row.inputs == text


def test_nul_in_a_text_is_refused_in_words(writer, stored):
    writer.send("confidence", inputs="a\x00b")
    assert writer.answer.status_code == 422
    assert stored(writer.token) == []


def test_same_form_sent_twice_is_stored_once(writer, stored):
    form = writer.page.form("confidence")
    data = {**form.fields, "inputs": "class"}
    for _ in range(2):
        answer = writer.client.post(form.action, data=data)
        assert answer.status_code == 200
    assert len(stored(writer.token)) == 1


def test_second_tab_sees_the_first_answer(writer, stored):
    form = writer.page.form("confidence")
    other = writer.client.get(writer.url)
    writer.explain("first")
    late = PageReader(other.text).form("confidence")
    writer.client.post(late.action, data={**late.fields, "inputs": "second"})
    assert [row.inputs for row in stored(writer.token)] == ["first"]
    assert form.action == late.action


def test_form_without_ticket_is_refused(writer, stored):
    form = writer.page.form("confidence")
    answer = writer.client.post(form.action, data={"inputs": "class"})
    assert answer.status_code == 400
    assert stored(writer.token) == []


def test_draft_comes_back_and_a_stale_one_does_not_overwrite(writer):
    form = writer.page.form("confidence")
    draft = form.action + "/draft"
    saved = {"inputs": "first thoughts", "revision": "0"}
    assert writer.client.post(draft, data=saved, headers=AUTOSAVE).status_code == 200
    late = {"inputs": "older thoughts", "revision": "0"}
    answer = writer.client.post(draft, data=late, headers=AUTOSAVE)
    assert answer.status_code == 409
    writer.get(writer.url)
    assert writer.page.form("confidence").fields["inputs"] == "first thoughts"


def test_save_draft_button_works_without_script(writer):
    form = writer.page.form("confidence")
    answer = writer.client.post(form.action + "/draft", data={**form.fields, "how": "so"})
    assert answer.status_code == 200
    assert PageReader(answer.text).form("confidence").fields["how"] == "so"


@pytest.mark.parametrize("text", ["\nlate", "\n\n two", "\n"])
def test_empty_first_lines_of_a_draft_stay(writer, text):
    form = writer.page.form("confidence")
    saved = {"how": text, "revision": "0"}
    writer.client.post(form.action + "/draft", data=saved, headers=AUTOSAVE)
    assert writer.get(writer.url).page.form("confidence").fields["how"] == text


def test_notes_are_kept_for_the_world(player):
    form = next(one for one in player.page.forms if one.action.endswith("/notes/1"))
    data = {**form.fields, "text": "red means long"}
    assert player.client.post(form.action, data=data, headers=AUTOSAVE).status_code == 200
    player.get(player.url)
    assert "red means long" in player.answer.text


def test_notes_of_the_world_stand_beside_its_rule_form(writer):
    assert "My notes" not in writer.answer.text
    data = {"text": "red <means> long", "revision": "0"}
    url = f"/p/{writer.token}/notes/1"
    assert writer.client.post(url, data=data, headers=AUTOSAVE).status_code == 200
    page = writer.get(writer.url).answer.text
    assert "red &lt;means&gt; long" in page
    assert page.index("red &lt;means&gt; long") < page.index('class="log card still"')


def test_notes_of_a_world_one_does_not_have_are_refused(player):
    url = f"/p/{player.token}/notes/9"
    answer = player.client.post(url, data={"text": "x", "revision": "0"})
    assert answer.status_code == 404


def test_problem_report_is_stored_with_its_page_once(player, server, look):
    here = player.url.split("/", 3)[3]
    player.get(f"/p/{player.token}/problem?from={here}")
    form = player.page.form("text")
    for _ in range(2):
        player.client.post(form.action, data={**form.fields, "text": "the shop is empty"})
    with server.store.read() as db:
        [row] = problems.of_person(db, look.person(player.token).id)
    assert (row.page, row.text) == (here, "the shop is empty")


def test_one_ticket_of_two_people_at_once_is_no_server_error(client, study):
    people = [Walker(client).enter() for _ in range(2)]
    urls = [f"/p/{people[number % 2].token}/problem" for number in range(16)]
    form = {"ticket": "T" * 24, "text": "trouble"}
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda url: client.post(url, data=form).status_code, urls))
    assert sorted(answers) == [200] * 8 + [400] * 8


@pytest.mark.parametrize(
    ("first", "offered"), [({"inputs": "class"}, True), ({"do_not_know": "yes"}, False)]
)
def test_only_a_rule_can_be_said_not_to_have_changed(again, first, offered):
    assert ("My rule has not changed" in again(**first).answer.text) is offered


def test_message_of_an_unsent_answer_names_the_questions_and_says_nothing_twice(writer):
    page = writer.send("confidence", do_not_know="yes", how="so", confidence="very").answer.text
    assert '<a href="#do_not_know">I do not know the rule</a>' in page
    assert '<a href="#confidence">How sure are you, from 0 (a guess) to 100 (certain)?</a>' in page
    assert page.count("also gave another answer") == page.count("a whole number from 0") == 1
