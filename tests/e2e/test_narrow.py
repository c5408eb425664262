"""Researchers' pages in windows that are narrow for them: every name is read whole."""

import json
from pathlib import Path

import pytest

from tests.e2e.stored import new_slug

pytestmark = pytest.mark.browser
LONG = "Laboratoryofuncommonlylongnamesfortasks"
OWN_TASK = json.loads(Path("docs/examples/conditional.json").read_text(encoding="utf-8"))
# the tables that are wider than their box
CUT = """() => [...document.querySelectorAll(".scroll")]
    .filter(box => box.scrollWidth > box.clientWidth)
    .map(box => `${box.scrollWidth} > ${box.clientWidth}: ${box.innerText.slice(0, 40)}`)"""
# items of the menu that overlap, are cut, or are outside of the window
IN_THE_WAY = """() => {
    const found = [], items = [...document.querySelectorAll(".parts a")];
    const boxes = items.map(item => item.getBoundingClientRect());
    const names = items.map(item => item.innerText.trim());
    items.forEach((item, i) => {
        const { left, right } = boxes[i];
        if (left < 0 || right > innerWidth) found.push(`outside: ${names[i]}`);
        for (const box of [item, item.parentElement, item.closest("ul")])
            if (box.scrollWidth > box.clientWidth && box.clientWidth)
                found.push(`cut: ${names[i]}`);
        for (let j = i + 1; j < items.length; j++)
            if (left < boxes[j].right && boxes[j].left < right
                && boxes[i].top < boxes[j].bottom && boxes[j].top < boxes[i].bottom)
                found.push(`overlap: ${names[i]}, ${names[j]}`);
    });
    if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
    return items.length > 9 ? found : ["too few items"];
}"""


@pytest.mark.parametrize("width", [1200, 1280])
def test_long_names_of_cells_and_treatments_wrap(sign_in, stored, width):
    line = {"task": LONG, "lexicon": "nonce", "coverage": "1/3"}
    lines = [line | {"seeds": [seed]} for seed in (1, 2)]
    lines.append({"task": "P-Cond", "seeds": [104], "format": "direct"})
    task = {**OWN_TASK, "name": LONG}
    changes = {"blocks": lines, "tasks": [task], "between": "task", "per_player": 1}
    slug = stored.make_study(new_slug(), **changes)
    for _ in range(2):
        stored.enrol(slug)
    visitor = sign_in(viewport={"width": width, "height": 800})
    for page in ("", "/monitor?live=0", "/design"):
        visitor.go(f"/admin/studies/{slug}{page}")
        assert visitor.page.locator(".scroll").count() >= 1, page
        assert visitor.page.evaluate(CUT) == [], page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 360, 600, 1280])
def test_menu_of_the_design_is_read_whole(sign_in, stored, faults, width, scheme):
    faults.expect("status of 422")
    slug = stored.make_study(new_slug(), title=f"{LONG}, {LONG} and {LONG}")
    visitor = sign_in(viewport={"width": width, "height": 800}, color_scheme=scheme)
    visitor.go(f"/admin/studies/{slug}/design/clocks").page.locator("#clocks-seat_minutes").fill(
        "x"
    )
    visitor.press("Save").page.locator("main .problem").wait_for()  # so an item has a mark
    for page in ("", "/cells", "/baseline", "-file"):
        visitor.go(f"/admin/studies/{slug}/design{page}")
        assert visitor.page.locator(".parts .wrong").count() == 1
        assert visitor.page.evaluate(IN_THE_WAY) == [], page
