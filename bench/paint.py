"""First contentful paint of the game page, against a bare page of the same size.

A new browser context without a cache opens both pages alternately, with a slow connection and
processor. The bare page transfers as many bytes as ours, in a page, one style sheet and one script,
and shows plain paragraphs.
"""

from collections.abc import Iterator

from playwright.sync_api import Browser, Page

from app.study.design.library import Library
from bench import serving, stage
from bench.browser import chromium
from bench.measure import Result, alternate

TARGET = 1.3
LATENCY_MS, BITS_PER_S, CPU_RATE = 150, 1_600_000, 4
SETTLE_MS = 1_500  # a new window first loads the browser's own pages
WEIGHT_LIMIT = 60_000  # bytes sent, compressed, with htmx and the style sheets
HEAVIEST = "P-Over"  # the task with the most accounts to read
FIRST_PAINT = """() => new Promise(done => new PerformanceObserver(list => {
  const found = list.getEntriesByName("first-contentful-paint")[0];
  if (found) done(found.startTime);
}).observe({type: "paint", buffered: true}))"""
PARTS = """() => [...performance.getEntriesByType("navigation"),
  ...performance.getEntriesByType("resource")]
  .map(one => [one.name.split("?")[0], one.encodedBodySize, one.decodedBodySize])"""

Parts = list[tuple[str, int, int]]  # address, bytes transferred, bytes uncompressed


def slow_page(browser: Browser) -> Page:
    """Return an empty page in a new context, with a slow connection and processor."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.set_default_timeout(60_000)
    session = page.context.new_cdp_session(page)
    speed = BITS_PER_S / 8
    conditions = {"offline": False, "latency": LATENCY_MS}
    conditions |= {"downloadThroughput": speed, "uploadThroughput": speed}
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", conditions)
    session.send("Emulation.setCPUThrottlingRate", {"rate": CPU_RATE})
    page.wait_for_timeout(SETTLE_MS)
    return page


def first_paint(browser: Browser, url: str) -> float:
    """Open a page without a cache; return its first contentful paint in ms."""
    page = slow_page(browser)
    page.goto(url, wait_until="commit")
    found = float(page.evaluate(FIRST_PAINT))
    page.context.close()
    return found


def parts_of(browser: Browser, url: str) -> Parts:
    """Return everything that a page loads."""
    page = browser.new_context().new_page()
    page.goto(url, wait_until="load")
    found = [(str(name), int(sent), int(full)) for name, sent, full in page.evaluate(PARTS)]
    page.context.close()
    return found


def sizes(parts: Parts) -> tuple[int, int, int]:
    """Return the bytes transferred for page, style sheets (with images) and scripts."""
    scripts = sum(sent for name, sent, _ in parts if name.endswith(".js"))
    page = parts[0][1]
    return page, sum(sent for _, sent, _ in parts) - page - scripts, scripts


def run(*, tiny: bool) -> Iterator[Result]:
    """Open both pages alternately."""
    rounds = 1 if tiny else 15
    with (
        stage.folder() as folder,
        stage.database(folder / "paint.db", 1, tasks=(HEAVIEST,)) as store,
        chromium() as browser,
    ):
        token = stage.enter(store, Library())
        url = {"HJSTUDY_DATABASE_URL": str(store.url), "HJSTUDY_HTMX_SOURCE": "local"}
        with serving.server(serving.OURS, folder, "/healthz", **url) as port:
            game = f"http://{serving.HOST}:{port}/p/{token}/world/1/guardian/1"
            parts = parts_of(browser, game)
            sizes_text = ",".join(str(size) for size in sizes(parts))
            with serving.server(
                serving.BARE, folder, "/", BENCH_BARE_SIZES=sizes_text
            ) as bare_port:
                bare = f"http://{serving.HOST}:{bare_port}/"
                pair = alternate(
                    lambda: first_paint(browser, game), lambda: first_paint(browser, bare), rounds
                )
    sent, full = sum(part[1] for part in parts), sum(part[2] for part in parts)
    print(pair.line("ms", "game page", "bare page"))
    for name, one, unpacked in parts:
        print(f"    {name.rpartition('/')[2]:<14} {one:>7,} bytes sent, {unpacked:>7,} unpacked")
    print(f"    the whole page {sent:,} bytes sent, {full:,} unpacked")
    yield Result("paint: first paint, game / bare page", pair.ratio, TARGET, at_least=False)
    weight = sent / WEIGHT_LIMIT
    yield Result("paint: page weight sent / 60 kB", weight, 1.0, at_least=False)
