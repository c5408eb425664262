"""The design pages without script: from empty to open, faults, drafts, two researchers."""

import pytest
import yaml

from app.game.tasks import TASKS, task_to_dict
from app.study.design import studies
from tests.walker import PageReader, Walker
from tests.web.design.designing import error_at, part

pytestmark = pytest.mark.one_database

LINE = {"blocks.0.task": "A-Over", "blocks.0.seeds": "3", "do": "save"}


@pytest.fixture
def empty(researcher):
    """A new, empty study called `winter`, with the researcher on its design page."""
    return researcher.get("/admin/new-study").send("title", title="Winter")


def test_study_comes_from_empty_to_open_by_forms_alone(empty, client, draft_of):
    assert empty.url == "/admin/studies/winter/design"
    part(empty, "cells").send("revision", do="add.blocks")
    assert "blocks.0.task" in empty.page.form("revision").fields
    empty.send("revision", **LINE)
    assert empty.url.endswith("/design/cells")
    assert client.get("/s/winter").status_code == 404
    board = empty.get("/admin/studies/winter/design")
    opened = board.client.post("/admin/studies/winter/actions/open", follow_redirects=False)
    assert opened.headers["location"] == "/admin/studies/winter"
    player = Walker(client).get("/s/winter").send("answer", answer="yes")
    assert player.page.name == "instructions"
    assert draft_of("winter").state == "open"


def test_draft_that_is_not_ready_is_not_opened_and_says_why(empty, client, draft_of):
    answer = empty.client.post("/admin/studies/winter/actions/open")
    assert answer.status_code == 422
    assert "Cells: needs at least one entry" in answer.text
    assert draft_of("winter").state == "draft"
    assert client.post("/s/winter", data={"answer": "yes"}).status_code == 404


def test_cells_of_a_new_draft_say_what_to_do_and_claim_no_save_that_was_not_made(empty):
    do = "No cells yet. Choose ‘Add a line’, then a task and its seeds."
    fix = "o fix before the study can be opened:"
    page = empty.get("/admin/studies/winter/design/cells?check=1").answer.text
    assert do in page
    assert f">T{fix}" in page
    assert "Saved" not in page
    page = empty.send("revision", do="next").answer.text
    assert do in page
    assert f">Saved as a draft. T{fix}" in page


def test_pages_that_need_an_open_study_say_that_it_is_a_draft(empty, client):
    for page in ("", "/recruit", "/rating", "/report", "/exports", "/report/models"):
        answer = empty.client.get(f"/admin/studies/winter{page}")
        if page:
            assert answer.status_code == 404, page
            assert "This study is still a draft" in answer.text
            assert 'href="/admin/studies/winter/design"' in answer.text
    assert "There is no study &#39;winter&#39; here" in client.get("/s/winter").text
    assert "There is no study" in empty.client.get("/admin/studies/summer/recruit").text


WRONG = [
    ("basics", "title", "", "is missing"),
    ("cells", "per_player", "7", "only 2 worlds are defined"),
    ("cells", "blocks.1.seeds", "3-1", "is too large or runs backwards"),
    ("cells", "blocks.1.seeds", "0-", "is not a number or a range such as 0-19"),
    ("cells", "blocks.0.task", "X-Add", "unknown task"),
    ("cells", "blocks.0.task", "", "choose a task"),
    ("cells", "options.episodes_per_block", "all", "must be a whole number"),
    ("texts", "texts.consent", "Play!", "needs at least 20 characters"),
    ("texts", "texts.minutes", "0", "must be 1 or more"),
    ("people", "people.quota", "many", "must be a whole number"),
    ("clocks", "clocks.seat_minutes", "1", "must be 5 or more"),
    ("pay", "payment.currency", "pounds", "use three capital letters"),
    ("pay", "codes.return_url", "ftp://x", "must start with https://"),
    ("baseline", "baseline.ethics", "x" * 2001, "can have at most 2000 characters"),
    ("own", "tasks", "- [", "this is not YAML"),
]


@pytest.mark.parametrize(("section", "field", "value", "message"), WRONG)
def test_wrong_field_is_named_at_the_field_and_keeps_all_that_was_typed(
    researcher, draft_of, section, field, value, message
):
    page = part(researcher, section, "demo")
    other = next(name for name in page.page.form("revision").fields if name != field)
    page.send("revision", **{field: value})
    assert page.answer.status_code == 422
    assert message in error_at(page, field)
    assert page.page.form("revision").fields[field] == value
    assert other in page.page.form("revision").fields
    again = part(researcher, section, "demo")  # it is stored too: leaving the page loses nothing
    assert again.page.form("revision").fields[field] == value
    assert draft_of("demo").published.spec.title == "A small study"


def test_own_task_can_be_chosen_for_a_cell_and_played(empty, client, draft_of):
    task = {**task_to_dict(TASKS["A-Add"]), "name": "My-Add"}
    part(empty, "own").send("revision", tasks=yaml.safe_dump([task]))
    page = part(empty, "cells").send("revision", do="add.blocks")
    assert '<option value="My-Add">' in page.answer.text
    page.send("revision", **{**LINE, "blocks.0.task": "My-Add"})
    empty.client.post("/admin/studies/winter/actions/open")
    assert draft_of("winter").published.spec.own_tasks()["My-Add"].name == "My-Add"
    assert client.get("/s/winter").status_code == 200


def test_fault_in_own_words_is_named_though_there_are_no_cells_yet(empty):
    page = part(empty, "own").send("revision", lexica="small: {}")
    assert "small." in error_at(page, "lexica")


def test_list_of_faults_leads_to_the_field_where_it_is_marked(researcher):
    part(researcher, "clocks", "demo").send("revision", **{"clocks.idle_minutes": "soon"})
    board = researcher.get("/admin/studies/demo/design")
    link = next(one for one in board.page.links if "#clocks-idle_minutes" in one)
    assert "must be a whole number" in error_at(board.get(link), "clocks.idle_minutes")


def test_lines_are_added_and_moved_and_what_stands_in_others_is_kept(researcher):
    page = part(researcher, "questions", "demo").send("revision", do="add.questions.before")
    page.send("revision", **{"questions.before.0.label": "Your age?", "do": "add.questions.before"})
    fields = page.page.form("revision").fields
    assert fields["questions.before.0.label"] == "Your age?"
    typed = {"questions.before.1.label": "Your tongue?", "do": "up.questions.before.1"}
    fields = page.send("revision", **typed).page.form("revision").fields
    labels = [fields[f"questions.before.{at}.label"] for at in (0, 1)]
    assert labels == ["Your tongue?", "Your age?"]
    fields = page.send("revision", do="remove.questions.before.0").page.form("revision").fields
    assert "questions.before.1.label" not in fields


def test_ticked_boxes_stay_and_unticked_ones_are_no(researcher, draft_of):
    page = part(researcher, "game", "demo")
    assert page.page.form("revision").fields["options.tap"] == "1"
    form = page.page.form("revision")
    del form.fields["options.tap"]
    page.client.post(form.action, data=form.fields)
    options = draft_of("demo").spec.options
    assert (options.tap, options.sort) == (False, True)


def test_second_researcher_is_refused_and_keeps_the_text(researcher, draft_of):
    page = part(researcher, "texts", "demo")
    stale = page.page.form("revision")
    part(researcher, "texts", "demo").send("revision", **{"texts.pay": "GBP 5"})
    answer = page.client.post(stale.action, data={**stale.fields, "texts.pay": "GBP 6"})
    assert answer.status_code == 409
    assert "saved by someone else (researcher)" in answer.text
    form = PageReader(answer.text).form("revision")
    assert form.fields["texts.pay"] == "GBP 6"
    assert draft_of("demo").spec.texts.pay == "GBP 5"
    page.client.post(form.action, data=form.fields)  # after seeing it, they can overwrite it
    assert draft_of("demo").spec.texts.pay == "GBP 6"


def test_form_sent_twice_is_saved_once(researcher, draft_of):
    form = part(researcher, "texts", "demo").page.form("revision")
    for _ in range(2):
        typed = {**form.fields, "texts.pay": "GBP 5"}
        answer = researcher.client.post(form.action, data=typed, follow_redirects=False)
        assert answer.status_code == 303
    assert draft_of("demo").revision == int(form.fields["revision"]) + 1


def test_form_taken_back_and_changed_is_refused_not_swallowed(researcher, draft_of):
    form = part(researcher, "texts", "demo").page.form("revision")
    answers = [
        researcher.client.post(form.action, data={**form.fields, "texts.pay": pay})
        for pay in ("GBP 5", "GBP 6")
    ]
    assert [one.status_code for one in answers] == [200, 409]
    assert PageReader(answers[1].text).form("revision").fields["texts.pay"] == "GBP 6"


def test_texts_are_shown_as_players_read_them_without_html(researcher):
    text = "Read **this** <script>alert(1)</script> with care, please."
    page = part(researcher, "texts", "demo").send("revision", **{"texts.consent": text})
    assert "<strong>this</strong> &lt;script&gt;" in page.answer.text


@pytest.mark.parametrize("target", ["javascript:alert(1)", "data:text/html,x", "vbscript:x"])
def test_link_in_a_text_that_is_no_web_page_stays_text(researcher, target):
    text = f"Read [this]({target}) with care, please."
    page = part(researcher, "texts", "demo").send("revision", **{"texts.consent": text})
    assert page.answer.status_code == 200
    assert f'href="{target}' not in page.answer.text
    assert f"[this]({target})" in page.answer.text


def test_turning_away_people_of_a_study_that_is_not_here_is_refused_in_words(researcher, server):
    page = part(researcher, "people", "demo")
    page.send("revision", **{"people.exclude_studies": "pilot", "people.quota": "5"})
    answer = researcher.client.post(
        "/admin/studies/demo/actions/publish",
        data=researcher.get("/admin/studies/demo/design").page.form("revision").fields,
    )
    assert answer.status_code == 422
    assert "people from &#39;pilot&#39;, but there is no such study" in answer.text
    with server.store.read() as db:
        assert studies.find(db, "demo").spec.people.quota is None


def test_odd_signs_are_a_fault_not_a_crash(researcher):
    page = part(researcher, "basics", "demo").send("revision", title="a\0b")
    assert page.answer.status_code == 422
    assert "cannot be stored" in page.answer.text
    fresh = researcher.get("/admin/new-study").send("title", title="a\0b")
    assert fresh.answer.status_code == 422


def test_changes_are_listed_and_published_as_version_2_once_someone_has_consented(
    researcher, walker, draft_of
):
    walker.enter()
    part(researcher, "texts", "demo").send("revision", **{"texts.pay": "GBP 9"})
    board = researcher.get("/admin/studies/demo/design")
    assert "This creates version 2 for people who start from now on" in board.answer.text
    form = next(one for one in board.page.forms if one.action.endswith("/publish"))
    board.client.post(form.action, data=form.fields)
    board = researcher.get("/admin/studies/demo/design")
    assert draft_of("demo").published.version == 2
    assert "version 2 published" in board.answer.text
    assert "texts.pay" in board.answer.text
    assert "/admin/studies/demo/design.yaml?version=1" in board.page.links


def test_page_says_that_free_fields_change_for_everyone(researcher, walker):
    walker.enter()
    part(researcher, "people", "demo").send("revision", **{"people.quota": "50"})
    text = researcher.get("/admin/studies/demo/design").answer.text
    assert "These fields change for everyone at once" in text


def test_dropping_the_changes_brings_back_what_people_get(researcher, draft_of):
    part(researcher, "texts", "demo").send("revision", **{"texts.pay": "GBP 9"})
    board = researcher.get("/admin/studies/demo/design")
    form = next(one for one in board.page.forms if one.action.endswith("/discard"))
    board.client.post(form.action, data=form.fields)
    assert not draft_of("demo").is_changed


def test_person_who_agrees_to_a_text_that_was_replaced_is_shown_the_new_one(
    researcher, client, look
):
    reader = Walker(client).get("/s/demo")
    part(researcher, "texts", "demo").send("revision", **{"texts.pay": "GBP 1"})
    board = researcher.get("/admin/studies/demo/design")
    form = next(one for one in board.page.forms if one.action.endswith("/publish"))
    board.client.post(form.action, data=form.fields)
    reader.send("answer", answer="yes")
    assert reader.answer.status_code == 409
    assert "GBP 1" in reader.answer.text
    reader.send("answer", answer="yes")
    assert reader.page.name == "instructions"
    assert look.person(reader.token).consented_at is not None


def test_unknown_section_and_study_are_not_found(researcher):
    for path in ("demo/design/nothing", "none/design", "none/design/texts", "demo/cell?key=x"):
        assert researcher.client.get(f"/admin/studies/{path}").status_code == 404


DRAFTED = "Saved as a draft. It takes effect when you publish it on the overview."


@pytest.mark.parametrize(("section", "changes"), [
    ("texts", {"texts.pay": "GBP 9"}), ("people", {"people.quota": "50"})])  # fmt: skip
def test_saving_says_whether_the_change_is_in_force(researcher, empty, section, changes):
    assert "Saved." in part(empty, section).send("revision", **changes).answer.text
    same = part(researcher, section, "demo").send("revision").answer.text
    assert "Saved." in same
    assert DRAFTED not in same
    page = part(researcher, section, "demo").send("revision", **changes)
    assert DRAFTED in page.answer.text
    assert "Saved." not in page.answer.text


SAID = [
    ("people", "You can change it at any time; the change applies once you publish it."),
    ("clocks", "A longer gap counts only up to this limit as active (paid) time."),
]


@pytest.mark.parametrize(("section", "words"), SAID)
def test_hint_says_what_a_field_does(researcher, section, words):
    assert words in part(researcher, section, "demo").answer.text


def test_only_questions_before_the_game_can_end_the_study(researcher):
    page = part(researcher, "questions", "demo").send("revision", do="add.questions.before")
    fields = page.send("revision", do="add.questions.after").page.form("revision").fields
    assert {"questions.before.0.screen_out", "questions.after.0.label"} <= {*fields}
    assert "questions.after.0.screen_out" not in fields
