"""The page of somebody whose part has ended in any way but finishing: state first, page second."""

from typing import NamedTuple

from fastapi import Request
from starlette.responses import Response

from app.study.play.players import Player
from app.web.deps import get_now
from app.web.pages import player_page, render

RETURN = (
    "If you came from Prolific or another platform, please return your submission there. "
    "Returning it is not a rejection and does not count against you."
)
FULL = "All places were taken when you arrived, so you cannot take part now. We are sorry."
AGAIN = (
    "Being turned away does not count as having taken part: if a place becomes free you can open "
    "the link you were given again and start."
)
EARLIER = "You took part in an earlier study of ours, and we thank you for that."
AWAY = (
    "You were away for longer than a place can be kept, and others were waiting. The study is "
    "full now, so it ends here for you."
)
NO_FAULT = "This says nothing about you or how well you did."


class Words(NamedTuple):
    """What an outcome is called and what it means. `asks_return`: also when there is a code."""

    heading: str
    paragraphs: tuple[str, ...]
    asks_return: bool = False


WORDS = {
    "no_consent": Words(
        "You chose not to take part",
        ("That is quite all right. Nothing you did here is used. Thank you for reading.",),
    ),
    "screened_out": Words(
        "Thank you for your answers",
        ("This study looks for people with other answers, so it ends here for you.", NO_FAULT),
    ),
    "failed_check": Words(
        "The study ends here for you",
        ("Some answers about how to play were still not right after the last try.",),
        asks_return=True,
    ),
    "over_quota": Words(
        "The study is full",
        (FULL,),
    ),
    "withdrawn": Words("You have left the study", ("Thank you for the time you gave us.",)),
    "timed_out": Words(
        "The time for this study is over",
        ("The time in which this study can be done has run out, so it ends here for you.",),
    ),
    "technical": Words(
        "The study had to end here",
        ("Something went wrong on our side, and we are sorry. " + NO_FAULT,),
    ),
}
ERASED = "What you had done here has been deleted, as the study promised."
REASON_WORDS = {  # where the reason says more than the state; none of them has a code
    "former_participant": Words(
        "You have taken part before",
        ("This study needs people to whom this kind of game is new. " + EARLIER,),
    ),
    "study_full": Words("The study is full", (FULL, AGAIN)),
    "cells_full": Words("The study is full", (FULL, AGAIN)),
    "seat_lost": Words(
        "Your place has gone to somebody else",
        (AWAY,),
    ),
}
KEPT = "What you had done until then is kept, as the first page of the study said."


def outcome_page(request: Request, player: Player, status: int = 200, typed: str = "") -> Response:
    """Render how a participant's part ended, what to do now, and the code for it if there is one.

    `typed`: what was sent too late to be stored, so that it can be copied.
    """
    row, codes = player.row, player.spec.codes
    state = player.state_at(get_now())
    reason = row.end_reason if row.state == state else ""
    words = REASON_WORDS.get(reason, WORDS[state])
    code = "" if reason in REASON_WORDS else row.code or codes.of(state)
    paragraphs = list(words.paragraphs)
    if state == "withdrawn":
        paragraphs.append(KEPT if row.erased_at is None else ERASED)
    if words.asks_return or not code:
        paragraphs.append(RETURN)
    o = {
        "state": state,
        "reason": reason or state,
        "paragraphs": paragraphs,
        "code": code,
        "code_line": code_line(asks_return=words.asks_return),
        "return_url": codes.return_link(code),
        "return_label": "Hand in the code",
        "typed": typed,
    }
    page = player_page(player, "outcome", words.heading)
    page.progress, page.progress_label = [], ""
    page.leave_url, page.process_url = "", ""  # a clock may have run out and not be stored yet
    return render(request, "play/outcome.html", status, page=page, o=o)


def code_line(*, asks_return: bool) -> str:
    """Return in a sentence what the code is for."""
    if asks_return:
        return "If you are asked for a code there, give this one. It says how your part ended."
    return "Please paste this code where you found the study. It says how your part ended."
