"""The agreement report of a rating round with its downloads, and the sample planner."""

import json
from typing import Any, NamedTuple

from fastapi import APIRouter, Depends, Request
from markupsafe import Markup
from starlette.responses import Response

from app.errors import StudyError
from app.scoring.panel import PanelError
from app.study import jobs
from app.study.agreement import data, parity, planning, plots, sections
from app.study.agreement.cache import AGREEMENT, desk, key_of
from app.study.agreement.data import Facts, NoRatingsError
from app.study.agreement.planning import DEFAULTS, PlanFormError
from app.study.csv_text import csv_table
from app.study.design import studies
from app.study.rating import adjudication
from app.study.rating.rounds import NoRoundError
from app.study.times import moment
from app.web.deps import Account, Now, Researcher, Server, ServerParts
from app.web.forgetting import forget_erased
from app.web.pages import render
from app.web.rating.overview import own_url
from app.web.rating.rounds import number_of, round_page
from app.web.researcher import admin_page, as_file, find_study, is_raw

router = APIRouter(prefix="/admin/studies/{slug}/rating", dependencies=[Depends(forget_erased)])
MOST_RATINGS = 2_000  # of a round whose report a page makes at once
DESIGNS = {
    "equal": "equal",
    "proportional": "proportional",
    "source_balanced": "balanced by source",
}


class NotMadeError(StudyError):
    """A large round's report has to be made by a job first."""

    code = "agreement/not_made"

    def __init__(self, facts: Facts, dimension: str) -> None:
        super().__init__(
            "This report has not been made yet. Make it on the 'Agreement' page first."
        )
        self.facts, self.dimension = facts, dimension


class Ready(NamedTuple):
    """A report. `job`: the one that made it, or ''; `stale`: when, if its data have changed."""

    facts: Facts
    report: dict[str, Any]
    job: str = ""
    stale: str = ""


def load(request: Request, server: Server, slug: str, number: str, now: Now) -> Ready:
    """Return a round's report; a large one is made by a job.

    Raises NoRatingsError, DimensionError, PanelError, NotMadeError.
    """
    place = number_of(number)
    with server.store.read() as db:
        study = studies.find(db, slug)
        facts = data.load(db, study, place)
        dimension = request.query_params.get("of", "") or facts.default_dimension
        asked = {"round": place, "dimension": dimension}
        found = jobs.newest(db, study.id, AGREEMENT, asked, now) if is_large(facts) else None
    if not is_large(facts):
        return Ready(facts, desk.of(facts, dimension))
    data.panel_of(facts, dimension, data.as_edited)  # raises what the job would
    if found is None:
        raise NotMadeError(facts, dimension)
    same = found.result["data"] == key_of(facts, dimension)
    return Ready(facts, found.result["report"], found.id, "" if same else moment(found.made_at))


def is_large(facts: Facts) -> bool:
    """Tell whether a round has too many ratings for a page that makes its report at once."""
    return len(facts.rows) > MOST_RATINGS


def making(facts: Facts, slug: str, dimension: str, ready: Ready | None) -> dict[str, Any]:
    """Return the form that makes a large round's report."""
    return {
        "action": f"/admin/studies/{slug}/jobs" if is_large(facts) else "",
        "fields": [("kind", AGREEMENT), ("round", facts.round.number), ("of", dimension)],
        "stale": ready.stale if ready else "",
        "is_made": ready is not None,
    }


@router.get("/rounds/{number}/agreement")
def show_agreement(
    request: Request, slug: str, number: str, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Show the agreement of raters and judges, or the round's page if there is none to report."""
    try:
        ready = load(request, server, slug, number, now)
    except NotMadeError as error:
        return unmade_page(request, account, slug, error)
    except (NoRatingsError, PanelError) as error:
        study, place = find_study(server, slug), number_of(number)
        return round_page(request, server, account, study, place, 409, error.message)
    facts, report = ready.facts, ready.report
    own = own_url(slug, "rounds", report["round"]["number"], "agreement")
    asked = f"?of={report['dimension']}"
    parts = sections.sections(report)
    for one in parts:
        plot = plots.figure(report, one["figure"]) if one["figure"] else ""
        one["svg"] = Markup(plot)  # noqa: S704 - made by us, every word in it escaped
        one["svg_url"] = f"{own}/{one['figure']}.svg{asked}"
        if one["id"] == "influence":
            one["tables"] = [table | {"links": links(slug, facts)} for table in one["tables"]]
    # Ratings alone are read now, so they are left out beside a report of earlier data.
    now_only = () if ready.stale else ("ratings.csv",)
    files = ("report.json", "coefficients.csv", *now_only, "parity.zip")
    a = {
        "study": facts.title,
        "back": own_url(slug),
        "round_url": own_url(slug, "rounds", report["round"]["number"]),
        "title": report["round"]["title"],
        "interim": report["round"]["interim"],
        "dimension": report["dimension"],
        "dimensions": [(one, f"{own}?of={one}") for one in report["dimensions"]],
        "downloads": [(name, f"{own}/{name}{asked}") for name in files],
        "raw_downloads": [(name, f"{own}/{name}{asked}&raw=1") for name in files[1:]],
        "planner_url": own_url(slug, "planner"),
        "methods": report["methods"],
        "sections": parts,
        "make": making(facts, slug, report["dimension"], ready),
    }
    page = admin_page(account, "rating", f"Agreement: {report['round']['title']}")
    return render(request, "agreement/report.html", page=page, a=a)


def unmade_page(request: Request, account: Account, slug: str, error: NotMadeError) -> Response:
    """Offer to make a large round's report."""
    found = error.facts
    a = {
        "study": found.title,
        "back": own_url(slug),
        "round_url": own_url(slug, "rounds", found.round.number),
        "title": found.round.title,
        "make": making(found, slug, error.dimension, None),
    }
    page = admin_page(account, "rating", f"Agreement: {found.round.title}")
    return render(request, "agreement/make.html", page=page, a=a)


def links(slug: str, facts: Facts) -> dict[str, str]:
    """Return, per item, the URL of the page with its text, the rule and the ratings."""
    cases = own_url(slug, "rounds", facts.round.number, "adjudicate")
    numbers = adjudication.case_numbers(facts.rows, facts.round.seed)
    return {row.item: f"{cases}/{numbers[row.round_item_id]}" for row in facts.main}


@router.get("/rounds/{number}/agreement/{name}")
def download_agreement(
    request: Request,
    slug: str,
    number: str,
    name: str,
    server: ServerParts,
    _account: Researcher,
    now: Now,
) -> Response:
    """Download the report, its coefficients, the ratings, the parity archive, or a plot."""
    facts, report, job, _ = load(request, server, slug, number, now)
    dimension, raw = report["dimension"], is_raw(request)
    start = f"study-{slug}_round-{facts.round.number}_{dimension}"
    if name == "report.json":
        text = json.dumps(report, ensure_ascii=False, indent=2, allow_nan=False)
        return attached(text, "application/json", f"{start}_agreement.json")
    if name == "coefficients.csv":
        rows = parity.coefficient_rows(report)
        return as_file(csv_table(parity.COEFFICIENTS, rows, raw=raw), f"{start}_coefficients.csv")
    if name == "ratings.csv":
        ratings = parity.rating_rows(facts, dimension)
        return as_file(csv_table(parity.RATINGS, ratings, raw=raw), f"{start}_ratings.csv")
    if name == "parity.zip":
        path = server.runner.archive_of(job, raw=raw)
        is_kept = job and path.is_file()  # another server may have it
        packed = path.read_bytes() if is_kept else parity.archive(facts, report, raw=raw)
        return attached(packed, "application/zip", f"{start}_parity.zip")
    plot = name.removesuffix(".svg")
    if name.endswith(".svg") and plot in plots.FIGURES:
        return attached(plots.figure(report, plot), "image/svg+xml", f"{start}_{plot}.svg")
    raise NoRoundError


def attached(content: str | bytes, kind: str, name: str) -> Response:
    """Return a download."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=headers)


LABELS = {
    "level_0": "Explanations judged 0",
    "level_1": "Explanations judged 1",
    "level_2": "Explanations judged 2",
    "width": "Target width of the 95% interval of human-human alpha",
    "judge_right": "Probability that the judge’s level is the true score",
    "rater_right": "Probability that a rater gives the true score",
    "seed": "Seed",
}


@router.get("/planner")
def show_planner(request: Request, slug: str, server: ServerParts, account: Researcher) -> Response:
    """Show the planner, with a plan if the form was sent."""
    asked = dict(request.query_params)
    typed = {**DEFAULTS, **{name: asked[name] for name in DEFAULTS if name in asked}}
    errors: dict[str, str] = {}
    made = None
    with server.store.read() as db:
        study = studies.find(db, slug)
        choices = planning.choices(db, study.id)
        if asked:
            try:
                made = planning.make(db, study.id, typed)
            except PlanFormError as error:
                errors = error.problems
    p = {
        "study": study.title,
        "back": own_url(slug),
        "action": own_url(slug, "planner"),
        "choices": choices,
        "typed": typed,
        "fields": list(LABELS.items()),
        "errors": {**dict.fromkeys(DEFAULTS, ""), **errors},
        "wrong": [(name, f"{LABELS.get(name, 'Pool')}: {text}") for name, text in errors.items()],
        "plan": made,
        "designs": DESIGNS,
    }
    page = admin_page(account, "rating", f"Planner: {study.title}")
    return render(request, "agreement/planner.html", 422 if errors else 200, page=page, p=p)
