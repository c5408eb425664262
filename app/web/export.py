"""The researcher's export pages: bundles, single tables, and the review of free texts."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.responses import Response, StreamingResponse

from app.study import id_key, jobs
from app.study.design import studies
from app.study.design.studies import StudyView
from app.study.export import anchors, coarse, files, remaining, signing, text_review
from app.study.export.coarse import Coarse, CoarseError
from app.study.export.columns import SPECS
from app.study.export.files import Options
from app.study.export.release import UNREVIEWED
from app.study.export.text_review import TextError
from app.study.people import removal
from app.study.rights import Right
from app.study.tickets import new_ticket
from app.study.times import moment
from app.web.access import demand
from app.web.deps import Account, Now, RawForm, Researcher, Server, ServerParts
from app.web.forms import read_count, wanted_by
from app.web.pages import render, see_other
from app.web.people.recruitment import DOWNLOADS
from app.web.researcher import admin_page, as_file, find_study

router = APIRouter(prefix="/admin/studies/{slug}")
WORK = {
    "report": "Report",
    "bundle": "Bundle",
    "verify": "Verification",
    "check": "Check of a file",
    "import": "Import of a file",
    "plan": "Simulated design",
    "model": "Model run",
    "agreement": "Agreement report",
    "deidentify": "De-identification report",
}
FLAG_NAMES = ("include_test", "include_practice", "shareable")
FORMATS = {
    "excel": "CSV for spreadsheets: no text runs as a formula",
    "csv": "CSV, raw (Psych-DS): for scripts and reports",
    "jsonl": "JSON Lines",
}
TIMES = {
    coarse.EXACT: "exact",
    coarse.DAY: "rounded down to the day",
    coarse.RELATIVE: "relative to each person’s start",
}
PARTS = {
    "text": "Rule",
    "inputs": "Which traits matter",
    "output": "What they decide",
    "how": "How",
    "found_how": "How they found it",
    "value": "Answer",
    "raw": "Command",
}
KINDS = {
    "explanation": "Explanation",
    "answer": "Answer",
    "note": "Notebook",
    "problem": "Problem report",
    "turn": "Command",
}
MAIN = ("participant", "block", "episode")  # tables that most analyses begin with
MOST_PAGES = 100_000
LONGEST_NAME = 64
FEW_TURNS = 1_000  # of a study that is searched for IDs whenever the page is opened


@router.get("/exports")
def show_exports(
    request: Request, slug: str, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Show the downloads, and how many free texts are not yet reviewed."""
    with server.store.read() as db:
        study = studies.find(db, slug)
        states = text_review.overview(db, slug)
        work = jobs.listed(db, study.id, now)
        numbers = coarse.numbers_of(study.spec)
        besides = besides_of(server, db, study)
    own = f"/admin/studies/{slug}"
    e = {
        "title": study.title,
        "study_url": own,
        "jobs_url": f"{own}/jobs",
        "jobs": [
            {
                "kind": WORK[one.kind],
                "state": one.state,
                "at": moment(one.made_at),
                "by": one.made_by,
                "url": f"{own}/jobs/{one.id}",
            }
            for one in work
        ],
        "formats": list(FORMATS.items()),
        "tables": [
            (
                name,
                SPECS[name].row,
                name in MAIN,
                [(kind, f"{own}/download/{name}/{kind}") for kind in FORMATS],
            )
            for name in files.TABLES
        ],
        "apart": [(name, f"{own}/recruit/{name}.csv") for name in DOWNLOADS],
        "states": states,
        "texts_url": f"{own}/texts",
        "is_hidden": studies.hides_outcomes(study.spec, study.state),
        "manifest_url": f"{own}/signed-manifest.json",
        "report_url": f"{own}/deidentification",
        "besides": besides,
        "times": list(TIMES.items()),
        "numbers": numbers,
    }
    return render(
        request, "export/exports.html", page=admin_page(account, "exports", "Exports"), e=e
    )


def besides_of(server: ServerParts, db: Connection, study: StudyView) -> str:
    """Return what was found in what is not released text by text, or '' for a large study."""
    if removal.data_of(db, study.id).get("turn", 0) > FEW_TURNS:
        return ""
    found = files.preview(db, study, id_key.read(server.store), Coarse())
    return remaining.about_besides(found["found_besides"])


def coarse_of(raw: Mapping[str, str]) -> Coarse:
    """Read what to make coarser. Raises CoarseError."""
    bands = [name.removeprefix("coarsen_") for name in raw if name.startswith("coarsen_")]
    return coarse.read(raw.get("times", coarse.EXACT), bands, shuffled="shuffle" in raw)


def coarse_params(raw: Mapping[str, str]) -> dict[str, Any]:
    """Return what to make coarser as settings of a job. Raises CoarseError."""
    read = coarse_of(raw)
    bands = [f"{key}={width}" for key, width in read.bands.items()]
    return {"times": read.times, "coarsen": bands, "shuffle": read.shuffled}


def coarse_fields(params: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return a job's settings as fields of a form."""
    bands = [(f"coarsen_{one}", "1") for one in params.get("coarsen", ())]
    times = [("times", params["times"])] if "times" in params else []
    return [*times, *bands, *([("shuffle", "1")] if params.get("shuffle") else [])]


@router.get("/bundle.zip")
def download_bundle(
    request: Request, slug: str, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Stream a whole bundle."""
    asked, flavour = request.query_params, request.query_params.get("format", "csv")
    if flavour not in FORMATS:
        raise studies.NoStudyError(f"There is no bundle format '{flavour[:LONGEST_NAME]}'.")
    options = Options(
        flavour,
        include_test="include_test" in asked,
        include_practice="include_practice" in asked,
        shareable="shareable" in asked,
        coarse=coarse_of(asked),
    )
    if not options.shareable:
        demand(request, Right.PEOPLE)
        if not options.coarse.is_plain:
            raise CoarseError(coarse.ONLY_SHAREABLE)
    find_study(server, slug)
    suffix = "_shareable" if options.shareable else ""
    name = f"study-{slug}_{now:%Y%m%d}{suffix}.zip"
    return StreamingResponse(
        logged(server, slug, options, account.name, now),
        media_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def logged(server: Server, slug: str, options: Options, by: str, now: datetime) -> Iterator[bytes]:
    """Stream a bundle; once it is complete, a full one is recorded, as deleting needs one."""
    rows = removal.count(server.store, slug)
    yield from files.stream_zip(server.store, slug, now, options)
    if not options.shareable:
        removal.record_export(server.store, slug, rows, by=by, now=now)


@router.get("/signed-manifest.json")
def download_manifest(slug: str, server: ServerParts, _account: Researcher, now: Now) -> Response:
    """Download the signed manifest of a study's data, to keep outside the server."""
    signer = signing.own_key(server.store.signing_key_path)
    text = anchors.as_text(anchors.make(server.store, slug, signer, now))
    name = f"study-{slug}_{now:%Y%m%d}_signed-manifest.json"
    return as_file(text, name, "application/json")


@router.get("/texts")
def show_texts(request: Request, slug: str, server: ServerParts, account: Researcher) -> Response:
    """Show a page of free texts in one state."""
    return texts_page(request, server, account, slug)


@router.post("/texts")
def decide(
    request: Request, slug: str, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Store the decisions, and show the texts that are left."""
    who = (account.id, account.name)
    note, ticket = raw.get("note", "").strip(), raw.get("ticket", "")
    try:
        done = text_review.decide(server.store, slug, wanted_by(raw), note, who, ticket, now)
    except TextError as error:
        return texts_page(request, server, account, slug, error.message, error.field, typed=raw)
    if done["changed"]:
        words = f"Texts changed since you read them: {done['changed']}. Read them again."
        return texts_page(request, server, account, slug, error=words)
    return see_other(f"/admin/studies/{slug}/texts?done={done['decided']}")


def texts_page(
    request: Request,
    server: Server,
    account: Account,
    slug: str,
    error: str = "",
    field: str = "",
    typed: dict[str, str] | None = None,
) -> Response:
    """Render the page of texts; with an error, the status is 422 and choices are kept."""
    asked, kept = request.query_params, typed or {}
    state = asked.get("state", "")
    state = state if state in text_review.STATES else UNREVIEWED
    number = min(read_count(asked.get("page", ""), MOST_PAGES) or 1, MOST_PAGES)
    with server.store.read() as db:
        study = studies.find(db, slug)
        states = text_review.overview(db, slug)
        found, more = text_review.page(db, slug, state, number, id_key.read(server.store))
    own = f"/admin/studies/{slug}"
    t = {
        "title": study.title,
        "exports_url": f"{own}/exports",
        "study_url": own,
        "action": f"{own}/texts?state={state}",
        "ticket": new_ticket(),
        "state": state,
        "states": [(one, f"{own}/texts?state={one}", states[one]) for one in text_review.STATES],
        "texts": [shown(one, kept) for one in found],
        "previous": f"{own}/texts?state={state}&page={number - 1}" if number > 1 else "",
        "next": f"{own}/texts?state={state}&page={number + 1}" if more else "",
        "done": read_count(asked.get("done", ""), MOST_PAGES) or 0,
        "error": error,
        "field": field or (f"decide-{found[0].name}" if error and found else ""),
        "note": kept.get("note", ""),
        "commands": sum(one.kind == "turn" for one in found),
    }
    page, status = admin_page(account, "texts", "Free texts"), 422 if error else 200
    return render(request, "export/texts.html", status, page=page, t=t)


def shown(text: text_review.Text, kept: dict[str, str]) -> dict[str, Any]:
    """Return one text as the page shows it."""
    return {
        "name": text.name,
        "kind": KINDS[text.kind],
        "person": text.public_id,
        "url": f"/admin/participants/{text.public_id}",
        "hash": text.hash,
        "kept_back": text.kept_back,
        "names": ", ".join(text.names),
        "parts": [(PARTS[name], value) for name, value in text.parts],
        "chosen": kept.get(f"decision-{text.name}", ""),
    }


FLAVOURS = {"csv": "text/csv", "excel": "text/csv", "jsonl": "application/x-ndjson"}


@router.get("/download/{table}/{flavour}")
def download(
    slug: str, table: str, flavour: str, server: ServerParts, _account: Researcher
) -> Response:
    """Stream one table."""
    with server.store.read() as db:
        studies.find(db, slug)
    if table not in files.TABLES or flavour not in FLAVOURS:
        raise studies.NoStudyError(f"There is no table '{table}' in the format '{flavour}'.")
    name = files.file_name(slug, table, flavour)
    return StreamingResponse(
        files.stream_csv(server.store, slug, table, flavour),
        media_type=f"{FLAVOURS[flavour]}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
