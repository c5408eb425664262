"""A password can be looked at before it is sent, so that no one is locked out by a typo."""

import pytest
from playwright.sync_api import expect

from tests.e2e.stored import new_slug

pytestmark = pytest.mark.browser


def test_password_of_a_new_account_can_be_shown_and_hidden(visit, stored):
    link = f"/admin/welcome/{stored.one_time_link(new_slug())}"
    visitor = visit(link).see("welcome")
    field, button = visitor.page.locator("#password"), visitor.page.locator("[data-show]")
    field.fill("a long password")
    expect(field).to_have_attribute("type", "password")
    button.click()
    expect(field).to_have_attribute("type", "text")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(field).to_have_value("a long password")
    button.click()
    expect(field).to_have_attribute("type", "password")
    button.click()
    visitor.press("Set the password").see("studies")


def test_without_a_script_the_password_stays_hidden_and_the_way_out_is_told(visit, stored):
    link = f"/admin/welcome/{stored.one_time_link(new_slug())}"
    page = visit(link, java_script_enabled=False).see("welcome").page
    expect(page.locator("[data-show]")).to_be_hidden()
    expect(page.locator("#password-hint")).to_contain_text("ask an administrator for a new link")
