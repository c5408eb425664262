"""The report page and its downloads: JSON, tables, figures."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response, StreamingResponse

from app.study import jobs
from app.study.database import Connection
from app.study.design import studies
from app.study.people import removal
from app.study.report import draw, few, files, shape, terms
from app.study.report.document import canonical
from app.study.report.live import Reports
from app.study.report.options import MAIN_RV, Options, ReportError
from app.study.report.repeats import table_without_repeats
from app.study.report.wording import is_of_bots, worded
from app.study.report.work import REPORT
from app.web.deps import Account, Now, Researcher, Server, ServerParts
from app.web.forgetting import forget_erased
from app.web.pages import render
from app.web.researcher import admin_page, is_raw

router = APIRouter(prefix="/admin/studies/{slug}", dependencies=[Depends(forget_erased)])
reports = Reports()
SHOWN_ROWS = 200
MOST_TURNS = 5_000  # of a study whose report a page makes at once, in about a second
KINDS = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "tex": "text/x-tex; charset=utf-8",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "zip": "application/zip",
}
DEFAULT = Options()
LABELS = {  # as on the form
    "seed": "Seed",
    "replicates": "Bootstrap replicates",
    "main_rv": "Ratings that count as RV",
    "idle_minutes": "Idle after (minutes)",
}
IDS = {"seed": "seed", "replicates": "replicates", "main_rv": "rv", "idle_minutes": "idle"}


def read_options(raw: Mapping[str, str]) -> Options:
    """Read the settings from a URL or form. Raises ReportError: one is not valid."""

    def number(field: str, name: str, default: int) -> int:
        text = raw.get(name, "").strip() or str(default)
        if not text.isdecimal() or len(text) > 12:  # noqa: PLR2004 - far beyond every bound
            raise ReportError(f"{LABELS[field]}: enter a whole number.", field)
        return int(text)

    return Options(
        seed=number("seed", "seed", DEFAULT.seed),
        replicates=number("replicates", "replicates", DEFAULT.replicates),
        main_rv=raw.get("rv", ""),
        keep_excluded=raw.get("keep_excluded") == "yes",
        idle_minutes=number("idle_minutes", "idle", DEFAULT.idle_minutes),
    ).checked(LABELS)


def typed_of(options: Options) -> dict[str, str]:
    """Return settings as form values."""
    return {
        "seed": str(options.seed),
        "replicates": str(options.replicates),
        "rv": options.main_rv,
        "idle": str(options.idle_minutes),
        "keep_excluded": "yes" if options.keep_excluded else "",
    }


def query_of(options: Options, sha: str) -> str:
    """Return settings and document as a URL query."""
    settings = {name: text for name, text in typed_of(options).items() if text or name == "rv"}
    return urlencode(settings | {"of": sha})


@router.get("/report")
def show_study_report(
    request: Request, slug: str, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Show the report: every table and figure with its settings."""
    with server.store.read() as db:
        study = studies.find(db, slug)
    facts = {
        "slug": slug,
        "title": study.title,
        "hidden": studies.hides_outcomes(study.spec, study.state),
    }
    try:
        options = read_options(request.query_params)
    except ReportError as error:
        typed = typed_of(DEFAULT) | dict(request.query_params)
        return report_page(request, account, facts, typed, error)
    typed = typed_of(options)
    if facts["hidden"]:
        return report_page(request, account, facts, typed)
    ready = from_job(server, study.id, options, now)
    if ready is None:
        return report_page(
            request, account, facts | {"jobs_url": f"/admin/studies/{slug}/jobs"}, typed
        )
    sha, made = ready or reports.of(server.store, slug, options)
    own = f"/admin/studies/{slug}/report"
    query = query_of(options, sha)
    facts |= {
        "sha": sha,
        "json_url": f"{own}/report.json?{query}",
        "zip_url": f"{own}/report.zip?{query}",
        "counts": [
            (worded(name.replace("_", " "), bots=is_of_bots(made)), count_text(n))
            for name, n in made["counts"].items()
        ],
        "few": worded(few.few_words(made), bots=is_of_bots(made)),
        "settings": ", ".join(
            f"{name.replace('_', ' ')}: {shape.shown(value, 'text')}"
            for name, value in made["settings"].items()
        ),
        "tables": [
            table_view(made, table, own, query)
            for table in terms.in_order(made["tables"], study.spec.between)
        ],
    }
    return report_page(request, account, facts, typed)


def from_job(
    server: Server, study_id: int, options: Options, now: datetime
) -> tuple[str, dict[str, Any]] | tuple[()] | None:
    """Return the report that a job made of the current data.

    () = the study is small, so the page makes the report itself; None = a job has to make it.
    """
    with server.store.read() as db:
        params = job_params(db, study_id, options)
        if params["turns"] <= MOST_TURNS:
            return ()
        found = jobs.newest(db, study_id, REPORT, params, now)
    if found is None:
        return None
    made: dict[str, Any] = found.result["document"]
    reports.keep(found.result["sha"], made)
    return found.result["sha"], made


def job_params(db: Connection, study_id: int, options: Options) -> dict[str, Any]:
    """Return the settings of a report's job, with a fingerprint of its data."""
    rows = removal.data_of(db, study_id)
    return {
        "options": options.as_dict(),
        "turns": rows.get("turn", 0),
        "data": removal.mark(rows),
    }


def report_page(
    request: Request,
    account: Account,
    facts: dict[str, Any],
    typed: dict[str, str],
    error: ReportError | None = None,
) -> Response:
    """Render the page; without tables in `facts`, it shows no report."""
    r = {
        "tables": [],
        "counts": [],
        "few": "",
        "settings": "",
        "sha": "",
        "jobs_url": "",
        "json_url": "",
        "zip_url": "",
        **facts,
    }
    r["rvs"] = [("", "the study’s default"), *((one, one) for one in MAIN_RV)]
    r["error"], r["field"] = (error.message, IDS[error.field]) if error else ("", "")
    r["typed"] = {name: typed.get(name, "") for name in TYPED}
    page = admin_page(account, "study-report", f"Report: {facts['title']}")
    return render(request, "report/report.html", 422 if error else 200, page=page, r=r)


TYPED = ("seed", "replicates", "rv", "idle", "keep_excluded")


def count_text(count: Any) -> str:
    """Return a count, or counts by name, as text."""
    if isinstance(count, dict):
        return ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in count.items()) or "none"
    return str(count)


def table_view(
    made: Mapping[str, Any], table: Mapping[str, Any], own: str, query: str
) -> dict[str, Any]:
    """Return a table for the page, with its figure and its files."""
    name, table = table["name"], table_without_repeats(table)
    figure = next((n for n, one in draw.pictures().items() if one.table == name), None)
    drawn = None
    if figure is not None and table["rows"]:
        picture, base = draw.picture_of(made, figure), f"{own}/figures/{figure}"
        drawn = {
            "title": picture.title,
            "alt": f"{picture.alt} The table below has the numbers.",
            "url": f"{base}.svg?{query}",
            "downloads": [(s.upper(), f"{base}.{s}?{query}") for s in draw.SUFFIXES],
        }
    rows, reasons = few.marked(table, SHOWN_ROWS)
    return {
        "name": name,
        "title": table["title"],
        "note": table["note"],
        "terms": terms.terms_of(table),
        "heads": [
            {"label": column["label"], "num": column["kind"] != "text"}
            for column in table["columns"]
        ],
        "rows": rows,
        "reasons": reasons,
        "empty": worded(few.empty_words(name), bots=is_of_bots(made)),
        "more": max(0, len(table["rows"]) - SHOWN_ROWS),
        "figure": drawn,
        "downloads": [
            (label, f"{own}/tables/{name}.{suffix}?{query}")
            for label, suffix in (
                (f"{table['title']} as CSV", "csv"),
                (f"{table['title']} as LaTeX", "tex"),
                (f"Settings of {table['title']} as JSON", "json"),
            )
        ],
    }


@router.get("/report/report.json")
def download_report(
    request: Request, slug: str, server: ServerParts, account: Researcher
) -> Response:
    """Download the whole document, as `hjstudy report BUNDLE` makes it from an export."""
    del account
    mark = request.query_params.get("of", "")
    sha, made = reports.of(server.store, slug, read_options(request.query_params), mark)
    return as_download(canonical(made).encode(), named(slug, "report", sha, "json"))


@router.get("/report/report.zip")
def download_everything(
    request: Request, slug: str, server: ServerParts, account: Researcher
) -> Response:
    """Download everything that `hjstudy report BUNDLE` writes, as one ZIP file."""
    del account
    mark = request.query_params.get("of", "")
    sha, made = reports.of(server.store, slug, read_options(request.query_params), mark)
    name = named(slug, "report", sha, "zip")
    return StreamingResponse(
        files.stream_zip(made, name.removesuffix(".zip"), raw=is_raw(request)),
        media_type=KINDS["zip"],
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@router.get("/report/{folder}/{name}.{suffix}")
def download_part(
    request: Request,
    slug: str,
    folder: str,
    name: str,
    suffix: str,
    server: ServerParts,
    account: Researcher,
) -> Response:
    """Download one table or figure; the page also loads its figures from here."""
    del account
    mark = request.query_params.get("of", "")
    sha, made = reports.of(server.store, slug, read_options(request.query_params), mark)
    try:
        data = files.part(made, folder, name, suffix, raw=is_raw(request))
    except KeyError as error:
        raise studies.NoStudyError(f"The report has no {folder}/{name}.{suffix}.") from error
    return as_download(data, named(slug, name, sha, suffix))


def named(slug: str, name: str, sha: str, suffix: str) -> str:
    """Return a file's name; the report's short sha256 in it shows which files belong together."""
    return f"study-{slug}_{name}_{sha[:8]}.{suffix}"


def as_download(data: bytes, name: str) -> Response:
    """Return a file; pictures can be shown inline."""
    suffix = name.rpartition(".")[2]
    how = "inline" if suffix == "svg" else "attachment"
    headers = {"Content-Disposition": f'{how}; filename="{name}"'}
    return Response(data, media_type=KINDS[suffix], headers=headers)
