"""The rule form, its drafts, and the notes."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from app.languages.text import Number, phrase
from app.study.play import canary, rule_form, steps
from app.study.play.players import NotActiveError, NotThereError, Player
from app.study.play.rule_form import StaleDraftError
from app.study.play.seats import TimedOutError
from app.study.play.transcript import own_lines
from app.study.text_checks import LIMIT, AnswerError
from app.study.tickets import new_ticket
from app.web.deps import Now, RawForm, Server, ServerParts
from app.web.forms import Place, read_count
from app.web.pages import go_to, is_htmx, player_page, render, see_other
from app.web.play.own_pages import home, load, receipt_page

router = APIRouter(prefix="/p/{token}")
TYPED = {
    "text": "",
    "inputs": "",
    "output": "",
    "how": "",
    "found_how": "",
    "do_not_know": "",
    "unchanged": "",
    "confidence": "",
}
QUESTIONS = {
    "text": phrase("What is the rule, in your own words?"),
    "inputs": phrase("Which of the guardians' traits matter?"),
    "output": phrase("What do they decide?"),
    "how": phrase("How do they decide it?"),
    "confidence": phrase("How sure are you, from 0 (a guess) to 100 (certain)?"),
    "found_how": phrase("How did you find it?"),
    "do_not_know": phrase("I do not know the rule"),
    "unchanged": phrase("My rule has not changed since my last answer"),
}
EXAMPLES = {"output": phrase("For example, in another game: which dish a guest is served.")}
SAVED = phrase("Saved.")
MAX_REVISION = 10**9
DRAFT, NOTES = "play/rule/_draft_status.html", "play/game/_notes_status.html"


@router.get("/world/{block}/guardian/{position}/rule")
def show_rule(
    request: Request, token: str, block: Place, position: Place, server: ServerParts
) -> Response:
    """Show the rule form after an episode, or its receipt."""
    return show(request, server, token, block - 1, position - 1)


@router.get("/world/{block}/rule")
def show_block_rule(request: Request, token: str, block: Place, server: ServerParts) -> Response:
    """Show the rule form after a block, or its receipt."""
    return show(request, server, token, block - 1, steps.AFTER_BLOCK)


def show(request: Request, server: Server, token: str, block: int, after: int) -> Response:
    """Show the form or the receipt; redirect from a step not reached yet."""
    player = load(server, token)
    step = player.step(steps.RULE, block, after)
    if step.done:
        return receipt(request, server, player, step)
    if player.present != step:
        return home(player)
    return form_page(request, server, player, step)


def receipt(request: Request, server: Server, player: Player, step: steps.Step) -> Response:
    """Show what was sent, read-only."""
    with server.store.read() as db:
        row = rule_form.stored(db, player, step)
    answers, at = ([], None) if row is None else (rule_form.answers_of(row), row.created_at)
    return receipt_page(request, player, step, answers, at)


def form_page(
    request: Request,
    server: Server,
    player: Player,
    step: steps.Step,
    status: int = 200,
    typed: dict[str, str] | None = None,
    errors: dict[str, str] | None = None,
    notice: str = "",
) -> Response:
    """Render the rule form with what was typed, else with the draft."""
    r = form_context(server, player, step)
    if typed is not None:
        r["typed"] = {name: typed.get(name, "") for name in TYPED}
    r["errors"] = errors or {}
    page = player_page(player, "rule", phrase("What is the rule?"), step)
    page.notice = notice
    template = "play/rule/_rule.html" if is_htmx(request) and errors else "play/rule/rule.html"
    return render(request, template, status, page=page, r=r)


def form_context(server: Server, player: Player, step: steps.Step) -> dict[str, Any]:
    """Return `r` of the templates: the form, the accounts and the player's own transcript."""
    positions = [row for row in player.episodes if row.block_position == step.block]
    shown = [row for row in positions if step.episode in {steps.AFTER_BLOCK, row.position}]
    action = f"/p/{player.token}/{step.path}"
    with server.store.read() as db:
        draft, revision = rule_form.read_draft(
            db, player.id, rule_form.page_of(step.block, step.episode)
        )
        view = server.library.view(db, shown[-1].variant_hash, shown[-1].variant_episode)
        logs = own_lines(db, player, shown)
        last = rule_form.last_answer(db, player, step.block)
        notes, _ = rule_form.read_draft(db, player.id, f"notes/{step.block}")
    form = player.spec.rule_form
    return {
        "form": form.parts,
        "fields": rule_form.RULE[form.parts],
        "most": Number(LIMIT),
        "ask_confidence": form.confidence,
        "ask_found_how": form.found_how,
        "options": {"pin": player.spec.options.pin, "sort": player.spec.options.sort},
        "canary": canary.sentence_of(player.row.public_id) if player.spec.options.canary else "",
        "view": view,
        "own_log": logs,
        "notes": notes.get("text", ""),
        "action": action,
        "draft_action": f"{action}/draft",
        "ticket": new_ticket(),
        "draft": {"state": "", "message": "", "revision": revision},
        "typed": {**TYPED, **draft},
        "last": last,
        "examples": EXAMPLES,
        "questions": QUESTIONS,
        "outcome_text": "" if player.is_direct(step.block) else outcome(shown),
    }


def outcome(rows: list[Any]) -> str:
    """Return a sentence that says how the guardians before this form went."""
    won = sum(row.state == "won" for row in rows)
    if len(rows) == 1:
        name = rows[0].entity
        if won:
            return phrase("You defeated {name}.", name=name)
        return phrase("{name} was not defeated this time.", name=name)
    return phrase(
        "You defeated {number} of {total} guardians of this world.", number=won, total=len(rows)
    )


@router.post("/world/{block}/guardian/{position}/rule")
def submit_rule(
    request: Request,
    token: str,
    block: Place,
    position: Place,
    raw: RawForm,
    server: ServerParts,
    now: Now,
) -> Response:
    """Store an explanation."""
    return submit(request, server, token, (block - 1, position - 1), raw, now)


@router.post("/world/{block}/rule")
def submit_block_rule(
    request: Request, token: str, block: Place, raw: RawForm, server: ServerParts, now: Now
) -> Response:
    """Store an explanation of a whole block."""
    return submit(request, server, token, (block - 1, steps.AFTER_BLOCK), raw, now)


def submit(
    request: Request,
    server: Server,
    token: str,
    place: tuple[int, int],
    raw: dict[str, str],
    now: Any,
) -> Response:
    """Store an explanation and go on; on an error, show the form again with what was typed."""
    block, after = place
    try:
        rule_form.submit(server.store, token, block, after, raw, raw.get("ticket", ""), now)
    except AnswerError as error:
        player = load(server, token)
        step = player.step(steps.RULE, block, after)
        return form_page(request, server, player, step, 422, raw, error.problems)
    except NotThereError:
        return home(load(server, token))
    player = load(server, token)
    if steps.enters_world(player.progress, block):
        return go_to(request, f"/p/{token}/world/{player.present.block + 1}")
    return go_to(request, f"/p/{token}")


@router.post("/world/{block}/guardian/{position}/rule/draft")
def save_draft(
    request: Request,
    token: str,
    block: Place,
    position: Place,
    raw: RawForm,
    server: ServerParts,
    now: Now,
) -> Response:
    """Store the draft of a rule form."""
    return keep_draft(request, server, token, (block - 1, position - 1), raw, now)


@router.post("/world/{block}/rule/draft")
def save_block_draft(
    request: Request, token: str, block: Place, raw: RawForm, server: ServerParts, now: Now
) -> Response:
    """Store the draft of a block's rule form."""
    return keep_draft(request, server, token, (block - 1, steps.AFTER_BLOCK), raw, now)


def keep_draft(
    request: Request,
    server: Server,
    token: str,
    place: tuple[int, int],
    raw: dict[str, str],
    now: Any,
) -> Response:
    """Store a draft; answer the script with a status line, a plain form with the page."""
    content = {name: raw[name] for name in TYPED if name in raw}
    revision = read_count(raw.get("revision", ""), MAX_REVISION) or 0
    try:
        player = load(server, token)
        step = player.step(steps.RULE, *place)
        saved = rule_form.save_draft(
            server.store, token, rule_form.page_of(*place), content, revision, now
        )
    except (AnswerError, StaleDraftError, NotActiveError, TimedOutError) as error:
        status = 422 if isinstance(error, AnswerError) else 409
        if wants_status(request):
            return status_line(request, DRAFT, status, error.message, revision)
        if isinstance(error, NotActiveError | TimedOutError):
            raise
        problems = error.problems if isinstance(error, AnswerError) else {"form": error.message}
        return form_page(request, server, player, step, status, raw, problems)
    if wants_status(request):
        return status_line(request, DRAFT, 200, SAVED, saved)
    return see_other(f"/p/{token}/{step.path}")


def wants_status(request: Request) -> bool:
    """Tell whether the request is a background save by the script."""
    return is_htmx(request) or request.headers.get("x-autosave") == "true"


def status_line(request: Request, template: str, status: int, text: str, revision: int) -> Response:
    """Render the line that says whether a text is saved; it contains the new revision."""
    state = {200: "saved", 409: "stale"}.get(status, "refused")
    n = {"state": state, "message": text, "revision": revision}
    return render(request, template, status, n=n)


@router.post("/notes/{block}")
def save_notes(
    request: Request,
    token: str,
    block: Annotated[int, Path(ge=0, le=10_000)],
    raw: RawForm,
    server: ServerParts,
    now: Now,
) -> Response:
    """Store the notes of a world (0 = the practice)."""
    revision = read_count(raw.get("revision", ""), MAX_REVISION) or 0
    content = {"text": raw.get("text", "")}
    try:
        player = load(server, token)
        if block:
            player.block(block - 1)
        saved = rule_form.save_draft(
            server.store, token, f"notes/{block - 1}", content, revision, now
        )
    except (AnswerError, StaleDraftError, NotActiveError, TimedOutError) as error:
        status = 422 if isinstance(error, AnswerError) else 409
        if not wants_status(request):
            raise
        return status_line(request, NOTES, status, error.message, revision)
    if wants_status(request):
        return status_line(request, NOTES, 200, SAVED, saved)
    return home(player)
