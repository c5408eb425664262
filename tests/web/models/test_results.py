"""Import of models' results: preview, errors by line, stored once, removed."""

import json

import pytest

from tests.walker import one_line

URL = "/admin/studies/demo/report/models"
SITE = {"Sec-Fetch-Site": "same-origin"}
GOOD = (
    "model,task,seed,episode,success,actions_used,rv\n"
    "some-model,A-Over,1,1,true,8,0.5\n"
    "some-model,A-Over,1,2,false,16,0.5\n"
)


@pytest.fixture
def send(researcher):
    def post(text, verb="", **typed):
        return researcher.client.post(URL + verb, data={"text": text, **typed}, headers=SITE)

    return post


def store(researcher, text, **typed):
    page = researcher.client.post(URL, data={"text": text, **typed}, headers=SITE)
    assert page.status_code == 200, page.text
    researcher.answer = page
    from tests.walker import PageReader

    form = PageReader(page.text).form("ticket")
    return researcher.client.post(form.action, data=form.fields), form


def model_rows(researcher):
    made = researcher.client.get("/admin/studies/demo/report/report.json?replicates=200").json()
    return next(t for t in made["tables"] if t["name"] == "models")["rows"]


def test_file_is_shown_first_and_stored_when_confirmed(researcher, send, server):
    page = send(GOOD)
    assert "Store 2 results" in page.text
    assert "No results yet" in researcher.client.get(URL).text
    answer, form = store(researcher, GOOD)
    assert "Results stored: 2" in answer.text
    again = researcher.client.post(form.action, data=form.fields)
    assert again.status_code == 200
    assert "<dd>2</dd>" in one_line(send(GOOD).text), "the same file has nothing new"


def test_stored_results_are_known_to_be_of_the_studys_own_variants(researcher, server):
    store(researcher, GOOD)
    from app.store.models import results as models

    with server.store.read() as db:
        rows = models.of_study(db, 1)
    assert {len(row.variant_hash) for row in rows} == {64}
    assert {(row.ref_length, row.n_tries) for row in rows} == {(4, 4)}


def test_models_can_be_removed_with_a_line_in_the_history(researcher, server):
    answer, _ = store(researcher, GOOD)
    from tests.walker import PageReader

    form = PageReader(answer.text).form("model")
    page = researcher.client.get(URL)
    fields = PageReader(page.text).form("model").fields
    assert "some-model" in page.text
    assert form is not None
    page = researcher.client.post(f"{URL}/remove", data={**fields, "model": "some-model"})
    assert "No results yet" in page.text
    from app.study.design import publishing

    with server.store.read() as db:
        lines = [line for one in publishing.history(db, 1) for line in one.changes]
    assert [(name, after) for name, _, after in lines] == [("results of some-model", "deleted")]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("some-model,A-Over,1,1,perhaps,8,0.5", "success"),
        ("some-model,A-Over,1,1,true,3,0.5", "at least 4"),
        ("some-model,A-Over,1,9,true,8,0.5", "episode"),
        ("some-model,A-Over,x,1,true,8,0.5", "seed"),
        ("some-model,A-Over,1,1,true,8,2", "rv"),
        (",A-Over,1,1,true,8,0.5", "model"),
        ("some-model,X-New,1,1,true,8,0.5", "ref_length"),
    ],
)
def test_wrong_lines_are_named_and_nothing_is_stored(researcher, send, line, word):
    page = send(GOOD + line.replace(",1,1,", ",1,1,", 1) + "\n")
    assert page.status_code == 422
    assert '<td class="num">4</td>' in page.text
    assert word in page.text
    assert "No results yet" in researcher.client.get(URL).text


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "empty"),
        ("model,seed\nx,1\n", "task"),
        ('{"variants": []}', "model"),
        ('{"variants": [{"episodes": {"ep_0": {}, "ep_0": {}}}]}', "given twice"),
        ("\x00", "stored"),
    ],
)
def test_files_that_cannot_be_read_are_refused_and_kept(send, text, word):
    page = send(text)
    assert page.status_code == 422
    assert word in page.text


def reference_file(**changes):
    """The reference package's output for two variants of one task, made with its own class."""
    result = pytest.importorskip("herosjourney.eval.result").EpisodeResult
    variants = []
    for seed in (0, 1):
        episodes = {
            f"ep_{at}": result(
                episode_idx=at,
                task_type="override",
                split="gen",
                success=at == 0,
                num_runs=8,
                reference_length=4,
                num_tries=4,
            ).to_dict()
            for at in range(2)
        }
        variants.append({"episodes": episodes, "variant_seed": seed, **changes})
    return json.dumps({"num_variants": 2, "variants": variants})


def test_result_file_of_the_reference_package_is_read(researcher):
    answer, _ = store(researcher, reference_file(), model="their-model")
    assert "Results stored: 4" in answer.text
    page = one_line(researcher.client.get(URL).text)
    assert "their-model" in page
    assert '<td class="num">4</td><td class="num">0</td>' in page, (
        "its variants are not those of the study"
    )


def test_answers_of_the_reference_package_are_read(researcher):
    answers = [{"correct": True}, {"correct": False}]
    text = json.dumps(
        {
            "task_type": "proc_comp",
            "use_nonce": True,
            "variants": [{"variant_seed": 3, "instance": {"results": answers}}],
        }
    )
    answer, _ = store(researcher, text, model="their-model")
    assert "Results stored: 2" in answer.text
