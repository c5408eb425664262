"""Who may open which researcher's page: what each route needs, checked before any route runs.

A route without a row is closed to everyone, and a test reports it.
"""

from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy import Connection

from app.errors import StudyError
from app.study.design import members
from app.study.design.members import Who
from app.study.design.studies import NoStudyError
from app.study.people import overview
from app.study.people.overview import NoParticipantError
from app.study.rights import NONE, Right, allows, roles_with
from app.web import audit
from app.web.deps import (
    Account,
    ForbiddenError,
    LoginNeededError,
    Server,
    current_account,
    give_server,
)

RATERS = "/rate"  # annotators' pages check whose item it is themselves
SEE, PEOPLE, EDIT = (Right.SEE,), (Right.PEOPLE,), (Right.EDIT,)
MONEY, RATE, OWN = (Right.MONEY,), (Right.RATE,), (Right.OWN,)
SOME = tuple(Right)  # any member; the route checks further
RESEARCHER: tuple[Right, ...] = ()  # not about one study: every researcher
HOME, STUDY, PERSON = "/admin", "/admin/studies/{slug}", "/admin/participants/{public_id}"
MODELS, RATING = f"{STUDY}/report/models", f"{STUDY}/rating"
ROUND = f"{RATING}/rounds/{{number}}"
NEEDS: dict[str, tuple[Right, ...]] = {
    f"GET {HOME}": RESEARCHER,
    f"GET {HOME}/new-study": RESEARCHER,
    f"POST {HOME}/new-study": RESEARCHER,
    f"GET {HOME}/tasks/{{task}}": RESEARCHER,
    f"GET {HOME}/archive": RESEARCHER,
    f"GET {HOME}/search": PEOPLE,
    f"GET {HOME}/annotators": RATE,
    f"POST {HOME}/annotators": RATE,
    f"POST {HOME}/annotators/{{name}}/{{verb}}": RATE,
    f"GET {HOME}/variants/{{variant_hash}}": (Right.SEE, Right.RATE),
    f"GET {PERSON}": PEOPLE,
    f"GET {PERSON}/replay": PEOPLE,
    f"POST {PERSON}/actions": PEOPLE,
    f"GET {STUDY}": SEE,
    f"GET {STUDY}/monitor": SEE,
    f"GET {STUDY}/signs": PEOPLE,
    f"GET {STUDY}/signs.csv": PEOPLE,
    f"GET {STUDY}/exports": SEE,
    f"GET {STUDY}/deidentification": SEE,
    f"GET {STUDY}/bundle.zip": SEE,  # the full one: PEOPLE
    f"GET {STUDY}/signed-manifest.json": PEOPLE,
    f"GET {STUDY}/download/{{table}}/{{flavour}}": PEOPLE,
    f"GET {STUDY}/texts": PEOPLE,
    f"POST {STUDY}/texts": PEOPLE,
    f"GET {STUDY}/report": SEE,
    f"GET {STUDY}/report/report.json": SEE,
    f"GET {STUDY}/report/report.zip": SEE,
    f"GET {STUDY}/report/{{folder}}/{{name}}.{{suffix}}": SEE,
    f"GET {MODELS}": SEE,
    f"GET {MODELS}/check": EDIT,
    f"GET {MODELS}/runs": SEE,
    f"GET {MODELS}/runs/{{number}}": SEE,
    f"GET {MODELS}/runs/{{number}}/episodes/{{episode}}": SEE,
    f"GET {MODELS}/start": EDIT,
    f"POST {MODELS}/start": EDIT,
    f"POST {MODELS}/resume": (Right.EDIT, Right.RATE),  # by the kind of run
    f"GET {RATING}/judges/run": RATE,
    f"POST {RATING}/judges/run": RATE,
    f"GET {MODELS}/keys": EDIT,
    f"POST {MODELS}/keys": EDIT,
    f"POST {MODELS}/keys/revoke": EDIT,
    f"POST {MODELS}": EDIT,
    f"POST {MODELS}/store": EDIT,
    f"POST {MODELS}/remove": EDIT,
    f"GET {STUDY}/plan": SEE,
    f"POST {STUDY}/plan": SEE,
    f"POST {STUDY}/jobs": SOME,  # by the kind of work
    f"GET {STUDY}/jobs/{{job}}": SOME,
    f"GET {STUDY}/jobs/{{job}}/file": SOME,
    f"GET {STUDY}/design": SEE,
    f"GET {STUDY}/design.yaml": SEE,
    f"GET {STUDY}/design-file": SEE,
    f"POST {STUDY}/design-file": EDIT,
    f"GET {STUDY}/design/{{section}}": SEE,
    f"POST {STUDY}/design/{{section}}": EDIT,
    f"GET {STUDY}/cell": SEE,
    f"GET {STUDY}/open": SEE,
    f"POST {STUDY}/actions/{{verb}}": EDIT,
    f"GET {STUDY}/try": EDIT,
    f"POST {STUDY}/try": EDIT,
    f"POST {STUDY}/try/jump": EDIT,
    f"GET {STUDY}/recruit": MONEY,
    f"GET {STUDY}/recruit/import/check": MONEY,
    f"GET {STUDY}/recruit/{{name}}.csv": MONEY,
    f"POST {STUDY}/recruit/import": MONEY,
    f"POST {STUDY}/recruit/import/store": MONEY,
    f"POST {STUDY}/recruit/bonus/sent": MONEY,
    f"POST {STUDY}/recruit/links": MONEY,
    f"POST {STUDY}/recruit/links/given": MONEY,
    f"GET {RATING}": RATE,
    f"POST {RATING}/gather": RATE,
    f"GET {RATING}/items.csv": RATE,
    f"GET {RATING}/models/check": RATE,
    f"POST {RATING}/models": RATE,
    f"POST {RATING}/models/store": RATE,
    f"POST {RATING}/models/delete": RATE,
    f"GET {RATING}/judges/check": RATE,
    f"POST {RATING}/judges": RATE,
    f"POST {RATING}/judges/store": RATE,
    f"POST {RATING}/judges/delete": RATE,
    f"POST {RATING}/samples": RATE,
    f"GET {RATING}/samples/{{number}}": RATE,
    f"GET {RATING}/rounds/new": RATE,
    f"POST {RATING}/rounds/new": RATE,
    f"GET {ROUND}": RATE,
    f"GET {ROUND}/close": RATE,
    f"GET {ROUND}/edit": RATE,
    f"POST {ROUND}/edit": RATE,
    f"POST {ROUND}/{{verb}}": RATE,
    f"POST {ROUND}/raters/handover": RATE,
    f"POST {ROUND}/raters/go-on": RATE,
    f"GET {RATING}/planner": RATE,
    f"GET {ROUND}/agreement": RATE,
    f"GET {ROUND}/agreement/{{name}}": RATE,
    f"GET {ROUND}/adjudicate": RATE,
    f"GET {ROUND}/adjudicate/{{place}}": RATE,
    f"POST {ROUND}/adjudicate/{{place}}": RATE,
    f"GET {STUDY}/remove": OWN,
    f"POST {STUDY}/remove/{{verb}}": OWN,
    f"GET {STUDY}/members": OWN,
    f"POST {STUDY}/members": OWN,
    f"POST {STUDY}/members/remove": OWN,
    f"GET {STUDY}/audit": OWN,
    f"GET {STUDY}/audit.csv": OWN,
    f"GET {HOME}/account": RESEARCHER,
    f"POST {HOME}/account/logins": RESEARCHER,
    f"POST {HOME}/account/disconnect": RESEARCHER,
    f"POST {HOME}/account/second-factor": RESEARCHER,
    f"POST {HOME}/account/second-factor/off": RESEARCHER,
    f"GET {HOME}/audit": RESEARCHER,
    f"GET {HOME}/audit.csv": RESEARCHER,
}
ADMINS = frozenset({f"GET {HOME}/audit", f"GET {HOME}/audit.csv"})  # administrators only


class RightNeededError(StudyError):
    """The account's role in the study does not include this page or action."""

    code = "account/right_needed"

    def __init__(self, needed: tuple[Right, ...]) -> None:
        named = " or ".join(roles_with(needed)) or "administrator"
        super().__init__(
            f"Your role in this study does not include this. It needs the role {named}. An owner "
            "of the study can change your role on its Members page."
        )


def admitted(
    request: Request,
    server: Annotated[Server, Depends(give_server)],
    account: Annotated[Account | None, Depends(current_account)],
) -> None:
    """Let only those in who may open the route. Every router behind a login depends on it.

    Raises LoginNeededError, ForbiddenError, RightNeededError; NoStudyError, NoParticipantError for
    what the account must not know exists.
    """
    path = request.scope["route"].path
    if path.startswith(RATERS):
        return
    if account is None:
        raise LoginNeededError
    if account.role != "researcher":
        raise ForbiddenError
    with server.store.read() as db:
        study = study_named(db, request.path_params)
        own = rights_here(db, account.who, request.path_params, study)
    request.state.rights = own
    refusal = refusal_of(account, f"{request.method} {path}", own)
    is_allowed = refusal is None
    audit.record(request, server, account, path, study=study, is_allowed=is_allowed)
    if refusal is not None:
        raise refusal


def refusal_of(account: Account, route: str, own: frozenset[Right]) -> StudyError | None:
    """Return why an account may not use a route, or None."""
    needed = NEEDS.get(route)
    if needed is None or (route in ADMINS and not account.is_admin):
        return ForbiddenError()
    return RightNeededError(needed) if needed and not allows(own, needed) else None


def study_named(db: Connection, names: dict[str, str]) -> str:
    """Return the address of the study that a request is about; '' = none."""
    if "public_id" in names:
        return overview.slug_of(db, names["public_id"])
    return names.get("slug", "")


def rights_here(db: Connection, who: Who, names: dict[str, str], study: str) -> frozenset[Right]:
    """Return what an account may do in the study that an address is about.

    Without a study in the address: in any of its studies. Raises NoStudyError, NoParticipantError.
    """
    if "slug" in names or "public_id" in names:
        own = members.rights_in(db, who, study)
        if own:
            return own
        if "public_id" in names:
            raise NoParticipantError
        raise NoStudyError(f"There is no study '{study}' here.")
    if "variant_hash" in names:
        own = members.rights_for_variant(db, who, names["variant_hash"])
        if not own:
            raise NoStudyError("There is no such variant here.")
        return own
    return members.rights_anywhere(db, who)


def rights(request: Request) -> frozenset[Right]:
    """Return what the account may do in the study that the page is about."""
    found: frozenset[Right] = getattr(request.state, "rights", NONE)
    return found


def demand(request: Request, *needed: Right) -> None:
    """Check a right that depends on more than the address. Raises RightNeededError."""
    if not allows(rights(request), needed):
        raise RightNeededError(needed)
