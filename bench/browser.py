"""Chromium for the paint benchmark and the pictures."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
# What would make each new window load pages of the browser's own, which nobody looks at.
OWN_PAGES = (
    *("PreloadTopChromeWebUI", "WebUIOmniboxPopup"),
    *("WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",  # nothing leaves this machine
    f"--disable-features={','.join(OWN_PAGES)}",
]


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run a browser until the block ends. Raises RuntimeError: there is none."""
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        raise RuntimeError("No Chromium here: make browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()
