"""What a page offers; nothing else can be sent."""

from app.bots.fill import fill
from app.bots.page import read_page

GAME = """<body data-page="game"><h1>World 1</h1><main id="main">
<dl id="state" data-seq="3" data-done="false"></dl>
<section id="accounts"><p class="you" data-line="9">never</p><a class="button" href="/no">x</a>
</section>
<div id="log"><div id="log-lines"><p class="you" data-line="1"><span class="vh">You typed: </span>go
 a  &amp; b</p><p class="ok" data-line="1">Gone.</p></div></div>
<div id="after"></div>
<form id="command" method="post" action="/act" hx-post="/act"><input type="hidden" id="seq"
 name="seq" value="2"><input name="raw" value="kept"><button id="send">Do it</button></form>
<form method="post" action="/notes"><textarea name="text">

a
b</textarea><input name="off" disabled></form></main></body>"""
PIECE = """<p class="you" data-line="2">x</p><p class="no" data-line="2">What?</p>
<dl id="state" data-seq="3" data-done="true"></dl>
<input type="hidden" id="seq" name="seq" value="3">
<div id="alert" hx-swap-oob="innerHTML">Oh.</div>
<div id="after" hx-swap-oob="innerHTML"><div><a class="big button" href="/next">On</a></div></div>
<a class="button" href="/elsewhere">x</a>"""
ASKED = """<body data-page="questions"><main id="main"><form method="post" action="/q">
<input type="hidden" name="ticket" value="t"><input type="radio" name="sex" value="f">
<input type="radio" name="sex" value="m"><select name="land"><option value="">choose</option>
<option value="a" >A</option><option value="b">B</option></select>
<input type="checkbox" name="sure" value="yes" required><input type="checkbox" name="news">
<input type="number" name="age"><textarea name="why"></textarea>
<button name="go" value="on">On</button><button name="go" value="back">Back</button></form>
</main>"""


def test_game_page_offers_its_forms_with_their_values():
    page = read_page(GAME)
    command, notes = page.forms
    assert (page.name, page.heading, page.done) == ("game", "World 1", False)
    assert (command.action, command.hx, command.place) == ("/act", "/act", "main")
    assert command.fields == {"seq": "2", "raw": "kept"}
    assert notes.fields == {
        "text": "\na\nb"
    }  # as in a browser, the first newline belongs to the tag


def test_lines_of_the_log_are_read_without_what_is_for_screen_readers():
    assert read_page(GAME).lines == {1: ("go\n a  & b", "Gone.")}


def test_piece_is_put_in_where_the_script_would():
    page = read_page(GAME)
    page.swap(read_page(PIECE))
    assert (page.done, page.alert) == (True, "Oh.")
    assert page.forms[0].fields["seq"] == "3"
    assert page.lines[2] == ("x", "What?")
    assert [link.href for link in page.links if link.place == "after"] == ["/next"]


def test_filling_in_sends_only_what_is_there_and_presses_the_first_button():
    form = read_page(ASKED).forms[0]
    assert fill(form, 0, "words", {}) == {
        "ticket": "t",
        "sex": "f",
        "land": "a",
        "sure": "yes",
        "age": "50",
        "why": "words",
        "go": "on",
    }
    assert set(fill(form, 3, "", {"sex": "x", "unknown": "y"})) == set(fill(form, 0, "", {}))


def test_every_choice_is_tried_in_the_end():
    form = read_page(ASKED).forms[0]
    tried = {(sent["sex"], sent["land"]) for sent in (fill(form, n, "", {}) for n in range(4))}
    assert tried == {(sex, land) for sex in "fm" for land in "ab"}


def test_known_answers_are_given():
    assert fill(read_page(ASKED).forms[0], 0, "", {"sex": "m"})["sex"] == "m"
