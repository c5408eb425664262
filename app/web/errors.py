"""Error pages in plain words. All HTTP status codes of errors are set here."""

import re

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from app.errors import BusyError, HjstudyError, StoreError, UnavailableError
from app.game.command import InputError
from app.languages.text import phrase
from app.scoring.panel import PanelError
from app.study.agreement.data import DimensionError, NoRatingsError
from app.study.design.draft import StaleDesignError
from app.study.design.reference import NoReferenceError
from app.study.design.spec import StudyFileError
from app.study.design.studies import (
    ArchivedError,
    DraftOnlyError,
    KindError,
    NoStudyError,
    NotIdentifiableError,
    NotPublishedError,
    StudyExistsError,
)
from app.study.design.testlink import TestLinkError
from app.study.jobs import NoJobError
from app.study.models.runs import NoRunError
from app.study.models.watching import NoEpisodeError
from app.study.people.overview import NoParticipantError
from app.study.people.playback import HiddenGuardianError, NothingPlayedError
from app.study.people.single_sign_on import NotConnectedError
from app.study.play.arrival import BadIdError, IdNeededError, SignatureNeededError
from app.study.play.commands import EpisodeOverError, StaleSeqError
from app.study.play.enrol import OwnLinkError, StudyClosedError
from app.study.play.placeholders import PlaceholderError
from app.study.play.players import NoPlayerError, NotActiveError, NotThereError
from app.study.play.prolific_token import TokenError
from app.study.play.rule_form import StaleDraftError
from app.study.play.seats import TimedOutError, settle
from app.study.play.signed_links import EntryLinkError
from app.study.rating.adjudication import StaleAdjudicationError
from app.study.rating.rater_view import NotYoursError
from app.study.rating.rounds import NoRoundError, RoundStateError, StaleRoundError
from app.study.rating.sample_draws import NoSampleError
from app.study.rating.saving import (
    FinalError,
    RatingError,
    RoundClosedError,
    StaleRatingError,
)
from app.study.rating.undo import NoImportError
from app.study.report.live import HiddenError
from app.study.report.options import ReportError
from app.study.table_text import NotTableError
from app.study.text_checks import AnswerError
from app.study.uploads import NoUploadError
from app.web.access import RightNeededError
from app.web.agreement import NotMadeError
from app.web.deps import ForbiddenError, FormKeyError, LoginNeededError, get_now, get_server
from app.web.oidc import SingleSignOnError
from app.web.pages import Page, go_to, is_htmx, render, see_other
from app.web.play.outcome import outcome_page
from app.web.play.own_pages import load_any
from app.web.unavailable import read_sent, unavailable
from app.web.uploads import NotTextError

log = structlog.get_logger()
REPLAY = re.compile("(/admin/participants/[A-Za-z0-9_-]+)/replay")
OWN = re.compile("/p/[A-Za-z0-9_-]+")  # a player's own address
STAFF = re.compile(r"/admin/studies/[^/]+")

STATUS: dict[type[HjstudyError], int] = {
    NoStudyError: 404,
    NoPlayerError: 404,
    NotThereError: 404,
    NotYoursError: 404,
    NoParticipantError: 404,
    NothingPlayedError: 404,
    NoRoundError: 404,
    NoJobError: 404,
    NoUploadError: 404,
    DimensionError: 404,
    NoSampleError: 404,
    NoRunError: 404,
    NoEpisodeError: 404,
    StudyClosedError: 403,
    TestLinkError: 403,
    ForbiddenError: 403,
    RightNeededError: 403,
    FormKeyError: 403,
    HiddenError: 403,
    HiddenGuardianError: 403,
    BadIdError: 400,
    EntryLinkError: 403,
    NotConnectedError: 403,
    SingleSignOnError: 403,
    TokenError: 403,
    IdNeededError: 403,
    SignatureNeededError: 403,
    OwnLinkError: 403,
    PlaceholderError: 400,
    StaleSeqError: 409,
    StaleDraftError: 409,
    StaleDesignError: 409,
    StudyExistsError: 409,
    ArchivedError: 409,
    NotPublishedError: 409,
    NotActiveError: 409,
    EpisodeOverError: 409,
    StaleRatingError: 409,
    RoundClosedError: 409,
    NoRatingsError: 409,
    NotMadeError: 409,
    NoImportError: 404,
    KindError: 409,
    PanelError: 409,
    FinalError: 409,
    StaleRoundError: 409,
    StaleAdjudicationError: 409,
    RoundStateError: 409,
    RatingError: 422,
    InputError: 422,
    AnswerError: 422,
    StudyFileError: 422,
    ReportError: 422,
    NotIdentifiableError: 422,
    NotTextError: 415,
    NotTableError: 415,
    NoReferenceError: 500,
}
HEADINGS = {
    400: phrase("We could not use what you sent"),
    403: phrase("You cannot open this page"),
    404: phrase("We cannot find this page"),
    405: phrase("This page does not accept this kind of request"),
    408: phrase("What you sent took too long to arrive"),
    409: phrase("This page was out of date"),
    413: phrase("This is too long to send"),
    415: phrase("This file cannot be read"),
    421: phrase("This address is not ours"),
    422: phrase("Something is missing"),
    500: phrase("Something went wrong on our side"),
}
HELP = {
    404: phrase("Check the address, or open the link you were given again."),
    405: phrase("Please open the page again and use its buttons."),
    408: phrase(
        "Nothing was stored. Go back in your browser: what you typed is still there. Check your "
        "connection, then send it again."
    ),
    413: phrase(
        "Nothing was stored. Go back in your browser: what you typed is still there. Shorten it, "
        "then send it again."
    ),
    500: phrase("Nothing you sent before is lost. Please wait a moment and reload the page."),
}


def status_of(error: HjstudyError) -> int:
    """Return the HTTP status of one of our errors, 400 by default."""
    for kind in type(error).__mro__:
        if kind in STATUS:
            return STATUS[kind]
    return 400


def player_home(request: Request) -> str:
    """Return the address of the player's own page if the address contains a token, else ''."""
    found = OWN.match(request.url.path)
    return found[0] if found else ""


def message_page(request: Request, status: int, message: str, typed: str = "") -> Response:
    """Render an error as a page: what happened, what to do, what was typed."""
    heading = HEADINGS.get(status, HEADINGS[400])
    home = player_home(request)
    if status == 404 and request.url.path == home:  # noqa: PLR2004 - HTTP status
        home = ""  # it would lead back here
    actions = [{"href": home, "label": phrase("Continue where you left off")}] if home else []
    if replay := REPLAY.fullmatch(request.url.path):
        actions = [{"href": replay[1], "label": "Go to the participant’s page"}]
    paragraphs = [text for text in (message, HELP.get(status, "")) if text]
    m = {"heading": heading, "paragraphs": paragraphs, "actions": actions, "typed": typed}
    return render(request, "errors/message.html", status, page=Page("error", heading), m=m)


def typed_text(request: Request) -> str:
    """Return the text of a refused form, so that the page can show it again."""
    typed: dict[str, str] = getattr(request.state, "typed", {})
    kept = [text for name, text in typed.items() if name in KEPT or name.startswith("q_")]
    return "\n\n".join(text for text in kept if text.strip())


def ended_answer(request: Request) -> Response:
    """Show a participant whose part is over how it ended, with what they typed.

    Participants who have finished are redirected to the debrief.
    """
    home = player_home(request)
    if not home:
        return message_page(request, 409, NotActiveError().message)
    player = load_any(get_server(request), home.removeprefix("/p/"))
    typed = typed_text(request)
    ended = player.state_at(get_now()) not in {"active", "finished"}
    if is_htmx(request) or not ended or (request.method != "GET" and not typed):
        answer = go_to(request, home)
        if ended and typed:
            answer.headers["X-Late"] = "true"  # the script then sends it as a plain form
        return answer
    return outcome_page(request, player, 200 if request.method == "GET" else 409, typed)


async def lost_login(request: Request) -> Response:
    """Answer a form sent after the login expired with a page that can send it again."""
    sent = await read_sent(request)
    a = {
        "login": "/admin/login",
        "action": request.url.path,
        "fields": sent.fields,
        "files": sent.files,
    }
    return render(
        request, "people/login_lost.html", 401, page=Page("lost", "You are logged out"), a=a
    )


KEPT = {"raw", "text", "inputs", "output", "how", "found_how"}


def install(app: FastAPI) -> None:
    """Register the handlers."""
    install_states(app)
    install_rest(app)


def install_states(app: FastAPI) -> None:
    """Register the handlers of errors about logins, players' states and the database."""

    @app.exception_handler(LoginNeededError)
    async def login_needed(request: Request, _error: Exception) -> Response:
        if request.method == "GET":
            return see_other(f"/admin/login?next={request.url.path}")
        return await lost_login(request)

    @app.exception_handler(NotActiveError)
    def not_active(request: Request, _error: Exception) -> Response:
        return ended_answer(request)

    @app.exception_handler(DraftOnlyError)
    def draft_only(request: Request, error: DraftOnlyError) -> Response:
        own = STAFF.match(request.url.path)
        if own is None:
            return message_page(request, 404, error.message)
        heading = "This study is still a draft"
        actions = [{"href": f"{own[0]}/design", "label": "Go to the design"}]
        text = "This page appears when you open the study to players."
        m = {"heading": heading, "paragraphs": [text], "actions": actions, "typed": ""}
        return render(request, "errors/message.html", 404, page=Page("error", heading), m=m)

    @app.exception_handler(TimedOutError)
    def timed_out(request: Request, _error: Exception) -> Response:
        if request.method != "GET":  # a GET only shows it and changes nothing
            token = player_home(request).removeprefix("/p/")
            settle(get_server(request).store, token, get_now())
        return ended_answer(request)

    @app.exception_handler(BusyError)
    @app.exception_handler(UnavailableError)
    async def away(request: Request, error: StoreError) -> Response:
        return await unavailable(request, error)


def install_rest(app: FastAPI) -> None:
    """Register the handlers of every other error."""

    @app.exception_handler(HjstudyError)
    def ours(request: Request, error: HjstudyError) -> Response:
        status = status_of(error)
        return message_page(request, status, error.message, typed_text(request))

    @app.exception_handler(HTTPException)
    def http(request: Request, error: HTTPException) -> Response:
        return message_page(request, error.status_code, "", typed_text(request))

    @app.exception_handler(ClientDisconnect)
    async def gone(_request: Request, _error: Exception) -> Response:
        return Response(status_code=400)  # for no one, but the log gets a line, not a traceback

    @app.exception_handler(RequestValidationError)
    def bad_address(request: Request, _error: Exception) -> Response:
        return message_page(request, 404, "")

    @app.exception_handler(Exception)
    async def unexpected(request: Request, error: Exception) -> Response:
        log.error("request.failed", error=type(error).__name__)
        return message_page(request, 500, "")
