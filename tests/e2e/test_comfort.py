"""Names to tap, accounts to sort and pin, drafts that are kept, a code that can be copied."""

import pytest
from playwright.sync_api import expect

from tests.e2e.stored import new_slug

pytestmark = pytest.mark.browser


@pytest.fixture
def visitor(visit, player):
    return visit(player.home).see("game")


@pytest.fixture
def writer(visit, person):
    return visit(person.to_rule().home).see("rule")


def numbers(visitor):
    """Return the numbers of the accounts in page order."""
    return visitor.page.locator("#tales > li").evaluate_all("all => all.map(e => e.dataset.n)")


def values(visitor, label):
    """Return one attribute of the accounts in page order."""
    return visitor.page.locator("#tales > li").evaluate_all(
        """(all, label) => all.map(card => [...card.querySelectorAll(".chip")]
            .filter(chip => chip.textContent.startsWith(label + ":"))
            .map(chip => chip.textContent.split(":")[1].trim())[0] || "")""",
        label,
    )


def test_clicked_names_replace_each_other_and_are_counted(visitor, player):
    visitor.raw.fill("go")
    visitor.page.get_by_role("tab", name="World").click()
    names = visitor.page.locator("#world .names button")
    # not inner_text, which is empty for what is not painted yet (content-visibility)
    first, second = names.nth(0).text_content(), names.nth(1).text_content()
    names.nth(0).click()
    expect(visitor.raw).to_have_value(f"go {first}")
    names.nth(1).click()
    expect(visitor.raw).to_have_value(f"go {second}")
    expect(visitor.raw).to_be_focused()
    visitor.raw.press("Enter")
    visitor.wait_for_seq(2)
    visitor.type("check_location")
    assert [(turn.raw, turn.taps) for turn in player.turns()] == [
        (f"go {second}", 2),
        ("check_location", 0),
    ]


def test_accounts_sort_by_a_label_and_back(visitor):
    before = numbers(visitor)
    labels = visitor.page.locator("#sort option").all_inner_texts()[1:]
    assert labels == sorted(labels)
    for label in labels:
        visitor.page.locator("#sort").select_option(label)
        found = values(visitor, label)
        there = [value for value in found if value]
        assert there
        assert found == sorted(there) + [""] * (len(found) - len(there))
    visitor.page.locator("#sort").select_option("")
    assert numbers(visitor) == before


def test_pinned_account_stays_first_after_sorting_and_reload(visitor):
    last = numbers(visitor)[-1]
    visitor.page.locator(f"#tales li[data-n='{last}'] button", has_text="Pin").click()
    assert numbers(visitor)[0] == last
    label = visitor.page.locator("#sort option").nth(1).inner_text()
    visitor.page.locator("#sort").select_option(label)
    assert numbers(visitor)[0] == last
    visitor.page.reload()
    assert numbers(visitor.see("game"))[0] == last
    expect(visitor.page.locator("#sort")).to_have_value(label)


def test_sort_pins_and_folds_last_for_the_whole_world_and_no_longer(visit, stored):
    slug = stored.make_study(new_slug(), options={})
    person = stored.enrol(slug).to_game()
    visitor = visit(person.home).see("game")
    last = numbers(visitor)[-1]
    visitor.page.locator(f"#tales li[data-n='{last}'] button", has_text="Pin").click()
    visitor.page.locator("#tales li[data-n='1'] button", has_text="Fold").click()
    label = visitor.page.locator("#sort option").nth(1).inner_text()
    visitor.page.locator("#sort").select_option(label)
    order = numbers(visitor)
    visitor.type(*person.solution()).press("Continue").see("rule")

    def check_same():
        assert numbers(visitor) == order
        expect(visitor.page.locator("#sort")).to_have_value(label)
        expect(visitor.page.locator("#tales li[data-n='1'] ol")).to_be_hidden()

    check_same()
    visitor.explain(inputs="class", how="so").see("game")
    assert visitor.page.url.endswith("/world/1/guardian/2")
    check_same()
    person.to_world(2)
    visitor.go(person.home).see("game")
    expect(visitor.page.locator("#sort")).to_have_value("")
    expect(visitor.page.locator(".pinned, #tales ol:not(:visible)")).to_have_count(0)


def test_folded_account_hides_its_steps_and_unfolds_again(visitor):
    steps = visitor.page.locator("#tales li[data-n='1'] ol")
    fold = visitor.page.locator("#tales li[data-n='1'] button", has_text="Fold")
    expect(steps).to_be_visible()
    fold.click()
    expect(steps).to_be_hidden()
    fold.click()
    expect(steps).to_be_visible()
    visitor.press("Fold all")
    expect(visitor.page.locator("#tales ol:visible")).to_have_count(0)


def test_study_without_helps_shows_none_of_them(visit, stored):
    options = {"episodes_per_block": 1, "tap": False, "sort": False, "pin": False}
    slug = stored.make_study(new_slug(), options=options)
    visitor = visit(stored.enrol(slug).to_game().home).see("game")
    expect(visitor.page.locator("#sort")).to_have_count(0)
    expect(visitor.page.locator("button.n")).to_have_count(0)
    expect(visitor.page.locator("#tales button", has_text="Pin")).to_have_count(0)
    expect(visitor.page.locator("#tales button", has_text="Fold").first).to_be_visible()


def test_draft_saves_itself_and_survives_a_closed_tab(visit, writer, person):
    writer.page.locator("#inputs").fill("the class, I think")
    writer.page.locator("#do_not_know").check()
    expect(writer.page.locator("#draft-status")).to_contain_text("Saved")
    writer.page.close()
    assert person.draft()["inputs"] == "the class, I think"
    again = visit(person.home).see("rule")
    expect(again.page.locator("#inputs")).to_have_value("the class, I think")
    expect(again.page.locator("#do_not_know")).to_be_checked()
    again.page.locator("#do_not_know").uncheck()
    again.explain(how="so").see("world")
    assert [(row.inputs, row.how) for row in person.explanations] == [("the class, I think", "so")]


def test_draft_is_saved_when_the_person_leaves_at_once(visit, writer, person):
    writer.page.locator("#inputs").fill("quick thought")
    writer.go(person.home + "/instructions").see("instructions")
    again = visit(person.home).see("rule")
    expect(again.page.locator("#inputs")).to_have_value("quick thought")


def test_draft_is_saved_by_its_button_without_script(visit, person):
    writer = visit(person.to_rule().home, java_script_enabled=False).see("rule")
    writer.page.locator("#how").fill("one each")
    writer.press("Save draft").see("rule")
    expect(writer.page.locator("#how")).to_have_value("one each")
    assert person.draft()["how"] == "one each"
    assert person.explanations == []


def test_older_tab_never_overwrites_a_newer_draft(writer, person, faults):
    faults.expect("status of 409")
    late = writer.another_tab().see("rule")
    writer.page.locator("#inputs").fill("newer")
    expect(writer.page.locator("#draft-status")).to_contain_text("Saved")
    late.page.locator("#inputs").fill("older")
    expect(late.page.locator("#draft-status")).to_contain_text("another tab")
    expect(late.page.locator("#inputs")).to_have_value("older")
    assert person.draft()["inputs"] == "newer"


def test_draft_typed_offline_is_saved_when_the_network_is_back(writer, person, faults):
    faults.expect("ERR_INTERNET_DISCONNECTED")
    writer.page.context.set_offline(True)
    writer.page.locator("#inputs").fill("typed in a tunnel")
    expect(writer.page.locator("#draft-status")).to_contain_text("Not saved yet")
    assert person.draft() == {}
    writer.page.context.set_offline(False)
    expect(writer.page.locator("#draft-status")).to_contain_text("Saved")
    assert person.draft()["inputs"] == "typed in a tunnel"


def test_answer_that_could_not_be_sent_stays_and_is_stored_once(writer, person, faults):
    faults.expect("ERR_FAILED", "htmx:afterRequest,", "htmx:sendError,")
    writer.page.route("**/rule", lambda route: (route.fetch(max_redirects=0), route.abort()))
    writer.explain(inputs="class", how="so")
    expect(writer.page.locator("#net")).to_contain_text("The server did not answer.")
    expect(writer.page.locator("#inputs")).to_have_value("class")
    writer.page.unroute("**/rule")
    writer.press("Send my answer").see("world")
    assert [row.inputs for row in person.explanations] == ["class"]


def test_writing_is_counted_in_keystrokes_and_pasted_characters(writer, person):
    writer.page.locator("#inputs").press_sequentially("class")
    with writer.page.expect_request("**/rule") as sent:
        writer.press("Send my answer")
    writer.see("world")
    assert ("keys=5&pasted=0" in sent.value.post_data, len(person.explanations)) == (True, 1)


def test_notes_save_themselves_and_stay_for_the_world(visit, visitor, player):
    visitor.page.get_by_role("tab", name="Notes").click()
    visitor.page.locator("#notes-text").fill("red means long")
    expect(visitor.page.locator("#notes-status")).to_contain_text("Saved")
    assert player.draft("notes/0") == {"text": "red means long"}
    again = visit(player.home).see("game")
    expect(again.page.locator("#notes-text")).to_have_value("red means long")


def test_code_is_copied_by_its_button(visit, person):
    visitor = visit(person.to_end().home, permissions=["clipboard-read", "clipboard-write"])
    visitor.see("debrief").press("Copy the code")
    expect(visitor.page.get_by_role("button", name="Copied")).to_be_visible()
    assert visitor.page.evaluate("() => navigator.clipboard.readText()") == person.row.code


def test_folded_account_says_in_one_line_of_its_traits_what_was_done(visit, player):
    visitor = visit(player.home).see("game").press("Fold all")
    card = visitor.page.locator(".tale").first
    commands = [one for one in card.locator("ol b").all_text_contents() if one.startswith("buy ")]
    unfold = card.locator(".unfold")
    expect(unfold).to_contain_text(commands[0])
    assert card.bounding_box()["height"] < 100
    unfold.click()
    expect(card.locator("ol")).to_be_visible()
