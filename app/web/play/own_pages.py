"""/p/<token>: a participant's own pages, except the game and the rule form."""

from collections.abc import Sequence
from datetime import datetime

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.languages.amounts import money
from app.languages.moments import moment
from app.languages.text import Text, joined, phrase, phrases
from app.study.design.spec import StudySpec
from app.study.design.spec_people import Pay
from app.study.play import earned, players, results, rule_form, steps
from app.study.play.players import NotActiveError, Player
from app.study.play.seats import TimedOutError
from app.study.tickets import new_ticket
from app.web.deps import Now, RawForm, Server, ServerParts, get_now, site_url
from app.web.forms import Place
from app.web.pages import go_to, player_page, render, see_other, to_html
from app.web.play.codes import code_facts
from app.web.play.consent import base_line, score_line
from app.web.play.said_commands import commands_of

router = APIRouter(prefix="/p/{token}")
FINISHED = phrase("You have finished.")
NO_CODE = phrase("You have finished. There is no code to submit.")
STATED = phrase(
    "In some worlds you do not play. Instead, you say in a form, once, what it takes to defeat "
    "a guardian."
)
ALL_STATED = phrase(
    "Here you do not play. Instead, you say in a form, once, what it takes to defeat a guardian."
)


def own_link(request: Request, server: Server, player: Player) -> str:
    """Return the address that brings a participant back from any device."""
    return f"{site_url(request, server)}/p/{player.token}"


def load(server: Server, token: str) -> Player:
    """Return a participant who is under way or has finished.

    Raises NoPlayerError, NotActiveError: their part has ended some other way; errors.py shows how.
    TimedOutError: a clock has run out, perhaps without being stored yet.
    """
    return under_way(load_any(server, token))


def under_way(player: Player) -> Player:
    """Return the participant. Raises NotActiveError, TimedOutError."""
    if player.has_ended:
        raise NotActiveError
    if player.state_at(get_now()) == "timed_out":
        raise TimedOutError("clock")
    return player


def load_any(server: Server, token: str) -> Player:
    """Return a participant in any state, in its own read transaction."""
    with server.store.read() as db:
        return players.load(db, token)


def home(player: Player) -> Response:
    """Redirect to the current step."""
    return see_other(f"/p/{player.token}/{player.present.path}")


def receipt_page(
    request: Request,
    player: Player,
    step: steps.Step,
    answers: Sequence[tuple[str, str]],
    at: datetime | None,
    title: str = phrase("Your answer is saved"),
) -> Response:
    """Show what was sent, read-only.

    `at`: when it was sent; None if a researcher unstuck the participant here instead.
    """
    e = {
        "answers": answers,
        "next_url": f"/p/{player.token}",
        "next_label": phrase("Continue"),
        "at": "" if at is None else moment(at),
    }
    page = player_page(player, "receipt", title, step)
    return render(request, "play/rule/receipt.html", page=page, e=e)


@router.get("")
def show_step(token: str, server: ServerParts) -> Response:
    """Redirect to the participant's current step."""
    return home(load(server, token))


@router.get("/world/{block}")
def show_world(request: Request, token: str, block: Place, server: ServerParts) -> Response:
    """Announce the world that a participant is about to enter; redirect from anywhere else."""
    player = load(server, token)
    step = player.present
    if block == 1 or step.block != block - 1:
        return home(player)
    facts = player.progress.blocks[step.block]
    w = {
        "number": block,
        "total": len(player.blocks),
        "guardians": len(facts.episodes),
        "direct": facts.direct,
        "next_url": f"/p/{token}/{step.path}",
    }
    page = player_page(player, "world", phrase("World {n}: another rule", n=block), step)
    return render(request, "play/world.html", page=page, w=w)


@router.get("/instructions")
def show_instructions(request: Request, token: str, server: ServerParts) -> Response:
    """Show the instructions, which stay readable at any time."""
    player = load(server, token)
    step = player.step(steps.INSTRUCTIONS)
    texts, options = player.spec.texts, player.spec.options
    i = {
        "text_html": to_html(texts.instructions),
        "facts": facts(player),
        "verbs": commands_of(server, player),
        "action": f"/p/{token}/instructions",
        "ticket": new_ticket(),
        "own_link": own_link(request, server, player),
        "budget_shown": options.show_budget,
    }
    page = player_page(player, "instructions", phrase("How to play"), step)
    return render(request, "play/instructions.html", page=page, i=i)


def facts(player: Player) -> list[Text]:
    """Return what the study consists of, in sentences; the practice only while it is ahead."""
    number = len(player.blocks)
    minutes = player.spec.texts.minutes
    stated = [block.direct for block in player.progress.blocks]
    found = [
        phrases(
            "You will visit one world, which has one rule.",
            "You will visit {n} worlds. Each world has its own rule.",
            number,
        ),
        asked_for(player),
        *([ALL_STATED if all(stated) else STATED] if any(stated) else []),
        joined(
            (
                phrases("It takes about {n} minute.", "It takes about {n} minutes.", minutes),
                score_line(player.spec),
            )
        ),
        *coming_back(player.spec),
    ]
    return (
        [*found[:2], phrase("A short practice comes first."), *found[2:]]
        if practice(player) and player.row.practice_at is None
        else found
    )


def asked_for(player: Player) -> Text:
    """Return when the rule is asked for."""
    each = [len(block.episodes) for block in player.progress.blocks]
    after_guardians = player.spec.rule_form.when == "episode"
    if (sum(each) if after_guardians else len(each)) == 1:
        return phrase("Afterwards we ask you what you think the rule is.")
    if after_guardians:
        return phrase("After each guardian we ask you what you think the rule is.")
    return phrase("After each world we ask you what you think the rule is.")


def coming_back(spec: StudySpec) -> list[Text]:
    """Return sentences that say what the clocks mean for a player who takes a break."""
    clocks, people = spec.clocks, spec.people
    hours = min(clocks.session_hours, clocks.resume_hours)
    found = [
        phrases(
            "You can close the page and come back through your own link within an hour.",
            "You can close the page and come back through your own link within {n} hours.",
            hours,
        )
    ]
    if people.quota or any(cell.quota for cell in spec.cells()):
        found.append(
            phrases(
                "Your place is kept for {n} minute after your last action. After that, it may go "
                "to someone else.",
                "Your place is kept for {n} minutes after your last action. After that, it may go "
                "to someone else.",
                clocks.seat_minutes,
            )
        )
    return found


def practice(player: Player) -> bool:
    """Tell whether the study has a practice."""
    return player.progress.practice is not None


@router.post("/instructions")
def leave_instructions(
    request: Request, token: str, raw: RawForm, server: ServerParts, now: Now
) -> Response:
    """Record that the instructions were read."""
    rule_form.leave(server.store, token, steps.INSTRUCTIONS, raw.get("ticket", ""), now)
    return go_to(request, f"/p/{token}")


@router.post("/practice/leave")
def leave_practice(
    request: Request, token: str, raw: RawForm, server: ServerParts, now: Now
) -> Response:
    """Leave the practice once it is won."""
    rule_form.leave(server.store, token, steps.PRACTICE, raw.get("ticket", ""), now)
    return go_to(request, f"/p/{token}")


def bonus_line(pay: Pay, cents: int | None) -> str:
    """Return the bonus of someone who has finished, in words; '' if the study has none.

    `cents`: None if the page must not tell how much it is.
    """
    most = money(pay.currency, pay.bonus_cap_cents)
    if not (pay.bonus.strip() and pay.bonus_cap_cents):
        return ""
    if cents is None:
        return phrase(
            "The researcher works out your bonus, of up to {most}, after checking your part.",
            most=most,
        )
    if cents == 0:
        return phrase("You have not earned a bonus.")
    return phrase(
        "Your bonus: {amount}. It is paid after the researcher has checked your part.",
        amount=money(pay.currency, cents),
    )


@router.get("/end")
def show_debrief(request: Request, token: str, server: ServerParts) -> Response:
    """Show the debrief with the code, which only the finish transaction creates."""
    player = load(server, token)
    if player.row.state != "finished":
        return home(player)
    code = player.row.code or ""
    handed = code_facts(player.spec.codes, code, phrase("Finish and submit the code"))
    with server.store.read() as db:
        found = results.results_of(db, server.library, player)
        bonus = earned.bonus_to_tell(db, player)
    d = {
        "text_html": to_html(player.spec.texts.debrief),
        **handed,
        "code_lines": [joined([FINISHED, handed["hand_in"]]) if code else NO_CODE],
        "own_link": own_link(request, server, player),
        "paid_line": base_line(player.spec),
        "bonus_line": bonus_line(player.spec.payment, bonus),
        "results": [(one, results.in_words(one)) for one in found],
        "leave_url": f"/p/{token}/leave",
    }
    page = player_page(player, "debrief", phrase("Thank you"), player.step(steps.DEBRIEF))
    return render(request, "play/debrief.html", page=page, d=d)
