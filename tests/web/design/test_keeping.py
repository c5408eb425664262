"""What is typed on a design page is kept: saved by the script, or shown again when saving fails."""

import pytest

from app.settings import Settings
from app.study.design import draft
from tests.web.design.designing import part

OTHER = {"texts.pay": "GBP 6", "texts.contact": "me@example.org"}


@pytest.fixture
def settings(store_url):
    return Settings(database_url=store_url, htmx_source="local", threads=24, write_timeout_s=0.3)


def post(walker, fields, **typed):
    form = walker.page.form("revision")
    return walker.client.post(form.action, data={**fields, **typed}, follow_redirects=False)


def test_script_saves_twice_with_what_the_first_answer_gave_it(researcher, draft_of):
    fields = part(researcher, "texts", "demo").page.form("revision").fields
    first = post(researcher, fields, do="auto", **{"texts.pay": "GBP 5"})
    assert first.status_code == 200
    facts = first.json()
    again = {**fields, "revision": str(facts["revision"]), "ticket": facts["ticket"]}
    second = post(researcher, again, do="auto", **OTHER)
    assert second.json()["revision"] == facts["revision"] + 1
    texts = draft_of("demo").spec.texts
    assert (texts.pay, texts.contact) == ("GBP 6", "me@example.org")


def test_script_gets_the_preview_of_a_text_as_saved(researcher):
    fields = part(researcher, "texts", "demo").page.form("revision").fields
    text = "Read **this** <b>text</b> with care."
    facts = post(researcher, fields, do="auto", **{"texts.consent": text}).json()
    assert "<strong>this</strong> &lt;b&gt;" in facts["previews"]["texts-consent"]


def test_script_saves_what_is_wrong_too(researcher, draft_of):
    fields = part(researcher, "clocks", "demo").page.form("revision").fields
    answer = post(researcher, fields, do="auto", **{"clocks.seat_minutes": "a while"})
    assert answer.status_code == 200
    assert draft_of("demo").document["clocks"]["seat_minutes"] == "a while"


def test_script_learns_that_someone_else_has_saved(researcher, draft_of):
    fields = part(researcher, "texts", "demo").page.form("revision").fields
    part(researcher, "texts", "demo").send("revision", **{"texts.pay": "GBP 5"})
    answer = post(researcher, fields, do="auto", **OTHER)
    assert answer.status_code == 409
    assert "saved by someone else" in answer.json()["problem"]
    assert draft_of("demo").spec.texts.pay == "GBP 5"


def no_ticket(fields):
    return {**fields, "ticket": ""}


@pytest.mark.parametrize("section", ["texts", "pay", "cells", "questions"])
def test_form_without_its_ticket_is_shown_again_with_all_that_was_typed(researcher, section):
    fields = part(researcher, section, "demo").page.form("revision").fields
    name = next(one for one in fields if one not in {"ticket", "revision"} and "." in one)
    answer = post(researcher, no_ticket(fields), **{name: "12345"})
    assert answer.status_code == 400
    researcher.answer, researcher.page = answer, type(researcher.page)(answer.text)
    again = researcher.page.form("revision").fields
    assert "This form is incomplete" in answer.text
    typed = {**fields, name: "12345"}
    assert {key: again[key] for key in typed if key != "ticket"} == {
        key: value for key, value in typed.items() if key != "ticket"
    }
    sent = post(researcher, again)  # the new form has its ticket
    assert sent.status_code in {303, 422}


@pytest.mark.parametrize("do", ["save", "auto"])
def test_busy_database_loses_nothing_that_was_typed(researcher, server, do):
    fields = part(researcher, "texts", "demo").page.form("revision").fields
    with server.store.write() as db:
        draft.lock(db, "demo")
        answer = post(researcher, fields, do=do, **OTHER)
    assert answer.status_code == 503
    assert "The server is " in answer.text
    assert "busy" in answer.text
    if answer.headers["content-type"] != "application/json":  # the script keeps its page
        for value in OTHER.values():  # kept, to be sent again
            assert f'value="{value}"' in answer.text


def test_save_and_continue_opens_the_next_section(researcher, draft_of):
    fields = part(researcher, "cells", "demo").page.form("revision").fields
    answer = post(researcher, fields, do="next", per_player="1")
    assert answer.headers["location"] == "/admin/studies/demo/design/texts"
    assert draft_of("demo").spec.per_player == 1


def test_save_and_continue_stays_where_something_is_wrong(researcher):
    fields = part(researcher, "cells", "demo").page.form("revision").fields
    answer = post(researcher, fields, do="next", per_player="9")
    assert answer.status_code == 422
