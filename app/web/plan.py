"""The page *What if*: simulate a design before its study opens, in a job."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study import jobs
from app.study.design import publishing
from app.study.design.spec import StudySpec
from app.study.design.studies import StudyView
from app.study.report import plan_words, whatif
from app.study.report.repeats import without_repeats
from app.study.report.terms import TERMS
from app.study.report.whatif import PlanFormError
from app.study.report.work import PLAN
from app.web.deps import Account, Now, RawForm, Researcher, ServerParts, ticket_of
from app.web.pages import render, see_other
from app.web.researcher import admin_page

router = APIRouter(prefix="/admin/studies/{slug}")
LABELS = {
    "people": "People who arrive",
    "skill": "Mean chance of winning an episode, or the name of a bot",
    "spread": "How much people differ (standard deviation of that chance)",
    "norm_eff": "Mean norm_eff of a win",
    "dropout": "Chance of leaving in each world",
    "nonce": "Added to the chance with nonce words",
    "direct": "Added to the chance in the direct format",
    "eff_spread": "How much norm_eff differs between wins (standard deviation)",
    "rv": "Chance that a rule is right, for RV (optional)",
    "model": "Score of a model to compare people with (optional)",
    "simulated": "Studies to simulate",
    "seed": "Seed",
}


@router.get("/plan")
def show_plan(
    request: Request, slug: str, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Show the form, and the plan that a job has made."""
    typed = dict[str, str]()
    found: dict[str, Any] | None = None
    with server.store.read() as db:
        study = publishing.planned(db, slug)
        if asked := request.query_params.get("job", ""):
            job = jobs.find(db, study.id, asked, now)
            if job.kind == PLAN and job.state == jobs.DONE:
                typed, found = job.params, job.result
    return plan_page(request, account, study, typed, {}, found)


@router.post("/plan")
def start_plan(
    request: Request, slug: str, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Start a job that simulates the design, and show it."""
    with server.store.read() as db:
        study = publishing.planned(db, slug)
    usual = whatif.defaults(study.spec)
    typed = {name: raw.get(name, usual[name]) for name in usual}
    try:
        whatif.read(typed)
    except PlanFormError as error:
        return plan_page(request, account, study, typed, error.problems)
    job_id = jobs.add_once(server.store, study.id, PLAN, typed, account.name, ticket_of(raw), now)
    server.runner.start(job_id)
    return see_other(f"/admin/studies/{slug}/jobs/{job_id}")


def unused(spec: StudySpec) -> set[str]:
    """Return the assumptions that change nothing in a design."""
    cells = spec.cells()
    used = {
        "nonce": any(cell.lexicon == "nonce" for cell in cells),
        "direct": any(cell.format == "direct" for cell in cells),
    }
    return {name for name, is_used in used.items() if not is_used}


def plan_page(
    request: Request,
    account: Account,
    study: StudyView,
    typed: dict[str, str],
    errors: dict[str, str],
    found: dict[str, Any] | None = None,
) -> Response:
    """Render the form with what was typed, errors, and a plan."""
    slug, title, is_draft = study.slug, study.title, not study.version
    w = {
        "study": title,
        "study_url": f"/admin/studies/{slug}{'/design' if is_draft else ''}",
        "is_draft": is_draft,
        "terms": [*((term, meaning) for term, (meaning, _) in TERMS.items()), *plan_words.heads()],
        "action": f"/admin/studies/{slug}/plan",
        "fields": [
            (name, label) for name, label in LABELS.items() if name not in unused(study.spec)
        ],
        "typed": whatif.defaults(study.spec) | typed,
        "errors": errors,
        "wrong": [(name, f"{LABELS[name]}: {text}") for name, text in errors.items()],
        "plan": found,
        "scores": [(one, whatif.mean_and_width(one)) for one in found["scores"]] if found else [],
        "tests": [
            (one, whatif.mean_and_width(one["difference"]), whatif.has_too_few(one))
            for one in without_repeats(found["tests"], dict)
        ]
        if found
        else [],
    }
    page = admin_page(account, "plan", f"What if: {title}")
    return render(request, "report/plan.html", 422 if errors else 200, page=page, w=w)
