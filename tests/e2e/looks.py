"""axe-core on the current page."""

from axe_playwright_python.sync_playwright import Axe

PHONE = {"width": 360, "height": 640}
LAPTOP = {"width": 1280, "height": 800}
AXE = Axe().axe_script
COLOUR = "color-contrast"  # the slow rule, and the only one that depends on the colour scheme


def violations(visitor, **options):
    """Return what axe finds on the current page."""
    page = visitor.page
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(AXE)
    return page.evaluate(
        """options => axe.run(document, options).then(found => found.violations.map(one =>
            one.id + ": " + one.nodes.map(node => node.html.slice(0, 120)).join(" | ")))""",
        {"resultTypes": ["violations"], **options},
    )


def check(visitor):
    """Check the page with axe: all rules in light, colours in dark, the others on a phone."""
    dark = {"color_scheme": "dark", "reduced_motion": "reduce"}
    light = {"color_scheme": "light", "reduced_motion": "reduce"}
    visitor.page.emulate_media(**light)
    visitor.page.set_viewport_size(LAPTOP)
    expect_none(violations(visitor))
    visitor.page.emulate_media(**dark)
    expect_none(violations(visitor, runOnly=[COLOUR]))
    visitor.page.set_viewport_size(PHONE)
    expect_none(violations(visitor, rules={COLOUR: {"enabled": False}}))


def check_small(visitor):
    """Check all rules but colours at 200 % and 400 % of a laptop's window."""
    for width, height in ((640, 400), (320, 256)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        expect_none(violations(visitor, rules={COLOUR: {"enabled": False}}))


def expect_none(found):
    assert not found, "\n".join(found)
