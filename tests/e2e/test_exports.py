"""The export pages in a browser: downloads, text review by keyboard, no axe faults."""

import zipfile

import pytest

from tests.e2e.looks import PHONE, check
from tests.e2e.stored import new_slug
from tests.study.story import Story

pytestmark = pytest.mark.browser
WIDE = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture
def own(stored):
    """Return the URL of a study with one explanation."""
    slug = new_slug()
    story = Story(stored.store, slug=slug)
    token = story.enter()
    story.win(token, 0, 0)
    story.explain(token, 0, 0, inputs="The class, I am sure", confidence="50")
    return f"/admin/studies/{slug}"


@pytest.fixture(params=[True, False], ids=["script", "no-script"])
def researcher(request, sign_in):
    """Return a researcher's browser, with and without JavaScript."""
    return sign_in(java_script_enabled=request.param)


@pytest.mark.long
def test_bundle_is_downloaded_and_a_text_released_by_keyboard(researcher, own, tmp_path):
    page = researcher.go(f"{own}/exports").see("exports").page
    page.get_by_role("button", name="Make the bundle").press("Enter")
    link = page.get_by_role("button", name="Download study-")
    link.wait_for(timeout=60_000)  # the page reloads by itself until the job is done
    for _ in range(2):  # a download does not leave the page
        with page.expect_download() as download:
            link.press("Enter")
    download.value.save_as(tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        assert archive.namelist()[-1] == "manifest.json"
    researcher.go(f"{own}/exports").follow("Review free texts").see("texts")
    page.get_by_label("Not decided").first.focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Save decisions").press("Enter")
    page.get_by_text("Decisions saved: 1.").wait_for()
    page.get_by_role("link", name="released (1)").click()
    page.get_by_text("The class, I am sure").wait_for()


@pytest.mark.long
def test_axe_finds_nothing_and_phones_need_no_scrolling(sign_in, own, faults):
    faults.expect("status of 422")
    visitor = sign_in()
    for path in ("exports", "deidentification", "texts"):
        visitor.go(f"{own}/{path}").see(path)
        check(visitor)
        visitor.page.set_viewport_size(PHONE)
        assert not visitor.page.evaluate(WIDE)
    visitor.press("Save decisions").page.get_by_text("for at least one text").wait_for()
    check(visitor)
