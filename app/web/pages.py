"""Rendering: one Jinja environment, the data every page needs, partials for htmx."""

import base64
import hashlib
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib import metadata
from pathlib import Path
from typing import Any

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app import paths
from app.errors import HjstudyError
from app.languages.catalogue import speech
from app.languages.text import Text, phrase, phrases
from app.paths import how_to_add
from app.study.design import studies
from app.study.play import clocks, players, steps
from app.study.play.game_words import as_said
from app.study.play.players import Player
from app.study.rights import NONE
from app.study.tickets import new_ticket
from app.web import spoken
from app.web.deps import FORM_KEY, Server, get_now, get_server
from app.web.peer import request_id
from app.web.static_files import asset
from app.web.still import Still
from app.web.whitespace import Unindented

HTMX_URL = "https://cdn.jsdelivr.net/npm/htmx.org@2.0.10/dist/htmx.min.js"
HTMX_INTEGRITY = "sha384-H5SrcfygHmAuTDZphMHqBJLc3FhssKjG7w/CeCpFReSfwBWDTKpkzPP8c+cLsK+V"
HTMX_PATH = "/static/htmx.js"
FIRST_ERROR = 400

# HTML in a study's texts is escaped and links can only be web addresses: nothing to sanitise.
markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


class HtmxMissingError(RuntimeError):
    """`htmx_source` is local, but the package with htmx is missing or has other content."""


@dataclass(slots=True)
class Page:
    """The attributes of `page` in every template."""

    name: str
    title: str
    kind: str = "plain"
    study: str = ""
    token_home: str = ""
    report_url: str = ""
    progress: list[dict[str, str]] = field(default_factory=list)
    progress_label: str = ""
    where: str = ""
    notice: str = ""
    preview: bool = False
    contact: str = ""
    account_name: str = ""
    logout_url: str = ""
    warning: str = ""
    warn_in_s: int = 0
    process_url: str = ""
    leave_url: str = ""
    language: str = ""  # of a player's page; '' = the language known for its address


@lru_cache(maxsize=2)
def make_environment(htmx_source: str) -> Environment:
    """Return the template environment, one per source of htmx: it keeps compiled templates."""
    env = Environment(
        loader=FileSystemLoader(paths.folder("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=[Unindented],
        auto_reload=False,  # otherwise every command would check the files of its partials
    )
    local = htmx_source == "local"
    url = f"{HTMX_PATH}?v=2.0.10" if local else HTMX_URL
    spoken.install(env)
    env.filters["as_said"] = as_said
    env.globals["asset"] = asset
    env.globals["still"] = Still(env)
    env.globals["htmx"] = {"url": url, "integrity": HTMX_INTEGRITY, "crossorigin": not local}
    return env


def local_htmx() -> bytes:
    """Return htmx from the installed package. Raises HtmxMissingError if missing or different."""
    try:
        files = metadata.files("django-htmx") or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.name == "htmx-2.min.js":
            content = Path(str(file.locate())).read_bytes()
            found = base64.b64encode(hashlib.sha384(content).digest()).decode()
            if f"sha384-{found}" == HTMX_INTEGRITY:
                return content
    raise HtmxMissingError(
        f"HJSTUDY_HTMX_SOURCE=local needs the package django-htmx 1.29. Run: "
        f"{how_to_add('offline')}. Without it, use HJSTUDY_HTMX_SOURCE=cdn."
    )


@lru_cache(maxsize=512)
def to_html(text: str) -> Markup:
    """Convert Markdown to HTML; any HTML in it is escaped."""
    return Markup(markdown.render(text))  # noqa: S704 - the renderer escapes HTML


def is_htmx(request: Request) -> bool:
    """Tell whether the request comes from htmx, so that a partial is enough."""
    return request.headers.get("hx-request") == "true"


def hidden_key(key: str) -> Markup:
    """Return the hidden field of every form behind a login; '' on a page without a login."""
    field = Markup('<input type="hidden" name="{}" value="{}">')
    return field.format(FORM_KEY, key) if key else Markup()


def hidden_ticket(ticket: str) -> Markup:
    """Return the hidden field with which a form that is sent twice does its work once."""
    return Markup(f'<input type="hidden" name="ticket" value="{escape(ticket)}">')  # noqa: S704 - ours


def render(
    request: Request,
    template: str,
    status: int = 200,
    *,
    may_look_up: bool = True,
    language: str = "",
    **context: Any,
) -> HTMLResponse:
    """Render a template.

    Args:
        request: what is answered.
        template: its file.
        status: the status of the response.
        may_look_up: whether a player's language may be read from the database if it is not known.
        language: of a part of a page; '' = that of the page, or the one known for its address.
        context: values for the template.
    """
    server, page = get_server(request), context.get("page")
    given = page.language if isinstance(page, Page) else language
    look_up = partial(language_of, server) if may_look_up else None
    code = server.languages.find(request.scope["path"], given, look_up)
    context["form_key"] = hidden_key(getattr(request.state, "form_key", ""))
    context["form_ticket"] = hidden_ticket(new_ticket())
    context["rights"] = getattr(request.state, "rights", NONE)  # of the account, in the study
    context["reference"] = request_id(request.scope) if status >= FIRST_ERROR else ""
    with spoken.speaking(speech(code)):
        text = server.env.get_template(template).render(context)
    return HTMLResponse(text, status, headers={"Vary": "HX-Request"})


def language_of(server: Server, place: str) -> str:
    """Return the language of a participant (`/p/...`) or a study (`/s/...`); '' if unknown."""
    _, kind, name = place.split("/")
    try:
        with server.store.read() as db:
            if kind == "p":
                return players.load(db, name).spec.language
            return studies.find(db, name).spec.language
    except HjstudyError:
        return ""


def see_other(url: str) -> Response:
    """Redirect after a post (303), which makes reload and back harmless."""
    return RedirectResponse(url, 303)


def go_to(request: Request, url: str) -> Response:
    """Go to another page: htmx follows its own header, a plain form a redirect."""
    if is_htmx(request):
        return Response(status_code=204, headers={"HX-Redirect": url})
    return see_other(url)


def player_page(player: Player, name: str, title: str, step: steps.Step | None = None) -> Page:
    """Return `page` for a participant's page."""
    home = f"/p/{player.token}"
    chapters = steps.chapters(player.progress)
    now = next((at for at, (_, state) in enumerate(chapters) if state == "now"), len(chapters) - 1)
    here = f"?from={step.path}" if step else ""
    warning = player.warning(get_now())
    return Page(
        name=name,
        title=title,
        kind="player",
        study=player.row.study_title,
        token_home=home,
        report_url=f"{home}/problem{here}",
        progress=[{"label": label, "state": state} for label, state in chapters],
        progress_label=phrase("Part {number} of {total}", number=now + 1, total=len(chapters)),
        where=steps.where(player.progress, step) if step else "",
        contact=player.spec.texts.contact,
        warning="" if warning is None else warning_text(warning),
        warn_in_s=0 if warning is None else warning.in_s,
        process_url=process_url(player, step),
        leave_url=f"{home}/leave" if player.row.state == "active" else "",
        preview=bool(player.row.is_test),
        language=player.spec.language,
    )


def warning_text(warning: clocks.Warn) -> Text:
    """Return the warning as a sentence, which may be shown some time after rendering."""
    left = phrase("Less than a minute left")
    if warning.minutes:
        left = phrases("About a minute left", "About {n} minutes left", warning.minutes)
    time = f"{warning.end:%H:%M}"
    return phrase(
        "{left}: this study ends for you at {time} UTC. Nothing you send after that is stored.",
        left=left,
        time=time,
    )


def process_url(player: Player, step: steps.Step | None) -> str:
    """Return where the script sends process data, or '' if the study records none."""
    if not player.spec.people.process_data or player.row.state != "active":
        return ""
    return f"/p/{player.token}/process" + (f"?page={step.path}" if step else "")
