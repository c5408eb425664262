"""The browser reads minified styles as it reads their source."""

import pytest

from app.web.static_files import STATIC, served_files

pytestmark = pytest.mark.browser
# custom properties and values made of them keep the spaces of their source
RULES = """text => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    const plain = text => text.replace(/\\s+/g, ' ').replaceAll(', ', ',');
    return [...sheet.cssRules].map(rule => plain(rule.cssText));
}"""


@pytest.mark.parametrize("path", sorted(STATIC.glob("*.css")), ids=lambda path: path.name)
def test_minified_styles_hold_the_rules_of_their_source(browser, path):
    page = browser.new_page()
    source = page.evaluate(RULES, path.read_text("utf-8"))
    served = page.evaluate(RULES, served_files()[path.name].plain.decode())
    page.close()
    assert len(source) > 3
    assert served == source
