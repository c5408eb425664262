"""A participant's replay, step by step, with a slider, or with links without script."""

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BeforeValidator, Field
from starlette.responses import Response

from app.study.people import playback, signs
from app.web.deps import Researcher, ServerParts
from app.web.pages import is_htmx, render
from app.web.play.state_line import state_facts
from app.web.replay_links import Link, links
from app.web.researcher import admin_page

router = APIRouter(prefix="/admin/participants/{public_id}")
MOST = 10**6


def if_empty(value: object, default: int | None) -> object:
    """Return the default for an empty form field, any other value unchanged."""
    return default if value == "" else value


Number = Annotated[int, Field(ge=0, le=MOST)] | None
Rule = Annotated[str, Query(pattern=r"^([1-9][0-9]{0,5}\.[0-9]{1,6})?$")]
NUMBERS = {  # of `signs.NUMBERS`
    "chars": "characters written about rules",
    "keys": "keystrokes there",
    "pasted": "characters pasted there",
    "hidden_s": "longest time away from one such page (s)",
    "variation": "tempo (SD / mean of the gaps between commands)",
    "alike": "share of runs of words that another also wrote",
    "alike_with": "whose text it is like",
}
Guardian = Annotated[Number, BeforeValidator(partial(if_empty, default=None)), Query()]
Step = Annotated[Number, BeforeValidator(partial(if_empty, default=0)), Query()]


def place_of(rule: str) -> signs.Place | None:
    """Return the place that a link names as `world.guardian` (from 1; guardian 0 = whole world)."""
    if not rule:
        return None
    world, guardian = map(int, rule.split("."))
    return world - 1, guardian - 1


def link_to(public_id: str, place: signs.Place) -> str:
    """Return the address of the replay of the guardian before a rule; see `place_of`."""
    return f"/admin/participants/{public_id}/replay?rule={place[0] + 1}.{place[1] + 1}"


def signs_facts(row: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the signs that were seen, and every number behind them that is known."""
    if row is None:
        return None
    numbers = [(words, row[name]) for name, words in NUMBERS.items() if row[name] != ""]
    titles = [signs.DEFINITIONS[key][0] for key in signs.seen_in(row)]
    return {"seen": titles, "observed": row["observed"], "numbers": numbers}


def beside_it(own: str, found: playback.Playback) -> tuple[Link | None, Link | None]:
    """Return the guardians before and after, among those that can be replayed now."""
    at = [number for number, _ in found.titles].index(found.number)
    to = f"{own}/replay?episode="
    earlier = [Link(f"{to}{number}", title) for number, title in found.titles[:at]]
    later = [Link(f"{to}{number}&step=0", title) for number, title in found.titles[at + 1 :]]
    return next(reversed(earlier), None), next(iter(later), None)


@router.get("/replay")
def show_replay(
    request: Request,
    public_id: str,
    server: ServerParts,
    account: Researcher,
    episode: Guardian = None,
    step: Step = None,
    rule: Rule = "",
    *,
    beside: Annotated[bool, Query(alias="signs")] = False,
) -> Response:
    """Show one episode after a number of actions, as the player saw it.

    Signs of automation stand beside it only for those who ask: they read the whole study.
    """
    with server.store.read() as db:
        found = playback.load(db, server.library, public_id, episode, step, place_of(rule))
        partly, asked = is_htmx(request), beside or rule != ""
        signs_row = signs.of_person(db, found.study_id, public_id) if asked and not partly else None
    own = f"/admin/participants/{public_id}"
    here = f"{own}/replay?episode={found.number}"
    p = {
        "public_id": public_id,
        "person_url": own,
        "action": f"{own}/replay",
        "treatment": found.treatment,
        "number": found.number,
        "is_hidden": found.is_hidden,
        "titles": found.titles,
        "step": found.step,
        "last": found.last,
        "at": found.at,
        "since": found.since,
        "stated": found.stated,
        "signs": signs_facts(signs_row),
        "signs_url": "" if asked else f"{here}&step={found.step}&signs=1",
    } | links(f"{here}&step=", found.step, found.last, *beside_it(own, found))
    g = {
        "view": found.view,
        "kind": found.kind,
        "state": state_facts(found.state, found.view, found.spec),
        "lines": found.lines,
        "options": found.spec.options,
    }
    if is_htmx(request):
        return render(request, "people/_playback.html", p=p, g=g)
    page = admin_page(account, "replay", f"Replay of {public_id}")
    return render(request, "people/playback.html", page=page, p=p, g=g)
