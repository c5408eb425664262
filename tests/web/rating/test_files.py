"""Files of explanations and judge scores: previewed, checked line by line, stored once."""

import json
import re

import pytest

from app.store.design import variants
from app.store.rating import items, judges
from app.study import ground_truth
from app.study.rating import player_items
from app.study.tickets import new_ticket
from tests.rating_desk import model_line
from tests.walker import one_line

OWN = "/admin/studies/demo/rating"


@pytest.fixture
def boss(desk):
    return desk.browser("boss", "researcher")


def send(boss, kind, text, **fields):
    """Upload a file to the preview; return the response."""
    return boss.client.post(f"{OWN}/{kind}", data={"text": text, **fields})


def confirm(boss, kind, page):
    """Press 'Store' on a preview."""
    from tests.walker import PageReader

    form = PageReader(page.text).form("ticket")
    return boss.client.post(form.action, data=form.fields, follow_redirects=False)


def json_lines(*lines):
    return "\n".join(json.dumps(line) for line in lines)


def wrong(answer):
    """Return {line: what is wrong} of a preview."""
    rows = re.findall(r'<tr><td class="num">(\d+)</td><td>(.*?)</td></tr>', one_line(answer.text))
    return {int(line): text for line, text in rows}


def test_a_file_is_previewed_and_nothing_stored_before_it_is_confirmed(desk, boss):
    answer = send(boss, "models", json_lines(model_line(0), model_line(1)))
    assert answer.status_code == 200
    assert "Nothing is stored yet." in answer.text
    assert desk.items() == []
    assert confirm(boss, "models", answer).status_code == 303
    assert [row.external_id for row in desk.items()] == ["m0", "m1"]


def test_confirming_twice_stores_once(desk, boss):
    page = send(boss, "models", json_lines(model_line(0)))
    answers = [confirm(boss, "models", page) for _ in range(2)]
    assert {one.headers["location"] for one in answers} == {f"{OWN}?new=1&same=0"}
    assert len(desk.items()) == 1


def test_texts_come_through_byte_for_byte(desk, boss):
    text = 'two\nlines, a "quote", =1+1, tab\tend, ünï 🎉 \u05d0'
    csv = "id,source,task,seed,text\n" + 'x,gpt,A-Over,1,"' + text.replace('"', '""') + '"\n'
    confirm(boss, "models", send(boss, "models", csv.replace("\n", "\r\n")))
    assert desk.items()[0].text == text


HEAD = "id,source,task,seed,text,inputs,output,how"
PARTS = {"inputs": "class", "output": "", "how": "by table"}
WHOLE = player_items.labelled(PARTS)
IN_PARTS = {
    "CSV": f"{HEAD}\nx,gpt,A-Over,1,,class,,by table\n",
    "CSV with the same text": f'{HEAD}\nx,gpt,A-Over,1,"{WHOLE}",class,,by table\n',
    "JSON": json_lines({**model_line(0, id="x"), "text": "", **PARTS}),
    "JSON with the same text": json_lines({**model_line(0, id="x"), "text": WHOLE, **PARTS}),
}


@pytest.mark.parametrize("form", IN_PARTS)
def test_three_parts_are_stored_as_the_players_own_form_would_be(desk, boss, form):
    confirm(boss, "models", send(boss, "models", IN_PARTS[form]))
    assert desk.items()[0].text == WHOLE
    assert "Which traits matter: class" in WHOLE


@pytest.mark.parametrize("form", ["CSV", "JSON"])
def test_a_text_that_differs_from_its_parts_is_refused(desk, boss, form):
    line = {**model_line(0, id="x"), "text": "Other.", **PARTS}
    csv = f"{HEAD}\nx,gpt,A-Over,1,Other.,class,,by table\n"
    answer = send(boss, "models", csv if form == "CSV" else json_lines(line))
    [said] = wrong(answer).values()
    assert "differs from the parts in inputs, output, how" in said
    assert desk.items() == []


def test_an_uploaded_file_is_read_with_a_byte_order_mark_and_semicolons(desk, boss):
    body = "\ufeffid;source;task;seed;text\na;gpt;A-Over;1;Rule.\n".encode()
    page = boss.client.post(f"{OWN}/models", files={"file": ("a.csv", body, "text/csv")})
    confirm(boss, "models", page)
    assert [(row.external_id, row.source) for row in desk.items()] == [("a", "gpt")]


def test_every_wrong_line_is_reported_and_nothing_can_be_stored(desk, boss):
    lines = [
        model_line(0),
        model_line(1, id="m0"),
        model_line(2, id=""),
        model_line(3, task="X-Add"),
        model_line(4, seed="many"),
        model_line(5, text="  "),
        model_line(6, source="players"),
        model_line(7, variant_hash="no such hash"),
        model_line(8, coverage="3"),
        model_line(9, id="abc-w1-r1"),
    ]
    text = json_lines(*lines) + "\n{not json\n[1]\n"
    answer = send(boss, "models", text)
    assert answer.status_code == 422
    assert sorted(wrong(answer)) == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    assert "is already on line 1" in wrong(answer)[2]
    assert "Store" not in re.sub("<title>.*?</title>", "", answer.text)
    again = {"text": text, "ticket": new_ticket()}
    assert boss.client.post(f"{OWN}/models/store", data=again).status_code == 422
    assert desk.items() == []


def test_csv_lines_of_another_length_are_reported_by_their_line(boss):
    csv = 'id,source,task,seed,text\na,g,A-Over,1,"one\ntwo"\nb,g,A-Over,1\nc,g,A-Over,1,x\n'
    assert wrong(send(boss, "models", csv)) == {
        4: "4 values, but the header names 5 columns; leave the place of a missing value empty"
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The file is empty"),
        ("id,source\na,b\n", "Missing columns: text, task and seed, or variant_hash"),
        ("id,id\na,b\n", "each with a different name"),
        ("id,source,task,seed,text\n", "No row below the header can be read"),
        ('{"id": 1', "Line 1: this is not JSON"),
        ('id,source,task,seed,text\na,"b\n', "is a quotation mark missing?"),
        ("id,source,task,seed,text\na,b,A-Over,1,\x00\n", "cannot be stored"),
    ],
)
def test_a_file_that_is_none_is_refused_in_words(boss, text, message):
    answer = send(boss, "models", text)
    assert answer.status_code == 422
    assert message in answer.text


def test_the_same_file_again_is_reported_and_another_text_of_one_id_is_refused(desk, boss):
    desk.models(3)
    answer = send(boss, "models", json_lines(*(model_line(n) for n in range(4))))
    assert "<dt>already stored</dt><dd>3</dd>" in one_line(answer.text)
    confirm(boss, "models", answer)
    assert len(desk.items()) == 4
    answer = send(boss, "models", json_lines(model_line(0, text="Something else.")))
    assert "already stored with a different text" in wrong(answer)[1]


def test_items_of_the_studys_own_worlds_have_its_very_variants(desk, boss):
    desk.models(2)
    hashes = {row.task: row.variant_hash for row in desk.items()}
    assert hashes["A-Over"] == desk.study.hashes["A-Over/1/semantic/1"]
    desk.import_models([model_line(0, id="other", seed=77)])
    with desk.store.read() as db:
        row = items.known(db, desk.study.id)["other"]
        assert json.loads(variants.content(db, row.variant_hash))["seed"] == 77


def test_items_can_be_taken_away_with_their_rules(desk, boss):
    desk.models(2)
    answer = boss.client.get(f"{OWN}/items.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    head, first = answer.text.splitlines()[:2]
    assert head == "item,source,task,seed,lexicon,coverage,text,rule,rule_version,text_shown"
    assert "decide which item must be bought" in answer.text
    assert first.endswith(f",{ground_truth.VERSION},Explanation number 0: the class decides.")


def test_judge_scores_are_previewed_counted_and_stored(desk, boss):
    desk.models(3)
    lines = [
        {"item": "m0", "score": 2, "model": "a", "prompt_version": "1", "raw": "Score 2"},
        {"item": "m1", "score": 0, "model": "a", "prompt_version": "1"},
        {"item": "m0", "inputs": 1, "output": 2, "structure": 0, "generality": 1, "model": "b"},
    ]
    page = send(boss, "judges", json_lines(*lines))
    assert page.status_code == 200
    assert confirm(boss, "judges", page).headers["location"] == f"{OWN}?new=3&same=0"
    with desk.store.read() as db:
        runs = judges.runs(db, desk.study.id)
        scores = [judges.scores(db, run.id) for run in runs]
    assert [(run.judge, run.model, run.prompt_version, run.kind) for run in runs] == [
        ("a", "a", "1", "file"),
        ("b", "b", "", "file"),
    ]
    assert [(one.external_id, one.score, one.raw) for one in scores[0]] == [
        ("m0", 2, "Score 2"),
        ("m1", 0, ""),
    ]
    assert (scores[1][0].score, scores[1][0].structure) == (None, 0)


@pytest.mark.parametrize(
    "score", ["3", "1.5", "", "yes", "-1", "٢"], ids=["3", "1.5", "none", "yes", "-1", "arabic"]
)
def test_a_malformed_answer_is_recorded_as_such_and_never_guessed(desk, boss, score):
    desk.models(1)
    line = {"item": "m0", "score": score, "model": "a", "raw": "I would say so"}
    page = send(boss, "judges", json_lines(line))
    assert "Malformed answers by a: 1." in page.text
    confirm(boss, "judges", page)
    with desk.store.read() as db:
        (run,) = judges.runs(db, desk.study.id)
        (row,) = judges.scores(db, run.id)
    assert (run.ok, run.malformed) == (0, 1)
    assert (row.status, row.score, row.raw) == ("malformed", None, "I would say so")
    assert row.problem


def test_wrong_lines_of_judge_files_are_reported(desk, boss):
    desk.models(2)
    lines = [
        {"item": "m0", "score": 1, "model": "a"},
        {"item": "m0", "score": 2, "model": "a"},
        {"item": "nobody", "score": 1, "model": "a"},
        {"item": "m1", "score": 1},
    ]
    answer = send(boss, "judges", json_lines(*lines))
    assert answer.status_code == 422
    assert sorted(wrong(answer)) == [2, 3, 4]
    named = send(boss, "judges", json_lines(lines[3]), judge="mine")
    assert named.status_code == 200
    assert "mine" in named.text


def test_a_second_opinion_of_one_judge_is_refused_but_a_second_judge_is_welcome(desk, boss):
    desk.models(2)
    desk.judge({"m0": 1, "m1": 2})
    line = {"item": "m0", "score": 2, "model": "judge"}
    assert (
        "already has a different score for &#39;m0&#39;"
        in send(boss, "judges", json_lines(line)).text
    )
    again = {"item": "m0", "score": 1, "model": "judge"}
    preview_text = one_line(send(boss, "judges", json_lines(again)).text)
    assert "<dt>already stored</dt><dd>1</dd>" in preview_text
    desk.judge({"m0": 2}, prompt_version="2")
    with desk.store.read() as db:
        runs = judges.runs(db, desk.study.id)
        assert sorted(judges.labels(runs).values()) == ["judge", "judge 2"]
