"""axe-core on the current page, and the page on paper."""

from axe_playwright_python.sync_playwright import Axe

PHONE = {"width": 360, "height": 640}
LAPTOP = {"width": 1280, "height": 800}
PAPER = {"width": 718, "height": 1000}  # an A4 page with its margins
AXE = Axe().axe_script
COLOUR = "color-contrast"  # the slow rule, and the only one that depends on the colour scheme

# what is wrong on paper: cut off, to be pressed, not black, or wider than the paper
ON_PAPER = """() => {
    const shown = [...document.querySelectorAll("main *")].filter(e => e.checkVisibility());
    const boxes = shown.filter(e => !e.matches(".vh, textarea, input, select"));
    const below = e => e.clientHeight && e.scrollHeight > e.clientHeight + 2
        && getComputedStyle(e).overflowY !== "visible";
    const beside = e => e.clientWidth && e.scrollWidth > e.clientWidth + 2
        && getComputedStyle(e).overflowX !== "visible";
    const pressed = [...document.querySelectorAll(
        ".skip, .tabs, .bar .leave, .bar .report, main button:not(.n)")];
    const lines = found => found.map(e => e.outerHTML.slice(0, 80));
    return [
        ...lines(boxes.filter(below)).map(e => "cut off below: " + e),
        ...lines(boxes.filter(beside)).map(e => "cut off at the side: " + e),
        ...lines(pressed.filter(e => e.checkVisibility())).map(e => "to be pressed: " + e),
        ...(getComputedStyle(document.body).color === "rgb(0, 0, 0)" ? [] : ["not black"]),
        ...(document.documentElement.scrollWidth <= innerWidth ? [] : ["wider than the paper"]),
    ];
}"""


def resize(page, size):
    """Resize the window, and wait until its scripts have seen the new size."""
    page.set_viewport_size(size)
    page.evaluate("() => new Promise(d => requestAnimationFrame(() => requestAnimationFrame(d)))")


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
    """Check the page with axe: all rules in light, colours in dark, the others on a phone.

    Check it on paper too.
    """
    dark = {"color_scheme": "dark", "reduced_motion": "reduce"}
    light = {"color_scheme": "light", "reduced_motion": "reduce"}
    visitor.page.emulate_media(**light)
    resize(visitor.page, LAPTOP)
    expect_none(violations(visitor))
    visitor.page.emulate_media(**dark)
    expect_none(violations(visitor, runOnly=[COLOUR]))
    check_paper(visitor)
    resize(visitor.page, PHONE)
    expect_none(violations(visitor, rules={COLOUR: {"enabled": False}}))


def check_paper(visitor):
    """Check that the page is printed whole and black, with nothing to press."""
    page = visitor.page
    resize(page, PAPER)
    page.emulate_media(media="print")
    expect_none(page.evaluate(ON_PAPER))
    page.emulate_media(media="screen")


def check_small(visitor):
    """Check all rules but colours at 200 % and 400 % of a laptop's window."""
    for width, height in ((640, 400), (320, 256)):
        resize(visitor.page, {"width": width, "height": height})
        expect_none(violations(visitor, rules={COLOUR: {"enabled": False}}))


def expect_none(found):
    assert not found, "\n".join(found)
