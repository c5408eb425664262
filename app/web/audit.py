"""Record researchers' actions and downloads: what goes into the audit log, and when."""

from fastapi import Request

from app.study.people import audit
from app.study.people.accounts import fold_name
from app.study.people.audit import Action
from app.web.deps import SAFE_METHODS, Account, Server, get_now

# Pages that change nothing but show who participants are. Downloads are listed by name too; a test
# finds missing ones.
STUDY = "/admin/studies/{slug}"
SHOWS_PEOPLE = frozenset(
    {
        "/admin/search",
        "/admin/participants/{public_id}",
        f"{STUDY}/texts",
        f"{STUDY}/recruit",
        f"{STUDY}/recruit/import/check",
    }
)
DOWNLOADS = frozenset(
    {
        f"{STUDY}/bundle.zip",
        f"{STUDY}/download/{{table}}/{{flavour}}",
        f"{STUDY}/signed-manifest.json",
        f"{STUDY}/signs.csv",
        f"{STUDY}/recruit/{{name}}.csv",
        f"{STUDY}/design.yaml",
        f"{STUDY}/report/report.json",
        f"{STUDY}/report/report.zip",
        f"{STUDY}/report/{{folder}}/{{name}}.{{suffix}}",
        f"{STUDY}/jobs/{{job}}/file",
        f"{STUDY}/rating/items.csv",
        f"{STUDY}/rating/rounds/{{number}}/agreement/{{name}}",
        f"{STUDY}/audit.csv",
        "/admin/audit.csv",
    }
)
# Fields and query parameters that say what was done; never free text.
CHOICES = (
    *("action", "kind", "format", "shareable", "include_test", "include_practice", "raw"),
    *("role", "name", "times", "end"),
)
SHORT = 64


def is_recorded(method: str, path: str) -> bool:
    """Tell whether a route's requests are recorded: every change, every download."""
    return method not in SAFE_METHODS or path in DOWNLOADS or path in SHOWS_PEOPLE


def about(request: Request) -> str:
    """Return what a request is about: parts of its address, and choices in its form or query."""
    names = {key: value for key, value in request.path_params.items() if key != "slug"}
    sent: dict[str, str] = getattr(request.state, "sent", {})
    given = {**request.query_params, **sent}
    names |= {key: given[key] for key in CHOICES if given.get(key) and key not in names}
    words = (f"{key}={str(value)[:SHORT]}" for key, value in names.items())
    return " ".join(one if one.isprintable() else "?" for one in words)


def record(
    request: Request, server: Server, account: Account, path: str, *, study: str, is_allowed: bool
) -> None:
    """Record a request of a researcher, if its kind is recorded or it was refused."""
    if is_allowed and not is_recorded(request.method, path):
        return
    action = Action(
        account.id,
        account.name,
        f"{request.method} {path}",
        study,
        about(request),
        audit.ALLOWED if is_allowed else audit.REFUSED,
    )
    audit.record(server.store, action, get_now())


def record_failed_login(server: Server, name: str, verb: str) -> None:
    """Record a failed login. Run it after the response, whose time would tell which names exist."""
    audit.record_failed(server.store, fold_name(name), verb, get_now())


def record_login(server: Server, account: Account, verb: str) -> None:
    """Record a login or logout, or that a password was set."""
    audit.record(server.store, Action(account.id, account.name, verb), get_now())
