"""People by treatment on the pages of a study whose treatments differ between people."""

import re

import pytest

from tests.walker import Walker, one_line

BLOCKS = [
    {"task": task, "seeds": "0-1", "lexicon": words}
    for task in ("A-Comp", "P-Over")
    for words in ("semantic", "nonce")
]
STUDY = {"blocks": BLOCKS, "per_player": 2, "people": {"quota": 40}}


def row(name, *numbers):
    cells = "".join(f'<td class="num">{number}</td>' for number in numbers)
    return f'<th scope="row" class="named">{name}</th>{cells}'


@pytest.fixture
def study(make_study, client):
    make_study(slug="words", between="lexicon", **STUDY)
    for _ in range(3):
        Walker(client).enter("/s/words")


@pytest.mark.parametrize("page", ["", "/monitor"])
def test_people_are_counted_by_treatment_not_by_world(study, researcher, page):
    text = one_line(researcher.get(f"/admin/studies/words{page}").answer.text).replace("> <", "><")

    assert row("semantic", 0, 1) in text or row("semantic", 0, 2) in text
    assert text.count(row("semantic", 0, 1)) + text.count(row("nonce", 0, 1)) == 1
    assert text.count(row("semantic", 0, 2)) + text.count(row("nonce", 0, 2)) == 1


def test_treatment_is_on_a_persons_page(study, researcher):
    page = researcher.get("/admin/studies/words")
    link = next(one for one in page.page.links if one.startswith("/admin/participants/"))
    text = one_line(page.get(link).answer.text)

    assert "<dt>Treatment</dt><dd>lexicon: " in text.replace("> <", "><")


def test_treatment_stands_where_people_are_listed_and_in_the_head_of_their_replay(
    study, researcher
):
    words = r"(real words \(semantic\)|made-up words \(nonce\))"
    page = researcher.get("/admin/studies/words")
    link = next(one for one in page.page.links if one.startswith("/admin/participants/"))
    listed = page.answer.text.partition('id="people-h"')[2].partition("</section>")[0]
    under_way = researcher.get("/admin/studies/words/monitor").answer.text
    for text in (listed, under_way.partition('id="now-table"')[2].partition("</table>")[0]):
        assert '<th scope="col">Treatment</th>' in text
        assert len(re.findall(f'<td class="named">{words}</td>', text)) == 3
    replay = researcher.get(f"{link}/replay").answer.text
    own = re.search(f"<p>Treatment: {words}</p>", replay)
    assert own is not None
    assert f"<dd>lexicon: {own[1]}</dd>" in one_line(researcher.get(link).answer.text).replace(
        "> <", "><"
    ).replace("<dd> ", "<dd>").replace(" </dd>", "</dd>")


def test_design_says_how_many_people_get_each_treatment(study, researcher):
    text = one_line(researcher.get("/admin/studies/words/design").answer.text)

    assert "one lexicon: semantic (4 worlds), nonce (4 worlds). About 20 of 40 people get" in text


@pytest.mark.parametrize("page", ["", "/monitor"])
def test_study_without_treatments_has_no_such_table(researcher, page):
    text = researcher.get(f"/admin/studies/demo{page}").answer.text
    assert "People by treatment" not in text
    assert ">Treatment<" not in text
