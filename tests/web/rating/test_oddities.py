"""Rating in odd cases: files of other shapes, changed drafts, incomplete ratings."""

import pytest

from app.store.rating import judges, rounds
from app.study.rating import adjudication
from app.study.rating import rounds as cases
from app.study.rating.adjudication import AdjudicationError
from app.study.tickets import new_ticket
from tests.rating_desk import NOW, model_line
from tests.web.rating.test_files import OWN, confirm, json_lines, send, wrong

pytestmark = pytest.mark.one_database


@pytest.fixture
def boss(desk):
    return desk.browser("boss", "researcher")


def test_judges_with_the_same_name_get_different_labels(desk):
    desk.models(1)
    desk.judge({"m0": 0}, judge="gpt", model="", prompt_version="x")
    desk.judge({"m0": 1}, judge="gpt", model="x")
    with desk.store.read() as db:
        runs = judges.runs(db, desk.study.id)
        assert sorted(judges.labels(runs).values()) == ["gpt x (run 1)", "gpt x (run 2)"]


def test_a_judge_with_other_parameters_is_another_judge(desk, boss):
    desk.models(3)
    facts = {"score": 1, "model": "a"}
    lines = [
        {"item": "m0", "parameters": '{"temperature": 0}', **facts},
        {"item": "m1", "parameters": '{"temperature": 1}', **facts},
        {"item": "m2", **facts},
    ]
    answer = send(boss, "judges", json_lines(*lines))
    assert list(wrong(answer)) == [2]
    assert "was stored with other parameters" in wrong(answer)[2]
    confirm(boss, "judges", send(boss, "judges", json_lines(lines[0], lines[2])))
    assert list(wrong(send(boss, "judges", json_lines(lines[1])))) == [1]


def test_a_wide_matrix_of_judges_is_refused_with_a_hint(desk, boss):
    desk.models(1)
    answer = send(boss, "judges", "item,gpt,claude\nm0,1,2\n")
    assert answer.status_code == 422
    assert "one row per score" in answer.text


@pytest.mark.parametrize(
    "order", ["item,id,prompt_version,prompt", "id,item,prompt,prompt_version"]
)
def test_a_column_of_our_own_name_goes_before_another_that_means_the_same(desk, boss, order):
    desk.models(1)
    values = {"item": "m0", "id": "7", "prompt_version": "v2", "prompt": "Rate this. " * 20}
    row = ",".join(values[name] for name in order.split(","))
    page = send(boss, "judges", f"{order},model,score\n{row},a,2\n")
    assert page.status_code == 200
    assert "Ignored columns: id, prompt." in page.text
    confirm(boss, "judges", page)
    with desk.store.read() as db:
        (run,) = judges.runs(db, desk.study.id)
    assert run.prompt_version == "v2"


@pytest.mark.parametrize("seed", ["1000000000000000000", "-1", "1.5", "1e400", "one"])
def test_a_seed_is_never_cut_short(boss, seed):
    assert list(wrong(send(boss, "models", json_lines(model_line(0, seed=seed))))) == [1]


TABLES = (
    f"{OWN}/models",
    f"{OWN}/judges",
    "/admin/studies/demo/report/models",
    "/admin/studies/demo/recruit/import",
)
LATIN = "id,source,task,seed,text\na,gpt,A-Over,1,caf\u00e9\n".encode("latin-1")


@pytest.mark.parametrize("address", ["/admin/new-study"])
def test_a_file_of_another_encoding_is_refused_and_no_letter_is_exchanged(desk, boss, address):
    answer = boss.client.post(address, files={"file": ("a.csv", LATIN, "text/csv")})
    assert answer.status_code == 415
    assert "not UTF-8 text: line 2" in answer.text
    assert desk.items() == []
    boss.client.cookies.clear()
    late = boss.client.post(address, files={"file": ("a.csv", LATIN, "text/csv")})
    assert late.status_code in {401, 415}


@pytest.mark.parametrize("address", TABLES)
def test_a_table_that_is_no_text_is_refused_with_what_to_do(desk, boss, address):
    body = b"PK\x03\x04" + bytes(60)
    answer = boss.client.post(address, files={"file": ("a.xlsx", body, "text/csv")})
    assert answer.status_code == 415
    assert "CSV in UTF-8" in answer.text


def test_a_table_in_another_encoding_is_read_and_its_letters_are_shown(desk, boss):
    answer = boss.client.post(TABLES[0], files={"file": ("a.csv", LATIN, "text/csv")})
    assert answer.status_code == 200
    assert "read as Windows-1252. Check that these characters are right: \u00e9" in answer.text
    assert desk.items() == []


def test_nothing_but_what_raters_can_differ_on_is_adjudicated(desk, boss):
    desk.models(3)
    number = desk.open(("ann", "bob"), training="m0 | 2 | Wholly right.")
    case = next(row.round_item_id for row in desk.long_rows() if row.kind == "training")
    desk.close(number)
    typed = {"value": "1", "revision": "0", "ticket": new_ticket()}
    with pytest.raises(AdjudicationError):
        adjudication.decide(desk.store, desk.study.id, number, case, typed, "boss", NOW)
    assert boss.get(f"{OWN}/rounds/{number}").answer.status_code == 200


def test_a_pseudonym_is_never_given_to_a_second_person(desk):
    desk.models(4)
    ann, bob, cy = desk.annotators("ann", "bob", "cy")
    number = desk.draft(("ann", "bob"))
    for revision, ids in enumerate(((bob,), (bob, cy)), start=1):
        form = {"title": "A", "mode": "overall", "rubric": "x", "rubric_version": "1", "k": "1"}
        form |= {"seed": "3", "repeat_percent": "0", "items": "last"}
        form |= {f"rater_{one}": "1" for one in ids}
        study = desk.study.id
        cases.update(desk.store, study, number, revision, form, "desk", new_ticket(), NOW)
    desk.draft(("ann", "cy"))
    with desk.store.read() as db:
        names = rounds.pseudonyms(db, desk.study.id)
    assert names == {bob: "rater_2", cy: "rater_3", ann: "rater_4"}


def test_methods_count_those_alone_who_rated_and_what_was_rated(desk, boss):
    desk.models(3)
    desk.open(("ann", "bob"))
    ann = desk.browser("ann")
    for place in desk.places("ann")[:2]:
        ann.get(f"/rate/item/{place.token}").send("revision", value="1")
    text = boss.get(f"{OWN}/rounds/1/agreement").answer.text
    assert "1 of 2 people rated 2 of 3 explanations" in text


def test_criteria_of_a_sample_whose_judge_gave_one_score_are_reported(desk, boss):
    """The judge's own mean is shown if there is one; nothing breaks without it."""
    desk.models(30)
    desk.judge({f"m{n}": n % 3 for n in range(30)})
    boss.get(OWN).send("per_level", per_level="5")
    number = desk.open(("ann", "bob"), items="sample:1", mode="criteria")
    for name in ("ann", "bob"):
        browser = desk.browser(name)
        for at, place in enumerate(desk.places(name, number)):
            marks = {one: str((at + len(one)) % 3) for one in ("inputs", "output", "generality")}
            browser.get(f"/rate/item/{place.token}").send("revision", structure="1", **marks)
    for dimension in ("mean", "inputs"):
        page = boss.get(f"{OWN}/rounds/{number}/agreement?of={dimension}").answer
        assert page.status_code == 200
        assert "The pool’s mean score" in page.text.replace("&#39;", "’")
        assert "the judge’s own is" not in page.text.replace("&#39;", "’")
