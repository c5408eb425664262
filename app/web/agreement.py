"""The agreement report of a rating round with its downloads, and the sample planner."""

import json
from typing import Any

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from app.scoring.panel import PanelError
from app.study.agreement import parity, planning, plots, sections
from app.study.agreement.cache import desk
from app.study.agreement.data import Facts, NoRatingsError
from app.study.agreement.planning import DEFAULTS, PlanFormError
from app.study.csv_text import csv_table
from app.study.design import studies
from app.study.rating import adjudication
from app.study.rating.rounds import NoRoundError
from app.web.deps import Researcher, Server, ServerParts
from app.web.pages import render
from app.web.rating.overview import own_url
from app.web.rating.rounds import number_of, round_page
from app.web.researcher import admin_page, as_file, find_study, is_raw

router = APIRouter(prefix="/admin/studies/{slug}/rating")
DESIGNS = {
    "equal": "equal",
    "proportional": "proportional",
    "source_balanced": "balanced by source",
}


def load(
    request: Request, server: Server, slug: str, number: str
) -> tuple[Facts, dict[str, Any], str]:
    """Return the facts, the report, and the start of file names."""
    place = number_of(number)
    facts, report = desk.report(server.store, slug, place, request.query_params.get("of", ""))
    return facts, report, f"study-{slug}_round-{place}_{report['dimension']}"


@router.get("/rounds/{number}/agreement")
def show_agreement(
    request: Request, slug: str, number: str, server: ServerParts, account: Researcher
) -> Response:
    """Show the agreement of raters and judges, or the round's page if there is none to report."""
    try:
        facts, report, _ = load(request, server, slug, number)
    except (NoRatingsError, PanelError) as error:
        study, place = find_study(server, slug), number_of(number)
        return round_page(request, server, account, study, place, 409, error.message)
    own = own_url(slug, "rounds", report["round"]["number"], "agreement")
    asked = f"?of={report['dimension']}"
    parts = sections.sections(report)
    for one in parts:
        plot = plots.figure(report, one["figure"]) if one["figure"] else ""
        one["svg"] = Markup(plot)  # noqa: S704 - made by us, every word in it escaped
        one["svg_url"] = f"{own}/{one['figure']}.svg{asked}"
        if one["id"] == "influence":
            one["tables"] = [table | {"links": links(slug, facts)} for table in one["tables"]]
    files = ("report.json", "coefficients.csv", "ratings.csv", "parity.zip")
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
    }
    page = admin_page(account, "rating", f"Agreement: {report['round']['title']}")
    return render(request, "agreement/report.html", page=page, a=a)


def links(slug: str, facts: Facts) -> dict[str, str]:
    """Return, per item, the URL of the page with its text, the rule and the ratings."""
    cases = own_url(slug, "rounds", facts.round.number, "adjudicate")
    numbers = adjudication.case_numbers(facts.rows, facts.round.seed)
    return {row.item: f"{cases}/{numbers[row.round_item_id]}" for row in facts.main}


@router.get("/rounds/{number}/agreement/{name}")
def download_agreement(
    request: Request, slug: str, number: str, name: str, server: ServerParts, account: Researcher
) -> Response:
    """Download the report, its coefficients, the ratings, the parity archive, or a plot."""
    del account
    facts, report, start = load(request, server, slug, number)
    dimension, raw = report["dimension"], is_raw(request)
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
        packed = parity.archive(facts, report, raw=raw)
        return attached(packed, "application/zip", f"{start}_parity.zip")
    plot = name.removesuffix(".svg")
    if name.endswith(".svg") and plot in plots.FIGURES:
        return attached(plots.figure(report, plot), "image/svg+xml", f"{start}_{plot}.svg")
    raise NoRoundError


def attached(content: str | bytes, kind: str, name: str) -> Response:
    """Return a download."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=headers)


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
        "errors": {**dict.fromkeys(DEFAULTS, ""), **errors},
        "plan": made,
        "designs": DESIGNS,
    }
    page = admin_page(account, "rating", f"Planner: {study.title}")
    return render(request, "agreement/planner.html", 422 if errors else 200, page=page, p=p)
