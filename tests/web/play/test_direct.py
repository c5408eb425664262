"""The direct format: answered once, scored exactly, and no page reveals the right answer."""

import pytest
from sqlalchemy import update

from app.game.variant import canonical_json, content_hash, with_answer
from app.scoring.accuracy import unit_accuracy
from app.store.design.variants import variant as variant_table
from app.store.play import answers, episodes
from app.study.design.studies import stored_row
from app.study.people import overview
from tests.walker import Walker
from tests.web.play.test_noninterference import NOW, masked

WITHOUT = {"options": {"practice": False}}
ATTRIBUTE = {"task": "A-Over", "seeds": [1], "format": "direct"}
PROCEDURAL = {"task": "P-Comp", "seeds": [2], "format": "direct"}
COUNTED = {"task": "P-Add", "seeds": [3], "format": "direct"}


@pytest.fixture
def enter(client, make_study):
    """A player at the first guardian of one block."""

    def begin(block=ATTRIBUTE, **changes):
        make_study(**{**WITHOUT, "blocks": [block], "per_player": 1, **changes})
        return Walker(client).enter()

    return begin


@pytest.fixture
def stored(server, look):
    """Read a player's answers in the order of the guardians."""

    def read(token):
        with server.store.read() as db:
            found = answers.direct_of(db, look.person(token).id)
        return [found[row.id] for row in look.episodes(token) if row.id in found]

    return read


@pytest.fixture
def process(server, look):
    """Return what a guardian requires."""

    def find(token, position=0):
        row = [one for one in look.episodes(token) if one.kind == "main"][position]
        with server.store.read() as db:
            variant = server.library.variant(db, row.variant_hash)
        return variant.episodes[row.variant_episode].process

    return find


def one_line(text):
    return " ".join(text.split())


def right(process):
    """Return the form fields for a process."""
    if process.activity is None:
        return {"item": process.item}
    return {
        "activity": process.activity.verb,
        "placed": process.order,
        "times": str(process.count),
    }


def test_item_is_stated_instead_of_played(enter, stored, process, look):
    walker = enter()
    assert walker.page.name == "direct"
    assert 'name="raw"' not in walker.answer.text
    item = process(walker.token).item
    assert f'<option value="{item}">' in walker.answer.text
    walker.send("ticket", item=item)
    assert walker.page.name == "rule"
    [row] = stored(walker.token)
    assert (row.item, row.activity, row.placed, row.times) == (item, "", "", None)
    assert row.is_right is True
    episode = look.episodes(walker.token)[0]
    assert (episode.state, episode.actions_used, episode.attempts) == ("won", None, None)
    assert episode.finished_at is not None


def test_wrong_item_closes_the_episode_as_lost(enter, stored, process, look):
    walker = enter()
    needed = process(walker.token).item
    wrong = next(one for one in items(walker) if one != needed)
    walker.send("ticket", item=wrong)
    assert stored(walker.token)[0].is_right is False
    assert look.episodes(walker.token)[0].state == "lost"


def items(walker):
    """Return the items that the form offers."""
    offered = walker.answer.text.partition("<datalist")[2].partition("</datalist>")[0]
    return [part.partition('"')[0] for part in offered.split('<option value="')[1:]]


@pytest.mark.parametrize(
    "typed", ["{0}", "  {0} ", "{1}", "{2}.", "the {1}", "“{0}”", "{3}"], ids=range(7)
)
def test_item_is_matched_as_typing_is_and_stored_as_typed(enter, stored, process, typed):
    walker = enter()
    name = process(walker.token).item
    text = typed.format(name, name.replace("_", " "), name.upper(), name.replace("_", "-"))
    walker.send("ticket", item=text)
    assert (stored(walker.token)[0].item, stored(walker.token)[0].is_right) == (text, True)


@pytest.mark.parametrize("typed", ["", "  ", "excalibur", "go home", "x" * 300, "a\x00", "\ud800"])
def test_unknown_item_is_refused_in_words_and_nothing_is_stored(enter, stored, look, typed):
    walker = enter()
    walker.send("ticket", item=typed.encode("utf-8", "surrogatepass").decode("utf-8", "replace"))
    assert walker.answer.status_code == 422
    assert walker.page.name == "direct"
    assert "item" in walker.answer.text.partition('id="item-error">')[2].partition("<")[0]
    assert stored(walker.token) == []
    assert look.episodes(walker.token)[0].state == "open"


def test_refused_item_stays_in_its_field(enter):
    walker = enter().send("ticket", item="a sort of spear")
    assert walker.page.form("item").fields["item"] == "a sort of spear"


def test_process_is_stated_by_activity_and_place(enter, stored, process):
    walker = enter(PROCEDURAL)
    assert 'name="times"' not in walker.answer.text
    fields = right(process(walker.token))
    walker.send("ticket", activity=fields["activity"], placed=fields["placed"])
    [row] = stored(walker.token)
    assert (row.item, row.times, row.is_right) == ("", None, True)


@pytest.mark.parametrize("field", ["activity", "placed"])
def test_process_with_one_part_wrong_is_not_right(enter, stored, process, field):
    walker = enter(PROCEDURAL)
    fields = right(process(walker.token))
    other = {"perform": "drink", "drink": "perform", "before": "after", "after": "before"}
    walker.send("ticket", **{**fields, field: other[fields[field]]})
    assert stored(walker.token)[0].is_right is False


def test_count_is_asked_where_the_rule_decides_it(enter, stored, process):
    walker = enter(COUNTED)
    walker.send("ticket", **right(process(walker.token)))
    [row] = stored(walker.token)
    assert (row.times, row.is_right) == (process(walker.token).count, True)


def test_wrong_count_is_not_right(enter, stored, process):
    walker = enter(COUNTED)
    needed = process(walker.token)
    walker.send("ticket", **{**right(needed), "times": str(needed.count + 1)})
    assert stored(walker.token)[0].is_right is False


@pytest.mark.parametrize("times", ["", "0", "10", "-1", "1.5", "two", "9" * 300])
def test_count_out_of_bounds_is_refused_and_the_rest_is_kept(enter, stored, times):
    walker = enter(COUNTED).send("ticket", activity="drink", placed="after", times=times)
    assert walker.answer.status_code == 422
    assert "from 1 to 9" in walker.answer.text
    assert 'value="drink" checked' in walker.answer.text
    assert walker.page.form("times").fields["times"] == times
    assert stored(walker.token) == []


@pytest.mark.parametrize("missing", ["activity", "placed"])
def test_missing_choice_is_refused(enter, stored, missing):
    fields = {"activity": "drink", "placed": "after", "times": "1"}
    walker = enter(COUNTED).send("ticket", **{**fields, missing: ""})
    assert walker.answer.status_code == 422
    assert stored(walker.token) == []


def test_same_form_twice_and_other_tab_store_one_answer(enter, stored, process):
    walker = enter()
    form, client, url = walker.page.form("item"), walker.client, walker.url
    needed = process(walker.token).item
    first, other = items(walker)[:2]
    for item, ticket in ((first, form.fields["ticket"]), (other, form.fields["ticket"])):
        client.post(url, data={"item": item, "ticket": ticket})
    client.post(url, data={"item": needed, "ticket": "another-tab-another-ticket"})
    assert [row.item for row in stored(walker.token)] == [first]


def test_nothing_can_be_played_in_a_direct_block(enter, look):
    walker = enter()
    url = walker.url.removesuffix("/answer")
    assert walker.client.get(url).status_code == 404
    walker.client.post(url, data={"raw": "check_location", "seq": "1"})
    assert look.turns(walker.token) == []


def test_pages_do_not_tell_whether_the_answer_is_right(enter, process, look):
    walker = enter(rule_form={"when": "block"})
    first = walker.url
    seen = []
    needed = [process(walker.token, position).item for position in range(2)]
    walker.send("ticket", item=needed[0])
    assert walker.page.name == "direct"  # the next guardian, without comment
    seen.append(walker.answer.text)
    wrong = next(one for one in items(walker) if one != needed[1])
    walker.send("ticket", item=wrong)
    assert walker.page.name == "rule"
    seen.append(walker.answer.text)
    seen += [walker.get(url).answer.text for url in (first, first.replace("n/1", "n/2"))]
    assert walker.page.name == "receipt"
    assert [row.state for row in look.episodes(walker.token)] == ["won", "lost"]
    for text in seen:
        own = text.partition("<main")[2]
        for word in ("You defeated", "not defeated", "correct", "Well done", "won", "lost"):
            assert f">{word}" not in own
            assert f" {word} " not in own.partition('id="accounts"')[0]


def test_rule_form_shows_what_was_stated(enter):
    walker = enter(COUNTED).send("ticket", activity="drink", placed="after", times="2")
    assert walker.page.name == "rule"
    assert "drink, after the purchase, 2 times" in walker.answer.text


def test_instructions_say_that_answers_are_stated_only_where_they_are(enter, client, make_study):
    sentence = "you do not play. Instead, you say in a form"
    walker = enter()
    assert sentence in walker.get(f"/p/{walker.token}/instructions").answer.text
    make_study(slug="played")
    walker.enter("/s/played")
    assert sentence not in walker.get(f"/p/{walker.token}/instructions").answer.text


def test_instructions_of_a_study_that_no_one_plays_name_no_commands(enter, client, make_study):
    walker = enter()
    shown = one_line(walker.get(f"/p/{walker.token}/instructions").answer.text)
    assert "You have one answer for a guardian." in shown
    assert "type commands" not in shown
    assert "What you can type" not in shown
    make_study(slug="practised", blocks=[ATTRIBUTE], per_player=1)  # people play the practice
    walker.enter("/s/practised")
    shown = one_line(walker.get(f"/p/{walker.token}/instructions").answer.text)
    assert "What you can type" in shown


def test_whole_direct_study_finishes_with_the_last_explanation(enter, look):
    walker = enter(PROCEDURAL).send("ticket", activity="drink", placed="after").explain()
    assert walker.page.name == "debrief"
    assert look.person(walker.token).state == "finished"


def test_score_of_a_block_is_the_mean_over_its_guardians(enter, stored, process):
    walker = enter(rule_form={"when": "block"})
    needed = [process(walker.token, position).item for position in range(2)]
    walker.send("ticket", item=needed[0])
    walker.send("ticket", item=next(one for one in items(walker) if one != needed[1]))
    assert unit_accuracy(row.is_right for row in stored(walker.token)) == 0.5


def test_monitor_shows_answer_and_right(enter, process, look, server):
    walker = enter()
    item = process(walker.token).item
    walker.send("ticket", item=item)
    with server.store.read() as db:
        story = overview.participant(db, server.library, look.person(walker.token).public_id)
    [shown_episode] = story["blocks"][0]["episodes"][:1]
    assert (shown_episode["right"], shown_episode["lines"][0]["raw"]) == (True, item)


@pytest.mark.parametrize("block", [ATTRIBUTE, PROCEDURAL, COUNTED])
def test_pages_do_not_depend_on_the_answer(enter, client, server, look, block):
    """Two variants that differ only in the answer look the same until one answers."""
    walker = enter(block)
    first = masked(walker.get(walker.url).answer)
    refused = masked(walker.send("ticket", item="no such thing", times="99").answer)
    change_answer(server, look.episodes(walker.token)[0])
    assert masked(walker.get(walker.url).answer) == first
    walker.send("ticket", item="no such thing", times="99")
    assert masked(walker.answer) == refused


def change_answer(server, episode):
    """Change the answer for a guardian's cell in the stored variant of an open episode."""
    with server.store.read() as db:
        variant = server.library.variant(db, episode.variant_hash)
    cell = variant.entity(episode.entity).cell
    old = variant.grid[cell[0]][cell[1]]
    other = next(output for output, _ in variant.outputs if output != old)
    changed = with_answer(variant, cell, other)
    assert canonical_json(changed) != canonical_json(variant)
    with server.store.write() as db:
        db.execute(variant_table.insert().values(stored_row(changed, "{}", NOW)))
        table = episodes.episode
        values = {"variant_hash": content_hash(changed)}
        db.execute(update(table).where(table.c.id == episode.id).values(values))
