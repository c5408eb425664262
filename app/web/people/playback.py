"""A participant's replay, step by step, with a slider, or with links without script."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BeforeValidator, Field
from starlette.responses import Response

from app.study.people import playback
from app.web.deps import Researcher, ServerParts
from app.web.pages import is_htmx, render
from app.web.play.state_line import state_facts
from app.web.researcher import admin_page

router = APIRouter(prefix="/admin/participants/{public_id}")
MOST = 10**6


def if_empty(value: object, default: int | None) -> object:
    """Return the default for an empty form field, any other value unchanged."""
    return default if value == "" else value


Number = Annotated[int, Field(ge=0, le=MOST)] | None
Guardian = Annotated[Number, BeforeValidator(partial(if_empty, default=None)), Query()]
Step = Annotated[Number, BeforeValidator(partial(if_empty, default=0)), Query()]


@router.get("/replay")
def show_replay(
    request: Request,
    public_id: str,
    server: ServerParts,
    account: Researcher,
    episode: Guardian = None,
    step: Step = None,
) -> Response:
    """Show one episode after a number of actions, as the player saw it."""
    with server.store.read() as db:
        found = playback.load(db, server.library, public_id, episode, step)
    own = f"/admin/participants/{public_id}"
    here = f"{own}/replay?episode={found.number}"
    p = {
        "public_id": public_id,
        "person_url": own,
        "action": f"{own}/replay",
        "number": found.number,
        "is_hidden": found.is_hidden,
        "titles": found.titles,
        "step": found.step,
        "last": found.last,
        "at": found.at,
        "since": found.since,
        "stated": found.stated,
        "before": f"{here}&step={found.step - 1}" if found.step else "",
        "after": f"{here}&step={found.step + 1}" if found.step < found.last else "",
    }
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
