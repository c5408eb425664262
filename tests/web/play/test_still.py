"""Parts of the game page that are kept: nobody gets one that was made for other options."""

import pytest

from tests.walker import Walker

BLOCKS = [{"task": "A-Comp", "seeds": [1]}]
PIN, SORT, ENGLISH, GERMAN = " data-pin", 'id="sort"', '<h2 id="world-h">The world', "Die Welt"


@pytest.mark.one_database
def test_page_has_the_options_the_language_and_the_world_of_its_study(client, make_study, look):
    def page(slug, **changes):
        made = {"blocks": BLOCKS, "per_player": 1, **changes}
        make_study(slug=slug, **made)
        walker = Walker(client).enter(f"/s/{slug}").leave_practice()
        return walker.answer.text, look.episodes(walker.token)[-1].variant_hash

    plain, variant = page("plain")
    assert all(word in plain for word in (PIN, SORT, ENGLISH))
    pinless, same = page("pinless", options={"pin": False})
    assert same == variant
    assert PIN not in pinless
    assert SORT in pinless
    sortless, _ = page("sortless", options={"sort": False})
    assert SORT not in sortless
    assert PIN in sortless
    german, _ = page("german", language="de")
    assert GERMAN in german
    assert ENGLISH not in german
