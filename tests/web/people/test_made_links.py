"""Links made for people: named by their IDs, personal, signed, and for a list of given IDs."""

import csv
import html
import io

import pytest

from app.study.design.spec_parts import Options
from app.study.people import given_links
from tests.walker import Walker
from tests.web.people.listed import import_list, page_of


def links(researcher, slug, **typed):
    page = page_of(researcher, slug).send("count", **{"count": "3", **typed})
    return list(csv.reader(io.StringIO(page.answer.text)))[1:]


@pytest.mark.parametrize(
    ("names", "own", "prolific"),
    [
        (["PROLIFIC_PID", "participant"], "participant", "PROLIFIC_PID"),
        (["pid", "worker"], "pid", "pid"),
    ],
)
def test_links_name_the_id_as_the_design_reads_it(
    make_study, researcher, client, names, own, prolific
):
    make_study(slug="named", options={"id_parameters": names, "session_parameter": "sub"})
    text = page_of(researcher, "named").answer.text
    assert f"?{prolific}={{{{%PROLIFIC_PID%}}}}&amp;STUDY_ID={{{{%STUDY_ID%}}}}&amp;sub=" in text
    found = links(researcher, "named")
    assert all(link.endswith(f"/s/named?{own}={one}") for one, link in found)
    tokens = [Walker(client).enter(link).token for _, link in found]
    assert len(set(tokens)) == 3
    assert Walker(client).get(found[0][1]).token == tokens[0]


def given(researcher, slug, text, **typed):
    return page_of(researcher, slug).send("ids", ids=text, **typed)


def test_given_ids_get_links_that_lead_each_to_a_place_of_their_own(make_study, researcher, client):
    make_study(slug="named", people={"require": "signature", "groups": ["linguist"]}, per_player=1)
    text = "id\nada\nb&b + c%20d\n日本\n"
    rows = list(csv.DictReader(io.StringIO(given(researcher, "named", text).answer.text)))
    assert [row["id"] for row in rows] == ["ada", "b&b + c%20d", "日本"]
    tokens = [Walker(client).enter(row["link"]).token for row in rows]
    assert len(set(tokens)) == 3
    assert [Walker(client).get(row["link"]).token for row in rows] == tokens
    table = researcher.client.get("/admin/studies/named/recruit/identifiers.csv").text
    assert [row["external_id"] for row in csv.DictReader(io.StringIO(table))] == [
        row["id"] for row in rows
    ]
    other = rows[0]["link"].replace("=ada", "=eve")
    assert client.get(other).status_code == 403


ODD = ["a, b", "c|d", "e f; g", 'h "i", j', "k  l"]


def test_ids_with_commas_blanks_bars_and_quotes_work_from_the_link_to_the_payment(
    make_study, researcher, client, server, tmp_path
):
    make_study(slug="named", people={"require": "signature"}, per_player=1)
    quoted = ['"' + one.replace('"', '""') + '"' for one in ODD]
    for text in ("id\n" + "\n".join(quoted), "\r\n".join([*quoted[:1], ODD[1], *quoted[2:]])):
        rows = list(csv.DictReader(io.StringIO(given(researcher, "named", text).answer.text)))
        assert [row["id"] for row in rows] == ODD
    file = tmp_path / "ids.csv"
    file.write_text("\n".join(quoted), encoding="utf-8")
    assert given_links.read_ids(file.read_text(encoding="utf-8"), Options()) == ODD
    for row in rows:
        Walker(client).enter(row["link"])
    lines = [f"{one},Awaiting review," for one in quoted]
    page = import_list(researcher, "named", "\n".join(["Participant ID,Status,Code", *lines]))
    assert f"{len(ODD)} new" in page.answer.text
    assert "not in the file" not in page.answer.text
    for name, column in (("queues", "external_id"), ("payments", "external_id")):
        table = researcher.client.get(f"/admin/studies/named/recruit/{name}.csv").text
        assert {row[column] for row in csv.DictReader(io.StringIO(table))} == set(ODD)
    for one in ODD:
        found = researcher.client.get("/admin/search", params={"q": one}).text
        assert f"<td>{html.escape(one, quote=True)}</td>".replace("&quot;", "&#34;") in found


@pytest.mark.parametrize("line", ["a, b", "a;b", "a\tb", '"a","b"', '"a, b";c'])
def test_a_line_with_a_comma_that_may_be_two_columns_is_refused_with_what_to_do(
    make_study, researcher, line
):
    make_study(slug="named")
    page = given(researcher, "named", f"p1\n{line}\n")
    assert page.answer.status_code == 422
    words = html.unescape(page.answer.text)
    assert "line 2: " in words
    assert "put it in quotation marks" in words


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ({"text": ""}, "one per line"),
        ({"text": "p1\nnull\n"}, "line 2: "),
        ({"text": "p1", "days": "x"}, "number of days"),
        ({"text": "p1", "group": "other"}, "no such group"),
    ],
)
def test_given_ids_that_cannot_get_links_are_refused_and_kept(
    make_study, researcher, typed, message
):
    make_study(slug="named")
    page = given(researcher, "named", **typed)
    assert page.answer.status_code == 422
    assert message in page.answer.text
    assert f"\n{typed['text']}</textarea>" in page.answer.text


def test_personal_links_are_refused_in_words_where_the_design_reads_no_id(make_study, researcher):
    make_study(slug="plain", options={"id_parameters": []})
    page = page_of(researcher, "plain").send("count", count="3")
    assert page.answer.status_code == 422
    assert "reads no ID from the link" in page.answer.text


def test_a_group_of_the_design_is_kept_and_any_other_is_not(make_study, researcher, client, look):
    make_study(slug="two", people={"groups": ["linguist", "crowdworker"]}, per_player=1)
    text = page_of(researcher, "two").answer.text
    assert "/s/two?group=linguist" in text
    for query in ("SESSION_ID={{%SESSION_ID%}}", "?workerId=..."):
        assert f"{query}</code>" in text
        assert f"{query}&amp;group=linguist</code>" in text
    assert "A group is a tag for the export. It does not choose what people play." in text
    link = links(researcher, "two", group="crowdworker")[0][1]
    tags = [
        look.person(Walker(client).enter(one).token).tag
        for one in (link, "/s/two?group=linguist", "/s/two?group=other", "/s/two")
    ]
    assert tags == ["crowdworker", "linguist", "", ""]
    table = researcher.client.get("/admin/studies/two/download/participant/csv").text
    assert [row["tag"] for row in csv.DictReader(io.StringIO(table))] == tags


def test_links_of_no_group_of_the_design_are_refused(make_study, researcher):
    make_study(slug="two", people={"groups": ["linguist"]}, per_player=1)
    page = page_of(researcher, "two").send("count", count="1", group="other")
    assert page.answer.status_code == 422
