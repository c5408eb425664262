"""Runs of models: the list, a run's progress with tokens and cost, its episodes in the replay."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from app.study.design.studies import StudyView
from app.study.models import runs, watching
from app.study.models.bounds import Bounds
from app.study.models.cells import unlike_preset
from app.study.models.runs import Run
from app.study.times import moment
from app.web.deps import Account, Researcher, Server, ServerParts
from app.web.pages import is_htmx, render
from app.web.play.state_line import state_facts
from app.web.replay_links import Link, links
from app.web.researcher import admin_page, find_study

router = APIRouter(prefix="/admin/studies/{slug}/report/models/runs")
MOST = 10**9
NO_ERRORS = dict.fromkeys(("", "model", "items", *Bounds._fields), "")
Number = Annotated[int, Path(ge=1, le=MOST)]
Step = Annotated[int | None, Query(ge=0, le=MOST)]


def own_url(slug: str, number: int | None = None, episode: int | None = None) -> str:
    """Return the address of the list, of a run, or of an episode."""
    url = f"/admin/studies/{slug}/report/models/runs"
    url += "" if number is None else f"/{number}"
    return url if episode is None else f"{url}/episodes/{episode}"


def run_facts(slug: str, run: Run) -> dict[str, Any]:
    """Return a run as the pages show it."""
    return {
        "number": run.number,
        "url": own_url(slug, run.number),
        "kind": run.kind,
        "label": run.label,
        "model": run.model,
        "base_url": run.base_url,
        "method": run.method,
        "preset": run.preset.name,
        "items": run.items if run.is_judge else "",
        "tasks": ", ".join(run.tasks),
        "parameters": ", ".join(f"{key}: {value}" for key, value in run.parameters.items()),
        "state": run.state,
        "problems": run.problem.splitlines(),
        "started": moment(run.created_at),
        "finished": moment(run.finished_at),
        "code_version": run.code_version,
        "design_version": run.design_version,
        "calls": run.totals["calls"],
        "prompt_tokens": run.totals["prompt_tokens"],
        "completion_tokens": run.totals["completion_tokens"],
        "has_price": run.cost is not None,
        "cost": "" if run.cost is None else f"{run.cost:.2f}",
    }


@router.get("")
def show_runs(request: Request, slug: str, server: ServerParts, account: Researcher) -> Response:
    """Show the study's runs."""
    study = find_study(server, slug)
    with server.store.read() as db:
        found = runs.listed(db, study.id)
    p = {
        "study": study.title,
        "slug": slug,
        "back": f"/admin/studies/{slug}/report/models",
        "play": f"/admin/studies/{slug}/report/models/start",
        "judge": f"/admin/studies/{slug}/rating/judges/run",
        "runs": [run_facts(slug, run) for run in found],
    }
    page = admin_page(account, "model-runs", f"Model runs: {study.title}")
    return render(request, "models/runs.html", page=page, p=p)


@router.get("/{number}")
def show_run(
    request: Request, slug: str, number: Number, server: ServerParts, account: Researcher
) -> Response:
    """Show a run's progress, what it used, and its episodes."""
    return run_page(request, server, account, find_study(server, slug), number)


def run_page(
    request: Request,
    server: Server,
    account: Account,
    study: StudyView,
    number: int,
    status: int = 200,
    *,
    typed: dict[str, str] | None = None,
    errors: dict[str, str] | None = None,
) -> Response:
    """Render a run. `errors`: field of the form to continue it, '' = none in particular -> why."""
    slug = study.slug
    with server.store.read() as db:
        found = watching.progress(db, server.library, study, number)
    facts = {
        "run": run_facts(slug, found.run),
        "parts": found.parts,
        "statuses": found.statuses,
        "episodes": [
            {
                "url": own_url(slug, number, row.id),
                "title": row.entity,
                "cell": row.cell,
                "ended": row.ended,
                "actions": row.actions_used,
                "ref_length": row.ref_length,
                "unreadable": row.unreadable,
            }
            for row in found.episodes
        ],
        "own": own_url(slug, number),
        "resume": f"/admin/studies/{slug}/report/models/resume" if found.can_go_on else "",
        "typed": dict.fromkeys(Bounds._fields, "") | (typed or {}),
        "errors": NO_ERRORS | (errors or {}),
        "wrong": [(field, text) for field, text in (errors or {}).items() if field],
        "has_price": found.run.price is not None,
    }
    if is_htmx(request):
        return render(request, "models/_progress.html", status, p=facts)
    p = {
        **facts,
        "study": study.title,
        "slug": slug,
        "back": own_url(slug),
        "unlike": unlike(study, found.run),
    }
    page = admin_page(account, "model-run", f"{found.run.label}: {study.title}")
    return render(request, "models/run.html", status, page=page, p=p)


def unlike(study: StudyView, run: Run) -> str:
    """Return what differs from the run's preset, in the variants that the newest design has too."""
    known = set(study.hashes.values())
    cells = [cell for cell in run.cells if cell.variant_hash in known]
    return unlike_preset(study, cells, run.preset.name)


def link_to(slug: str, number: int, beside: tuple[int, str] | None, query: str = "") -> Link | None:
    """Return a link to an episode of a run."""
    return beside and Link(own_url(slug, number, beside[0]) + query, beside[1])


@router.get("/{number}/episodes/{episode}")
def show_episode(
    request: Request,
    slug: str,
    number: Number,
    episode: Number,
    server: ServerParts,
    account: Researcher,
    step: Step = None,
) -> Response:
    """Show one episode after a number of actions, as the model read it."""
    study = find_study(server, slug)
    with server.store.read() as db:
        found = watching.playback(db, server.library, study, number, episode, step)
    own = own_url(slug, number, episode)
    p = {
        "study": study.title,
        "slug": slug,
        "run_url": own_url(slug, number),
        "number": number,
        "action": own,
        "step": found.step,
        "last": found.last,
        "at": found.at,
        "since": "",
        "stated": watching.stated(found.row),
        "advice": found.row.advice,
    } | links(
        f"{own}?step=",
        found.step,
        found.last,
        link_to(slug, number, found.earlier),
        link_to(slug, number, found.later, "?step=0"),
    )
    g = {
        "view": found.view,
        "kind": "main",
        "state": state_facts(found.state, found.view, study.spec),
        "lines": found.lines,
        "options": study.spec.options,
    }
    if is_htmx(request):
        return render(request, "people/_playback.html", p=p, g=g)
    page = admin_page(account, "replay", f"Replay of {found.row.entity}, run {number}")
    return render(request, "models/replay.html", page=page, p=p, g=g)
