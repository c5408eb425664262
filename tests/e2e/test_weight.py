"""The size of the game page, and that it loads nothing from elsewhere."""

import pytest

from tests.e2e.stored import new_slug

pytestmark = pytest.mark.browser
HEAVIEST = {"task": "P-Over", "seeds": [1]}  # the most accounts of the eight tasks
LIMIT = 60_000  # bytes sent, compressed
PARTS = """() => [...performance.getEntriesByType("navigation"),
    ...performance.getEntriesByType("resource")]
    .map(one => [one.name.split("?")[0].split("/").pop(), one.transferSize, one.decodedBodySize])"""


def test_game_page_with_everything_it_loads_sends_less_than_60_kb(visit, stored, capsys):
    slug = stored.make_study(new_slug(), blocks=[HEAVIEST], per_player=1)
    visitor = visit(stored.enrol(slug).to_game().home).see("game")
    parts = visitor.page.evaluate(PARTS)
    sent, decoded = sum(part[1] for part in parts), sum(part[2] for part in parts)
    with capsys.disabled():
        print(f"\ngame page: {sent:,} bytes sent, {decoded:,} decoded: {parts}")  # noqa: T201 - the figure is wanted
    assert {"htmx.js", "app.css", "app.js"} <= {part[0] for part in parts}
    assert sent < LIMIT


def test_second_game_page_loads_only_itself(visit, player):
    visitor = visit(player.home).see("game")
    visitor.go(player.home).see("game")
    parts = visitor.page.evaluate(PARTS)
    assert {part[0] for part in parts if part[1] > 0} <= {"1", "favicon.svg"}
