"""Chromium for the benchmarks of pages and for the screenshots."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from tests.e2e.serving import FLAGS, find_chromium


@contextmanager
def chromium(*flags: str) -> Iterator[Browser]:
    """Run a browser with these flags too, until the block ends. Raises RuntimeError: none here."""
    path = find_chromium()
    if path is None:
        raise RuntimeError("No Chromium here: make browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, *flags])
        try:
            yield browser
        finally:
            browser.close()
