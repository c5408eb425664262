"""The page of a participant whose part ended without finishing; it depends on their state."""

from typing import NamedTuple

from fastapi import Request
from starlette.responses import Response

from app.languages.text import joined, phrase
from app.study.design.studies import StudyView
from app.study.play.players import Player
from app.web.deps import get_now
from app.web.pages import Page, player_page, render
from app.web.play.codes import code_facts

RETURN = phrase(
    "If you came from Prolific or another platform, please return your submission there. "
    "Returning it is not a rejection and does not count against you."
)
FULL = phrase("All places were taken when you arrived, so you cannot take part now. We are sorry.")
AGAIN = phrase(
    "This does not count as taking part. If a place becomes free, you can start by opening the "
    "link you were given again."
)
EARLIER = phrase("You took part in another study of ours. Thank you for that.")
ONLY_NEW = phrase("This study is only for people who were not in that one.")
AWAY = phrase(
    "You were away for longer than we can keep a place, and others were waiting. The study is "
    "now full, so it ends here for you."
)
NO_FAULT = phrase("This says nothing about you or how well you did.")


class Words(NamedTuple):
    """How an outcome is explained. `asks_return`: ask for a return even if there is a code."""

    heading: str
    paragraphs: tuple[str, ...]
    asks_return: bool = False


WORDS = {
    "no_consent": Words(
        phrase("You chose not to take part"),
        (phrase("That is fine. Nothing you did here will be used. Thank you for your time."),),
    ),
    "screened_out": Words(
        phrase("Thank you for your answers"),
        (
            phrase(
                "Your answers do not match what this study is looking for, so it ends here for you."
            ),
            NO_FAULT,
        ),
    ),
    "failed_check": Words(
        phrase("The study ends here for you"),
        (phrase("Some answers about how to play were still wrong after your last try."),),
        asks_return=True,
    ),
    "over_quota": Words(
        phrase("The study is full"),
        (FULL,),
    ),
    "withdrawn": Words(
        phrase("You have left the study"), (phrase("Thank you for the time you gave us."),)
    ),
    "timed_out": Words(
        phrase("Your time for this study is over"),
        (phrase("You have reached the time limit of this study, so it ends here for you."),),
    ),
    "technical": Words(
        phrase("The study had to end here"),
        (joined((phrase("Something went wrong on our side, and we are sorry."), NO_FAULT)),),
    ),
}
ERASED = phrase("What you did here has been deleted, as the study promised.")
REASON_WORDS = {  # reasons that say more than the state; none of them has a code
    "former_participant": Words(
        phrase("You have taken part before"),
        (joined((EARLIER, ONLY_NEW)),),
    ),
    "study_full": Words(phrase("The study is full"), (FULL, AGAIN)),
    "cells_full": Words(phrase("The study is full"), (FULL, AGAIN)),
    "seat_lost": Words(
        phrase("Your place has gone to someone else"),
        (AWAY,),
    ),
}
KEPT = phrase("What you did before that is kept, as the first page of the study said.")


def outcome_page(request: Request, player: Player, status: int = 200, typed: str = "") -> Response:
    """Render how a participant's part ended, what to do now, and the code if there is one.

    `typed`: text that arrived too late to be stored, shown so that it can be copied.
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
    handed = code_facts(codes, code, asks_return=words.asks_return)
    o = {
        "state": state,
        "reason": reason or state,
        "paragraphs": paragraphs,
        **handed,
        "code_line": joined([handed["hand_in"], phrase("It says how your part ended.")]),
        "typed": typed,
        "has_link": True,
    }
    page = player_page(player, "outcome", words.heading)
    page.progress, page.progress_label = [], ""
    page.leave_url, page.process_url = "", ""  # a clock may have run out without being stored yet
    return render(request, "play/outcome.html", status, page=page, o=o)


def full_page(request: Request, study: StudyView) -> Response:
    """Say that a study is full to someone who would have had to wait; nothing is stored."""
    reason = "study_full"
    words = REASON_WORDS[reason]
    o = {
        "state": "over_quota",
        "reason": reason,
        "paragraphs": [*words.paragraphs, RETURN],
        "code": "",
        "code_line": "",
        "return_url": "",
        "return_label": "",
        "typed": "",
        "has_link": False,
    }
    contact = study.spec.texts.contact
    page = Page("outcome", words.heading, "player", study.title, contact=contact)
    page.language = study.spec.language
    return render(request, "play/outcome.html", page=page, o=o)
