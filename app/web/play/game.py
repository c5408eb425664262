"""The game page and its commands: main episodes and the practice."""

from datetime import datetime
from http import HTTPStatus
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.game import world
from app.game.command import InputError
from app.game.world import Observation, State
from app.languages.text import phrase
from app.study.database import AnyRow, Connection
from app.study.play import commands, players, rule_form, steps
from app.study.play.commands import EpisodeOverError, Extras, Played, StaleSeqError
from app.study.play.new_blocks import PRACTICE_POSITION
from app.study.play.players import Player
from app.study.play.transcript import line_of, lines_of
from app.study.tickets import new_ticket
from app.web.deps import Now, RawForm, Server, ServerParts
from app.web.forms import Place, read_count
from app.web.pages import go_to, is_htmx, player_page, render, see_other
from app.web.play.own_pages import home, under_way
from app.web.play.state_line import state_facts

router = APIRouter(prefix="/p/{token}")


def read_extras(raw: dict[str, str]) -> Extras:
    """Return what the browser's script reports about a command; ignore invalid values."""
    return Extras(
        read_count(raw.get("client_ms", ""), commands.MAX_MS),
        read_count(raw.get("think_ms", ""), commands.MAX_MS),
        read_count(raw.get("taps", ""), 10_000),
    )


class Spot(NamedTuple):
    """An episode of a participant; block -1 is the practice."""

    token: str
    block: int
    position: int


class Board:
    """Everything the game templates need for one episode of one participant."""

    def __init__(
        self, request: Request, server: Server, db: Connection, player: Player, row: AnyRow
    ) -> None:
        self.request, self.server, self.player, self.row = request, server, player, row
        self.practice = players.is_practice(row)
        self.view = server.library.view(db, row.variant_hash, row.variant_episode)
        self.rows = commands.stored(db, row.id)
        self.world = server.library.world(db, row.variant_hash, row.variant_episode)
        self.notes = rule_form.read_draft(db, player.id, self.notes_page)

    @property
    def notes_page(self) -> str:
        """Return the page name under which the block's notes are stored."""
        return f"notes/{self.row.block_position}"

    @property
    def step(self) -> steps.Step:
        """Return the episode's step."""
        if self.practice:
            return self.player.step(steps.PRACTICE)
        return self.player.step(steps.GAME, self.row.block_position, self.row.position)

    @property
    def path(self) -> str:
        """Return the episode's address."""
        return f"/p/{self.player.token}/{self.step.path}"

    def state(self) -> State:
        """Return the episode's state, rebuilt from the log."""
        return replayed(self.world, [row.raw for row in self.rows])

    def urls(self) -> dict[str, str]:
        """Return the addresses of the page's forms and links."""
        token, row = self.player.token, self.row
        after = "practice/leave" if self.practice else "next"
        rule = "" if self.practice else next_after(self.player, row).path
        return {
            "act": self.path,
            "next": f"/p/{token}/{rule}" if rule else f"/p/{token}/{after}",
            "notes": f"/p/{token}/notes/{row.block_position + 1}",
            "report": f"/p/{token}/problem?from={self.path.removeprefix(f'/p/{token}/')}",
            "skip": "",
        }

    def context(self, *, typed: str = "", alert: str = "") -> dict[str, Any]:
        """Return `g` of the templates."""
        lines = lines_of(self.rows)
        fields, revision = self.notes
        options = self.player.spec.options
        return {
            "kind": self.row.kind,
            "urls": self.urls(),
            "next_label": phrase("Continue"),
            "view": self.view,
            "variant": self.row.variant_hash,
            "episode": self.row.variant_episode,
            "state": state_facts(self.state(), self.view, self.player.spec),
            "lines": lines,
            "newest": lines[-1] if lines else None,
            "typed": typed,
            "alert": alert,
            "notes": {
                "text": fields.get("text", ""),
                "revision": revision,
                "ticket": new_ticket(),
            },
            "options": {
                "show_budget": options.show_budget,
                "show_attempt": options.show_attempt,
                "tap": options.tap,
                "sort": options.sort,
                "pin": options.pin,
            },
            "ticket": new_ticket(),
        }

    def page(self, status: int = 200, *, typed: str = "", alert: str = "") -> Response:
        """Render the whole page."""
        name = "practice" if self.practice else "game"
        title = phrase("Defeat {name}", name=self.view.goal.entity)
        title = phrase("Practice") if self.practice else title
        page = player_page(self.player, name, title, self.step)
        g = self.context(typed=typed, alert=alert)
        return render(self.request, "play/game/game.html", status, page=page, g=g)

    def last_line(self) -> Response:
        """Render the line that ended the episode and what comes next."""
        g = self.context()
        answer = render(self.request, "play/game/_turn.html", g={**g, "lines": g["lines"][-1:]})
        answer.headers["X-Seq"] = str(self.rows[-1].seq)
        return answer

    def log(self, status: int, *, typed: str, alert: str) -> Response:
        """Render the whole log for htmx, for a page that was out of date."""
        g = self.context(typed=typed, alert=alert)
        answer = render(self.request, "play/game/_log.html", status, g=g)
        answer.headers["HX-Retarget"] = "#log-lines"
        answer.headers["HX-Reswap"] = "innerHTML"
        if status == HTTPStatus.OK:
            answer.headers["X-Seq"] = str(g["state"]["seq"] - 1)
        return answer


def replayed(here: world.World, raws: list[str]) -> State:
    """Return the state after a log."""
    turned = world.replay(here, raws)
    return turned[-1][1] if turned else world.start(here)


def next_after(player: Player, row: AnyRow) -> steps.Step:
    """Return the step that follows an episode."""
    path = player.progress.steps
    here = player.step(steps.GAME, row.block_position, row.position)
    return path[path.index(here) + 1]


def open_board(request: Request, server: Server, spot: Spot) -> tuple[Board, steps.Step]:
    """Return an episode's board and step. Raises NoPlayerError, NotThereError."""
    with server.store.read() as db:
        player = under_way(players.load(db, spot.token))
        if spot.block == PRACTICE_POSITION:
            step = player.step(steps.PRACTICE)
        else:
            step = player.step(steps.GAME, spot.block, spot.position)
        row = player.episode(spot.block, spot.position)
        return Board(request, server, db, player, row), step


# Routes are tried in order, and commands are the most frequent requests.
@router.post("/world/{block}/guardian/{position}")
def act_game(
    request: Request,
    token: str,
    block: Place,
    position: Place,
    raw: RawForm,
    server: ServerParts,
    now: Now,
) -> Response:
    """Play one command."""
    return act(request, server, Spot(token, block - 1, position - 1), raw, now)


@router.post("/practice")
def act_practice(
    request: Request, token: str, raw: RawForm, server: ServerParts, now: Now
) -> Response:
    """Play one command in the practice."""
    return act(request, server, Spot(token, PRACTICE_POSITION, 0), raw, now)


def act(
    request: Request, server: Server, spot: Spot, raw: dict[str, str], now: datetime
) -> Response:
    """Play one command and return the new lines, or say why it was not played."""
    text = raw.get("raw", "")
    seq = read_count(raw.get("seq", ""), commands.MAX_SEQ) or 0
    try:
        played = server.table.act(*spot, seq, text, now, read_extras(raw))
    except InputError as error:
        return refused(request, server, spot, text, error.message)
    except (StaleSeqError, EpisodeOverError) as error:
        return outdated(request, server, spot, text, error.message)
    except players.NotThereError:
        return go_to(request, f"/p/{spot.token}")
    if not is_htmx(request):
        return see_other(request.url.path)
    if played.observation is None or played.state.done:
        board, _ = open_board(request, server, spot)
        return board.last_line() if played.observation else board.log(200, typed="", alert="")
    return turn_fragment(request, played, played.observation)


def turn_fragment(request: Request, played: Played, observation: Observation) -> Response:
    """Render one new line and the updated state."""
    state = played.state
    line = line_of(played.seq, played.raw, observation, played.message, state.attempt)
    g = {
        "lines": [line],
        "newest": line,
        "state": state_facts(state, played.view, played.spec),
        "alert": "",
        "options": played.spec.options,
    }
    answer = render(request, "play/game/_turn.html", language=played.spec.language, g=g)
    answer.headers["X-Seq"] = str(played.seq)
    return answer


@router.get("/practice")
def show_practice(request: Request, token: str, server: ServerParts) -> Response:
    """Show the practice."""
    return show(request, server, Spot(token, PRACTICE_POSITION, 0))


@router.get("/world/{block}/guardian/{position}")
def show_game(
    request: Request, token: str, block: Place, position: Place, server: ServerParts
) -> Response:
    """Show an episode: a finished one stays readable, a future one redirects."""
    return show(request, server, Spot(token, block - 1, position - 1))


def show(request: Request, server: Server, spot: Spot) -> Response:
    """Show an episode's page, or redirect to the current step."""
    board, step = open_board(request, server, spot)
    return home(board.player) if board.player.is_future(step) else board.page()


def refused(request: Request, server: Server, spot: Spot, text: str, message: str) -> Response:
    """Answer text that cannot be a command: 422, nothing stored, the text is shown again."""
    if is_htmx(request):
        answer = render(request, "play/game/_alert.html", 422, g={"alert": message})
        answer.headers["HX-Reswap"] = "none"
        return answer
    board, step = open_board(request, server, spot)
    if board.player.is_future(step):
        return home(board.player)
    return board.page(422, typed=text, alert=message)


def outdated(request: Request, server: Server, spot: Spot, text: str, message: str) -> Response:
    """Answer a command for an outdated state: 409, the current state, the text is shown again."""
    board, step = open_board(request, server, spot)
    if board.player.is_future(step):
        return home(board.player)
    if is_htmx(request):
        return board.log(409, typed=text, alert=message)
    return board.page(409, typed=text, alert=message)
