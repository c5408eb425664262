"""The export page, bundles over HTTP, and free texts to release or withhold."""

import csv
import io
import json
import re
import zipfile

import pytest

from app.store.export.releases import text_release
from app.web import export
from tests.study.story import Story
from tests.walker import one_line

TEXT = "My mother's name decides, I live in Leeds"


@pytest.fixture
def story(server):
    story = Story(server.store)
    token = story.enter(platform="prolific_pid", external_id="5f3c9d2e1b")
    story.win(token, 0, 0)
    story.explain(token, 0, 0, inputs=TEXT, how="like 5f3c9d2e1b", confidence="50")
    story.win(token, 0, 1)
    story.explain(token, 0, 1, inputs="Only the class", confidence="50")
    return story


@pytest.fixture
def client(researcher, story):
    return researcher.client


URL = "/admin/studies/story"


def bundle(client, query=""):
    answer = client.get(f"{URL}/bundle.zip{query}")
    assert answer.status_code == 200
    return zipfile.ZipFile(io.BytesIO(answer.content))


def explanations(archive):
    data = archive.read("data/study-story_level-explanation_data.csv").decode()
    return list(csv.DictReader(io.StringIO(data, newline="")))


def form(client):
    """Return the hidden fields of the page of texts, and the names of its texts."""
    text = client.get(f"{URL}/texts").text
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', text))
    return fields, [name.removeprefix("hash-") for name in fields if name.startswith("hash-")]


def decide(client, *states):
    """Decide on the first texts: explanations, then commands that were not understood."""
    fields, names = form(client)
    chosen = {f"decision-{name}": state for name, state in zip(names, states, strict=False)}
    return client.post(f"{URL}/texts", data={**fields, **chosen}, follow_redirects=False)


def test_page_offers_bundle_tables_and_the_two_with_ids_apart(client):
    text = client.get(f"{URL}/exports").text
    assert "Free texts: 10 unreviewed, 0 released, 0 withheld." in text
    assert "<small>a variant assigned to a participant</small>" in text
    assert text.count("start here") == 3
    for link in ("download/turn/jsonl", "recruit/identifiers.csv", "recruit/payments.csv"):
        assert f'href="{URL}/{link}"' in text


@pytest.mark.parametrize("name", ["identifiers", "payments"])
def test_tables_with_ids_are_downloaded_with_the_id_in_them(client, name):
    answer = client.get(f"{URL}/recruit/{name}.csv")
    assert answer.status_code == 200
    (row,) = csv.DictReader(io.StringIO(answer.text, newline=""))
    assert (row["platform"], row["external_id"]) == ("prolific_pid", "5f3c9d2e1b")


def test_bundle_over_http_is_whole(client):
    archive = bundle(client)
    manifest = json.loads(archive.read("manifest.json"))
    assert manifest["free_text"]["explanation"]["unreviewed"] == 2
    assert explanations(archive)[0]["inputs"] == TEXT
    assert bundle(client, "?format=jsonl").testzip() is None
    assert client.get(f"{URL}/bundle.zip?format=xml").status_code == 404


def test_shareable_bundle_leaves_out_what_no_one_has_released(client):
    found = explanations(bundle(client, "?shareable=1"))
    assert [(row["inputs"], row["how"]) for row in found] == [("", "")] * 2
    assert [row["text_reason"] for row in found] == ["unreviewed"] * 2
    assert [row["confidence"] for row in found] == ["50", "50"]


def test_released_text_is_shared_but_never_one_with_an_id_in_it(client):
    assert decide(client, "released", "released").status_code == 303
    found = explanations(bundle(client, "?shareable=1"))
    assert [row["inputs"] for row in found] == ["", "Only the class"]
    assert [row["text_reason"] for row in found] == ["holds_an_id", ""]
    assert {row["release"] for row in found} == {"released"}


def test_withheld_text_stays_in_the_plain_bundle_alone(client):
    decide(client, "", "withheld")
    assert [row["release"] for row in explanations(bundle(client))] == ["unreviewed", "withheld"]
    assert explanations(bundle(client, "?shareable=1"))[1]["inputs"] == ""


def test_decision_is_logged_once_however_often_the_form_is_sent(client, server):
    fields, names = form(client)
    data = {**fields, f"decision-{names[1]}": "released", "note": "no names"}
    for _ in range(2):
        client.post(f"{URL}/texts", data=data)
    with server.store.read() as db:
        (row,) = db.execute(text_release.select()).all()
    assert (row.state, row.note, row.kind) == ("released", "no names", "explanation")
    assert row.made_by


def test_one_choice_decides_on_all_commands_of_the_page_that_have_none_of_their_own(client, server):
    fields, names = form(client)
    commands = [name for name in names if name.startswith("turn-")]
    assert len(commands) > 2
    own = {f"decision-{commands[0]}": "withheld"}
    client.post(f"{URL}/texts", data={**fields, **own, "all-commands": "released"})
    with server.store.read() as db:
        rows = db.execute(text_release.select().order_by(text_release.c.id)).all()
    states = {f"{row.kind}-{row.row_id}": row.state for row in rows}
    assert states == dict.fromkeys(commands, "released") | {commands[0]: "withheld"}


def test_text_that_was_changed_since_it_was_read_is_not_released(client):
    fields, names = form(client)
    data = {**fields, f"hash-{names[1]}": "0" * 64, f"decision-{names[1]}": "released"}
    answer = client.post(f"{URL}/texts", data=data)
    assert answer.status_code == 422
    assert "Texts changed since you read them: " in answer.text


def test_nothing_chosen_and_nonsense_are_refused_in_words(client):
    fields, names = form(client)
    assert "at least one" in client.post(f"{URL}/texts", data=fields).text
    odd = client.post(f"{URL}/texts", data={**fields, f"decision-{names[0]}": "maybe"})
    assert odd.status_code == 422


def test_texts_of_one_state_are_shown_alone(client):
    decide(client, "released", "")
    assert TEXT not in client.get(f"{URL}/texts").text
    assert "Leeds" in client.get(f"{URL}/texts?state=released").text


WARNING = "left out even if you release it"


def test_page_says_which_texts_are_left_out_even_if_released(client, story):
    assert client.get(f"{URL}/texts").text.count(WARNING) == 1  # the one with the ID
    token = story.enter()
    story.win(token, 0, 0)
    story.explain(token, 0, 0, inputs="to anna (at) uni [dot] example", how="no", confidence="50")
    assert client.get(f"{URL}/texts").text.count(WARNING) == 2


def test_words_that_may_be_names_stand_above_a_text_but_not_those_of_the_study(client, story):
    marked = "May be names of people or places: <strong>"
    assert one_line(client.get(f"{URL}/texts").text).count(marked) == 1  # Leeds, in a first text
    token = story.enter()
    story.win(token, 0, 0)
    story.explain(token, 0, 0, inputs="as Erika from Köln told me", how="no", confidence="50")
    text = one_line(client.get(f"{URL}/texts").text)
    assert f"{marked}Leeds</strong>" in text
    assert f"{marked}Erika, Köln</strong>" in text


def test_deidentification_report_is_shown_before_the_download(client):
    decide(client, "released", "released")
    text = one_line(client.get(f"{URL}/deidentification").text)
    assert '<td>explanation</td><td>holds_an_id</td><td class="num">1</td>' in text
    assert '<td>turn</td><td>unreviewed</td><td class="num">8</td>' in text
    assert "turn.received_ms" in text
    text = client.get(f"{URL}/deidentification?times=day&shuffle=1").text
    assert "turn.received_ms" not in text
    assert "People are in random order." in text
    for query in ("times=noon", "coarsen_age=1"):
        assert client.get(f"{URL}/deidentification?{query}").status_code == 400


def test_pages_say_before_the_bundle_is_made_what_nobody_reads_text_by_text(
    client, story, monkeypatch
):
    nothing = "Nothing was found in what is not released text by text"
    assert nothing in one_line(client.get(f"{URL}/exports").text)
    assert nothing in one_line(client.get(f"{URL}/deidentification").text)
    story.enter(group="write-to ada@uni.example")
    exports = one_line(client.get(f"{URL}/exports").text)
    found = "Found in what is not released text by text: an e-mail address in 1 row or text;"
    assert found in exports
    readme = bundle(client, "?shareable=1").read("README.md").decode()
    assert found in readme
    report = one_line(client.get(f"{URL}/deidentification").text)
    assert found in report
    assert "<td>participant</td><td>tag</td><td>an e-mail address</td>" in report
    assert "change it where it comes from" in report
    assert "`" not in exports + report
    assert "<code>deidentification.md</code> lists these places" in exports
    monkeypatch.setattr(export, "FEW_TURNS", 0)
    large = one_line(client.get(f"{URL}/exports").text)
    assert found not in large
    assert "see where something was found in them" in large


def test_coarser_times_are_only_for_shareable_bundles(client):
    manifest = json.loads(bundle(client, "?shareable=1&times=day&shuffle=1").read("manifest.json"))
    assert manifest["coarse"] == {"times": "day", "bands": {}, "shuffled": True}
    assert client.get(f"{URL}/bundle.zip?times=day").status_code == 400
