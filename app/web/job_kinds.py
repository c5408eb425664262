"""What a job's page says and offers, by kind of job, in one table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from app.study.agreement.cache import AGREEMENT
from app.study.database import Connection
from app.study.design.studies import NoStudyError
from app.study.export.deidentify import DEIDENTIFY
from app.study.export.encode import FORMATS
from app.study.jobs import JobView
from app.study.models.starting import JUDGE, MODEL
from app.study.report.options import Options
from app.study.report.work import BUNDLE, PLAN, REPORT, VERIFY
from app.study.rights import Right
from app.study.uploads import CHECK, IMPORT, JUDGES, LIST, MODELS, RESULTS
from app.web.export import FLAG_NAMES, coarse_fields, coarse_params
from app.web.rating.rounds import number_of
from app.web.report import job_params, query_of, read_options

PLACES = {  # where: kind of file -> address of its form, name and address of the page with it
    LIST: ("recruit/import", "Recruitment", "recruit"),
    MODELS: ("rating/models", "Rating", "rating"),
    JUDGES: ("rating/judges", "Rating", "rating"),
    RESULTS: ("report/models", "Model results", "report/models"),
}
NEEDED = {LIST: Right.MONEY, MODELS: Right.RATE, JUDGES: Right.RATE, RESULTS: Right.EDIT}
Fields = list[tuple[str, str]]
Url = Callable[[str, JobView], str]  # takes the address of the study's page
Typed = Mapping[str, str]  # the fields of a sent form
Asked = Callable[[Connection, int, Typed], dict[str, Any]]  # takes the study's id and the form


def sees(_params: Mapping[str, Any]) -> Right:
    """Return the right to see a study."""
    return Right.SEE


def exports_page(own: str, _found: JobView) -> tuple[str, str]:
    """Return the name and address of the page of exports."""
    return "Exports", f"{own}/exports"


def nowhere(_own: str, _found: JobView) -> str:
    """Return '': the job's own page shows the result."""
    return ""


def jobs_url(own: str, _found: JobView) -> str:
    """Return the address of the form that starts jobs by kind."""
    return f"{own}/jobs"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job, as its page shows it.

    `again`: the fields of a form that starts the same work again, and `again_url` where it goes.
    `needed`: the right to start it, and to see its result. `home`: name and address of the page
    where such work starts. `onward`: the address of its result, '' if its own page shows it.
    `asked`: the job's settings as read from that form, if the form goes to the address of jobs;
    None if it goes to a page of its own.
    """

    title: str
    again: Callable[[JobView], Fields]
    needed: Callable[[Mapping[str, Any]], Right] = sees
    home: Callable[[str, JobView], tuple[str, str]] = exports_page
    onward: Url = nowhere
    again_url: Url = jobs_url
    asked: Asked | None = None


def nothing_asked(_db: Connection, _study_id: int, _raw: Typed) -> dict[str, Any]:
    """Return no settings: this work has none."""
    return {}


def report_asked(db: Connection, study_id: int, raw: Typed) -> dict[str, Any]:
    """Return the settings of a report, with a fingerprint of its data."""
    return job_params(db, study_id, read_options(raw))


def options_of(found: JobView) -> Options:
    """Return the settings of a report's job."""
    return Options(**found.params["options"])


def report_url(own: str, found: JobView) -> str:
    """Return the address of the report that a job has made."""
    return f"{own}/report?{query_of(options_of(found), found.result['sha'])}"


def report_fields(found: JobView) -> Fields:
    """Return the fields that start a report."""
    query = query_of(options_of(found), "").split("&")
    settings = [(name, text) for name, _, text in (one.partition("=") for one in query)]
    return [("kind", REPORT), *settings]


def bundle_right(params: Mapping[str, Any]) -> Right:
    """Return the right that a bundle needs."""
    return Right.SEE if params.get("shareable") else Right.PEOPLE


def bundle_asked(_db: Connection, _study_id: int, raw: Typed) -> dict[str, Any]:
    """Return the settings of a bundle. Raises NoStudyError for an unknown format."""
    flavour = raw.get("format", "csv")
    if flavour not in FORMATS:
        raise NoStudyError(f"There is no bundle format '{flavour[:64]}'.")
    params: dict[str, Any] = {"flavour": flavour, **{name: name in raw for name in FLAG_NAMES}}
    return params | (coarse_params(raw) if params["shareable"] else {})


def bundle_fields(found: JobView) -> Fields:
    """Return the fields that start a bundle."""
    flags = [(name, "1") for name in FLAG_NAMES if found.params[name]]
    named = [("kind", BUNDLE), ("format", found.params["flavour"])]
    return [*named, *flags, *coarse_fields(found.params)]


def verify_fields(_found: JobView) -> Fields:
    """Return the field that starts a verification."""
    return [("kind", VERIFY)]


def file_right(params: Mapping[str, Any]) -> Right:
    """Return the right that a file needs."""
    return NEEDED[params["place"]]


def file_home(own: str, found: JobView) -> tuple[str, str]:
    """Return the name and address of the page where a file is uploaded."""
    _, name, page = PLACES[found.params["place"]]
    return name, f"{own}/{page}"


def file_fields(found: JobView) -> Fields:
    """Return the fields that send a file again."""
    return [("upload", found.params["upload"]), *found.params["given"].items()]


def form_url(own: str, found: JobView) -> str:
    """Return the address of a file's form."""
    return f"{own}/{PLACES[found.params['place']][0]}"


def checked_url(own: str, found: JobView) -> str:
    """Return the address that shows what is in a file."""
    return f"{form_url(own, found)}/check?job={found.id}"


def store_url(own: str, found: JobView) -> str:
    """Return the address that stores a file."""
    return f"{form_url(own, found)}/store"


def stored_url(own: str, found: JobView) -> str:
    """Return the address that shows what was stored of a file."""
    page = file_home(own, found)[1]
    if found.params["place"] == LIST:
        return f"{page}?job={found.id}"
    return f"{page}?new={found.result['new']}&same={found.result['same']}"


def model_right(params: Mapping[str, Any]) -> Right:
    """Return the right that a model's run needs."""
    return Right.RATE if params["run_kind"] == JUDGE else Right.EDIT


def run_url(own: str, found: JobView) -> str:
    """Return the address of the run that a job works on."""
    return f"{own}/report/models/runs/{found.params['run']}"


def run_home(own: str, found: JobView) -> tuple[str, str]:
    """Return the name and address of the page of a run."""
    return "Model run", run_url(own, found)


def resume_url(own: str, _found: JobView) -> str:
    """Return the address that continues a run."""
    return f"{own}/report/models/resume"


def run_fields(found: JobView) -> Fields:
    """Return the field that continues a run."""
    return [("run", str(found.params["run"]))]


def plan_url(own: str, _found: JobView) -> str:
    """Return the address of the form of plans."""
    return f"{own}/plan"


def plan_home(own: str, found: JobView) -> tuple[str, str]:
    """Return the name and address of the page of plans."""
    return "What if", plan_url(own, found)


def planned_url(own: str, found: JobView) -> str:
    """Return the address of a plan, which stands below the form."""
    return f"{plan_url(own, found)}?job={found.id}#plan-h"


def round_right(_params: Mapping[str, Any]) -> Right:
    """Return the right that the report of a rating round needs."""
    return Right.RATE


def round_url(own: str, found: JobView) -> str:
    """Return the address of a rating round."""
    return f"{own}/rating/rounds/{found.params['round']}"


def round_home(own: str, found: JobView) -> tuple[str, str]:
    """Return the name and address of the page of a rating round."""
    return f"Round {found.params['round']}", round_url(own, found)


def agreement_url(own: str, found: JobView) -> str:
    """Return the address of an agreement report."""
    return f"{round_url(own, found)}/agreement?{urlencode({'of': found.params['dimension']})}"


def agreement_asked(_db: Connection, _study_id: int, raw: Typed) -> dict[str, Any]:
    """Return the settings of an agreement report. Raises NoRoundError."""
    return {"round": number_of(raw.get("round", "")), "dimension": raw.get("of", "")[:16]}


def agreement_fields(found: JobView) -> Fields:
    """Return the fields that start an agreement report."""
    asked = ("round", str(found.params["round"])), ("of", found.params["dimension"])
    return [("kind", AGREEMENT), *asked]


def deidentify_url(own: str, found: JobView) -> str:
    """Return the address of a de-identification report."""
    return f"{own}/deidentification?{urlencode(coarse_fields(found.params))}"


def deidentify_asked(_db: Connection, _study_id: int, raw: Typed) -> dict[str, Any]:
    """Return the settings of a de-identification report."""
    return coarse_params(raw)


def deidentify_fields(found: JobView) -> Fields:
    """Return the fields that start a de-identification report."""
    return [("kind", DEIDENTIFY), *coarse_fields(found.params)]


def plan_fields(found: JobView) -> Fields:
    """Return the fields that start a plan."""
    return list(found.params.items())


KINDS = {
    REPORT: Kind("Making the report", report_fields, onward=report_url, asked=report_asked),
    BUNDLE: Kind("Writing the bundle", bundle_fields, bundle_right, asked=bundle_asked),
    AGREEMENT: Kind(
        *("Computing the agreement", agreement_fields, round_right, round_home, agreement_url),
        asked=agreement_asked,
    ),
    DEIDENTIFY: Kind(
        "Making the de-identification report",
        deidentify_fields,
        onward=deidentify_url,
        asked=deidentify_asked,
    ),
    VERIFY: Kind("Verifying the log", verify_fields, asked=nothing_asked),
    CHECK: Kind("Checking the file", file_fields, file_right, file_home, checked_url, form_url),
    IMPORT: Kind("Importing the file", file_fields, file_right, file_home, stored_url, store_url),
    MODEL: Kind("Asking the model", run_fields, model_right, run_home, run_url, resume_url),
    PLAN: Kind("Simulating the design", plan_fields, sees, plan_home, planned_url, plan_url),
}
