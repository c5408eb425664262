"""The page of people who agreed but must wait, because many come from their address at once.

Their signed address holds the consent form's fields and their turn. Only a keyed hash of them and
the time of their turn are stored, until it is over, so that they keep it if they come again.
"""

from dataclasses import dataclass
from datetime import datetime
from math import ceil
from urllib.parse import urlencode

from fastapi import Request
from starlette.responses import Response

from app.languages.text import phrase, phrases
from app.moments import from_ms
from app.study.design.studies import StudyView
from app.study.keys import is_signed, signature
from app.study.play.arrival import Arrival
from app.study.play.pace import LATE, Turn
from app.web.deps import Server
from app.web.pages import Page, render

KEY = "waiting"
DUE, KEPT, PASS = "due", "kept", "pass"
MOST_REFRESH_S = 30  # so that the time shown stays true
MOST_DIGITS = 15
MINUTE_S = 60
Fields = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Place:
    """What a waiting person's address holds."""

    fields: Fields
    ticket: str
    turn: Turn

    def is_over(self, now: datetime) -> bool:
        """Tell whether the turn has gone by."""
        return now > self.turn.due + LATE


def address(server: Server, slug: str, fields: Fields, turn: Turn) -> str:
    """Return the signed address at which someone waits for their turn."""
    due = str(ceil(turn.due.timestamp() * 1000))
    kept = [(name, value) for name, value in fields if name not in {DUE, KEPT, PASS}]
    pairs = [*kept, (DUE, due), (KEPT, str(int(turn.is_kept)))]
    seal = signature(server.keys.signing(KEY), slug, urlencode(pairs))
    return f"/s/{slug}/wait?{urlencode([*pairs, (PASS, seal)])}"


def read(server: Server, slug: str, pairs: Fields) -> Place | None:
    """Read such an address; return None if it is not ours."""
    given = dict(pairs)
    own = [(name, value) for name, value in pairs if name != PASS]
    key = server.keys.signing(KEY)
    if not is_signed(key, given.get(PASS, ""), slug, urlencode(own)):
        return None
    turn = Turn(from_ms(int(given[DUE])), is_kept=given[KEPT] == "1")
    return Place(own, given["ticket"], turn)


def wait_page(
    request: Request, study: StudyView, arrival: Arrival, turn: Turn, now: datetime
) -> Response:
    """Say how long to wait; the page asks again by itself, without a script.

    Only this address tells whose turn it is if the person has no ID; their browser may keep it.
    """
    left_s = max(1, ceil((turn.due - now).total_seconds()))
    w = {
        "title": study.title,
        "left": spell(left_s),
        "is_kept": turn.is_kept,
        "is_nameless": turn.is_kept and not arrival.external_id,
        "study": f"/s/{study.slug}",
        "until_s": left_s + int(LATE.total_seconds()),
        "url": f"{request.url.path}?{request.url.query}",
    }
    page = Page(
        "wait", phrase("Please wait"), "player", study.title, contact=study.spec.texts.contact
    )
    page.language = study.spec.language
    answer = render(request, "play/wait.html", page=page, w=w)
    answer.headers["Refresh"] = str(min(left_s, MOST_REFRESH_S))
    return answer


def spell(seconds: int) -> str:
    """Return a time to wait in words."""
    if seconds < MINUTE_S:
        return phrases("1 second", "{n} seconds", seconds)
    return phrases("1 minute", "{n} minutes", ceil(seconds / MINUTE_S))
