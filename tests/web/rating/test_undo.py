"""Wrong files can be deleted, and odd ones are read or refused for their true cause."""

import pytest

from app.store.rating import judges
from app.study.design import publishing
from tests.rating_desk import model_line
from tests.walker import one_line
from tests.web.rating.test_files import OWN, confirm, json_lines, send, wrong


@pytest.fixture
def boss(desk):
    return desk.browser("boss", "researcher")


def scores_of(desk, name):
    """Return {item: (status, score, problem)} of a judge."""
    with desk.store.read() as db:
        run = next(run for run in judges.runs(db, desk.study.id) if run.judge == name)
        found = judges.scores(db, run.id)
    return {row.external_id: (row.status, row.score, row.problem) for row in found}


def log_of(desk):
    with desk.store.read() as db:
        return [line for one in publishing.history(db, desk.study.id) for line in one.changes]


def delete(boss, kind, **fields):
    from tests.walker import PageReader

    page = PageReader(boss.client.get(OWN).text)
    form = next(one for one in page.forms if one.action == f"{OWN}/{kind}/delete")
    return boss.client.post(form.action, data={**form.fields, **fields})


JUDGED = [
    ("item,judge,score\nm0,j,2.0\nm1,j,1.0\nm2,j,\n", {"m0": 2, "m1": 1, "m2": "no score"}),
    ("item;judge;score\nm0;j;2,0\nm1;j;01\nm2;j;NA\n", {"m0": 2, "m1": 1, "m2": "no score"}),
    ("item,judge,score\nm0,j,02\nm1,j,+1\n", {"m0": 2, "m1": 1}),
    (",Item,Judge,Score\n0,m0,j,2\n1,m1,j,0\n", {"m0": 2, "m1": 0}),
    (
        (
            '{"item":"m0","judge":"j","score":2.0}\n{"item":"m1","judge":"j","score":NaN}\n'
            '{"item":"m2","judge":"j","score":true}\n'
        ),
        {"m0": 2, "m1": "no score", "m2": "not 0, 1 or 2: score 'true'"},
    ),
    (
        '[{"item":"m0","judge":"j","score":2},\n{"item":"m1","judge":"j","score":1}]',
        {"m0": 2, "m1": 1},
    ),
    (
        '```json\n{"item":"m0","judge":"j","score":2}\n{"item":"m1","judge":"j","score":null}\n```',
        {"m0": 2, "m1": "no score"},
    ),
    (json_lines({"item": "m0", "judge": "j", "raw": '```json\n{"score": 2}\n```'}), {"m0": 2}),
    (json_lines({"item": "m0", "judge": "j", "raw": "I would say 2."}), {"m0": "no score"}),
    (
        json_lines({"item": "m0", "judge": "j", "raw": '{"score": 7}'}),
        {"m0": "not 0, 1 or 2: score '7'"},
    ),
]


@pytest.mark.parametrize(("text", "wanted"), JUDGED, ids=range(len(JUDGED)))
def test_scores_mean_the_same_in_every_usual_form(desk, boss, text, wanted):
    desk.models(3)
    confirm(boss, "judges", send(boss, "judges", text))
    found = {
        name: score if status == "ok" else problem
        for name, (status, score, problem) in scores_of(desk, "j").items()
    }
    assert found == wanted


def test_a_wrong_judge_is_deleted_with_a_line_in_the_history_and_can_come_again(desk, boss):
    desk.models(2)
    desk.judge({"m0": 1, "m1": 2})
    assert (
        "already has a different score"
        in send(boss, "judges", '{"item":"m0","score":2,"judge":"judge","model":"judge"}').text
    )
    done = delete(boss, "judges")
    assert "Deleted: 2." in done.text
    assert ("scores of the judge judge", "2", "deleted") in log_of(desk)
    desk.judge({"m0": 2})
    assert scores_of(desk, "judge") == {"m0": ("ok", 2, "")}


def test_a_judge_with_a_sample_keeps_its_name_and_gets_new_scores(desk, boss):
    desk.models(4)
    desk.judge({f"m{n}": n % 3 for n in range(4)})
    page = boss.get(OWN).send(
        "per_level",
        per_level="1",
        judge="1",
        level_of="score",
        which="all",
        allocation="proportional",
    )
    assert page.answer.status_code == 200
    delete(boss, "judges")
    assert scores_of(desk, "judge") == {}
    desk.judge({"m0": 2})
    assert scores_of(desk, "judge") == {"m0": ("ok", 2, "")}


def test_wrong_items_are_deleted_unless_a_round_uses_them(desk, boss):
    desk.models(3, source="gpt")
    desk.import_models([model_line(7, source="other")])
    desk.judge({"m0": 1, "m7": 2})
    done = delete(boss, "models", source="other")
    assert "Deleted: 1." in done.text
    assert ("items of other", "1", "deleted") in log_of(desk)
    assert sorted(row.external_id for row in desk.items()) == ["m0", "m1", "m2"]
    assert set(scores_of(desk, "judge")) == {"m0"}
    desk.open(("ann", "bob"), items="ids", ids="m0")
    done = delete(boss, "models", source="gpt")
    assert "Deleted: 2. Kept because a round uses them: 1." in done.text
    desk.import_models([model_line(1, source="gpt", text="Another text.")])
    assert [row.text for row in desk.items() if row.external_id == "m1"] == ["Another text."]


def test_what_is_not_there_cannot_be_deleted(desk, boss):
    desk.models(1)
    desk.judge({"m0": 1})
    assert delete(boss, "judges", number="9").status_code == 404
    assert delete(boss, "models", source="players").status_code == 404
    assert delete(boss, "models", source="nobody").status_code == 404


def rated_in(desk, number):
    """Return the ids of a round's items."""
    names = {row.id: row.external_id for row in desk.items()}
    return {names[row.item_id] for row in desk.long_rows(number)}


ODD = ("a, b", "c|d", "e f", "x | 2 | y")


def test_ids_with_commas_blanks_and_bars_work_in_every_form(desk, boss):
    desk.import_models([model_line(n, id=name) for n, name in enumerate(ODD)])
    number = desk.open(
        ("ann", "bob"), items="ids", ids="\n".join(ODD[:3]), training="x | 2 | y | 2 | Right."
    )
    assert rated_in(desk, number) == set(ODD)
    desk.judge(dict.fromkeys(ODD, 2))
    assert set(scores_of(desk, "judge")) == set(ODD)


def test_plain_ids_are_still_separated_by_commas_or_blanks(desk):
    desk.models(4)
    number = desk.open(("ann", "bob"), items="ids", ids="m0, m1\nm2 m3")
    assert rated_in(desk, number) == {"m0", "m1", "m2", "m3"}


def test_seeds_as_pandas_writes_them_are_read(desk, boss):
    text = "id,source,task,seed,text\na,gpt,A-Over,1.0,Rule.\nb,gpt,A-Over,1.5,Rule.\n"
    answer = send(boss, "models", text)
    assert wrong(answer) == {
        3: "seed: must be a whole number from 0 to 2,147,483,647, but is &#39;1.5&#39;"
    }


def test_a_file_in_another_encoding_is_read_and_named(desk, boss):
    body = "id;source;task;seed;text\na;gpt;A-Over;1;Für größere\n".encode("cp1252")
    page = boss.client.post(f"{OWN}/models", files={"file": ("own.csv", body, "text/csv")})
    words = one_line(page.text)
    assert "own.csv" in words
    assert "not UTF-8 (line 2), so it was read as Windows-1252" in words
    confirm(boss, "models", page)
    assert desk.items()[0].text == "Für größere"
