"""New studies: empty, the paper's design, a copy, from a file; and a design as a YAML file."""

import html

import pytest

from app.game.tasks import TASK_NAMES
from app.study.design import studies, treatment_checks
from app.study.design.check_item import FINE
from app.study.design.examples import EXAMPLES
from app.study.design.spec import parse_study
from tests.walker import PageReader
from tests.web.design.designing import error_at, part


def test_new_study_form_taken_back_and_changed_is_asked_again(researcher):
    form = researcher.get("/admin/new-study").page.form("title")
    for title in ("One", "Two"):
        answer = researcher.client.post(form.action, data={**form.fields, "title": title})
    assert answer.status_code == 422
    again = PageReader(answer.text).form("title")
    assert again.fields["title"] == "Two"
    answer = researcher.client.post(again.action, data=again.fields)
    assert answer.url.path == "/admin/studies/two/design"


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_beside_the_field_is_put_into_it_and_makes_a_study_that_opens(
    researcher, draft_of, name
):
    page, text = researcher.get("/admin/new-study"), EXAMPLES[name].text
    assert page.page.form("text").fields["text"] == ""
    assert text in html.unescape(page.answer.text)

    page.get(f"/admin/new-study?example={name}")
    assert page.page.form("text").fields["text"] == text
    page.send("text")
    slug = parse_study(text).slug
    assert page.url == f"/admin/studies/{slug}/design"
    assert draft_of(slug).spec == parse_study(text)
    assert page.get(f"/admin/studies/{slug}/open").send("ticket").answer.status_code == 200
    assert "I agree, start" in page.client.get(f"/s/{slug}").text


def test_example_has_enough_worlds_to_test_its_treatment():
    spec = parse_study(EXAMPLES["treatments"].text)
    assert spec.between == "lexicon"
    assert [one.level for one in treatment_checks.pairs(spec)] == [FINE]


def test_unknown_example_leaves_the_field_empty(researcher):
    page = researcher.get("/admin/new-study?example=nothing")
    assert page.page.form("text").fields["text"] == ""


def test_yaml_downloaded_and_sent_back_is_the_same_design(researcher, draft_of):
    text = researcher.client.get("/admin/studies/demo/design.yaml").text
    assert parse_study(text) == draft_of("demo").spec
    page = part(researcher, "file", "demo").send("text", text=text.replace("GBP 4", "GBP 8"))
    assert page.url == "/admin/studies/demo/design"
    assert draft_of("demo").spec.texts.pay == "GBP 8 for about 20 minutes"


def test_unfinished_design_is_a_file_too(researcher):
    researcher.get("/admin/new-study").send("title", title="Winter")
    text = part(researcher, "file").page.form("text").fields["text"]
    assert "You are invited" in text
    assert researcher.client.get("/admin/studies/winter/design.yaml").text == text
    page = part(researcher, "file").send("text", text="")  # shows what was there
    assert page.page.form("text").fields["text"] == text


def test_yaml_file_can_be_uploaded_and_counts_before_the_text(researcher, draft_of):
    form = part(researcher, "file", "demo").page.form("text")
    text = form.fields["text"].replace("GBP 4", "GBP 7").encode()
    files = {"file": ("study.yaml", text, "application/yaml")}
    researcher.client.post(form.action, data=form.fields, files=files)
    assert draft_of("demo").spec.texts.pay == "GBP 7 for about 20 minutes"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("kind: pilot", "kind: serious"), "kind: must be one of"),
        (("slug: demo", "slug: other"), "this study is &#39;demo&#39;"),
        (("title:", "colour: red\ntitle:"), "colour: there is no such field"),
        (("kind: pilot", "kind: [pilot"), "This is not YAML"),
    ],
)
def test_wrong_yaml_is_refused_whole_and_kept_on_the_page(researcher, draft_of, change, message):
    page = part(researcher, "file", "demo")
    before, text = draft_of("demo"), page.page.form("text").fields["text"].replace(*change)
    page.send("text", text=text)
    assert page.answer.status_code == 422
    assert message in page.answer.text
    assert page.page.form("text").fields["text"] == text
    assert draft_of("demo").document == before.document


def test_paper_shape_is_one_click_and_a_second_one_gets_an_address_of_its_own(researcher, draft_of):
    for slug in ("paper", "paper-2"):
        page = researcher.get("/admin/new-study")
        form = next(one for one in page.page.forms if one.fields.get("start") == "paper")
        page.client.post(form.action, data=form.fields)
        spec = draft_of(slug).spec
        assert {cell.task for cell in spec.cells()} == set(TASK_NAMES)
        assert (len(spec.cells()), spec.per_player, spec.people.quota) == (8, 8, 7)
        assert (spec.order, spec.rule_form.when) == ("latin", "episode")


def test_copy_asks_for_codes_of_its_own(make_study, researcher, draft_of):
    make_study(
        slug="coded", codes={"kind": "static", "finished": "OLDCODE", "screened_out": "OLDOUT"}
    )
    page = researcher.get("/admin/new-study?start=copy:coded")
    page.send("title", title="Again", slug="again")
    assert draft_of("again").document["codes"]["kind"] == "static"
    assert "OLD" not in str(draft_of("again").document)
    board = " ".join(researcher.get("/admin/studies/again/design").page.text)
    assert "enter the static code" in board


def test_copy_begins_with_the_design_of_another(researcher, draft_of):
    page = researcher.get("/admin/new-study?start=copy:demo")
    assert page.page.form("title").fields["start"] == "copy:demo"
    page.send("title", title="Second round", slug="second")
    same, old = draft_of("second").spec, draft_of("demo").spec
    assert (same.blocks, same.texts, same.title) == (old.blocks, old.texts, "Second round")


@pytest.mark.parametrize(
    ("typed", "field", "message"),
    [
        ({"title": "", "slug": ""}, "title", "is missing"),
        ({"title": "x", "slug": "Not OK"}, "slug", "use only a-z"),
        (
            {"title": "x", "slug": "demo"},
            "slug",
            "&#39;demo&#39; is taken by another study. &#39;demo-2&#39; is free.",
        ),
        ({"title": "x", "start": "copy:none"}, "start", "There is no study"),
    ],
)
def test_new_study_names_the_wrong_field(researcher, typed, field, message):
    page = researcher.get("/admin/new-study").send("title", **typed)
    assert page.answer.status_code == 422
    assert message in error_at(page, field)
    assert page.page.form("title").fields["title"] == typed["title"]


def test_new_study_from_a_file_is_a_draft(researcher, draft_of, server):
    text = "slug: filed\ntitle: Filed\nblocks: [{task: A-Add, seeds: 0}]\n"
    page = researcher.get("/admin/new-study").send("text", text=text)
    assert page.url == "/admin/studies/filed/design"
    with server.store.read() as db, pytest.raises(studies.NoStudyError):
        studies.find(db, "filed")
    assert [cell.key for cell in draft_of("filed").spec.cells()] == ["A-Add/0/semantic/1"]


def test_file_with_several_errors_lists_each_of_them_as_a_link(researcher):
    text = "slug: a\ntitle: A\nparticipants: 3\nblocks: [{task: A-Add, seeds: 0-}]\n"
    page = researcher.get("/admin/new-study").send("text", text=text)
    html = " ".join(page.answer.text.split())
    notice = html.partition('id="text-error"')[2].partition("</div>")[0]
    assert notice.count('<li><a href="#text">') == 2
    assert ("`" in notice, notice.count("<code>")) == (False, 1)
    for start in ("blocks.0.seeds: ", "participants: there is no such field. Did you mean"):
        assert f'<li><a href="#text">{start}' in notice


def test_taken_address_keeps_what_was_typed_and_the_free_one_works(researcher, draft_of):
    page = researcher.get("/admin/new-study")
    page.send("title", title="My title", slug="demo", start="paper")
    assert page.answer.status_code == 422
    fields = page.page.form("title").fields
    assert (fields["title"], fields["slug"], fields["start"]) == ("My title", "demo", "paper")
    assert page.send("title", slug="demo-2").url == "/admin/studies/demo-2/design"
    text = "slug: demo\ntitle: Filed\nblocks: [{task: A-Add, seeds: 0}]\n"
    page.get("/admin/new-study").send("text", text=text)
    assert "&#39;demo-3&#39; is free" in page.answer.text
    assert page.page.form("text").fields["text"].strip() == text.strip()
