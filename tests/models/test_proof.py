"""Runs of models in `hjstudy verify`, and the parity of words by command."""

import pytest
import sqlalchemy as sa

from app.store.models.results import model_result
from app.store.play.turns import turn
from app.study.design import studies
from app.study.models import results
from app.study.tickets import new_ticket
from tests.models.played import NOW


def test_verify_of_a_study_replays_its_runs_too(run_model, facts, store):
    run_model("--tasks", "P-Comp", "--explanations", "none")
    found = facts("verify", "--study", "demo")
    assert (found["ok"], found["models"], found["models_wrong"]) == (True, 1, 0)
    with store.write() as db:
        db.execute(sa.update(turn).where(turn.c.seq == 1).values(message="other"))
    found = facts("verify", "--study", "demo", code=1)
    assert (found["ok"], found["models_wrong"]) == (False, 1)
    assert found["first_difference"]["field"] == "message"


@pytest.mark.parametrize("logged", [True, False])
def test_removed_results_of_a_run_are_a_difference_unless_the_log_says_so(
    run_model, facts, store, logged
):
    run_model("--tasks", "P-Comp", "--explanations", "none", "--label", "mine")
    with store.read() as db:
        study = studies.find(db, "demo")
    if logged:
        results.remove(store, study, "mine", "ann", new_ticket(), NOW)
    else:
        with store.write() as db:
            db.execute(sa.delete(model_result))
    found = facts("model", "verify", "--study", "demo", "--run", 1, code=0 if logged else 1)
    fields = [one["field"] for one in found["differences"]]
    assert fields == ([] if logged else ["result"])


def test_parity_command_compares_words_with_those_of_people(run_model, facts, hjstudy):
    run_model("--tasks", "P-Comp", "--explanations", "none")
    found = facts("model", "parity", "--study", "demo", code=1)
    (one,) = found["models"]
    assert (one["verdict"], one["episodes"]) == ("no shared episode", 1)
    code, output, _ = hjstudy("model", "parity", "--study", "demo")
    assert code == 1
    assert "m plain paper: no shared episode (0 of 0 shared episodes; design 1)" in output
