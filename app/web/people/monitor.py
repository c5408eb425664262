"""The live monitor of a study, refreshed by htmx, or by reloading without script."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.background import BackgroundTask
from starlette.responses import Response

from app.study.design import draft
from app.study.people import monitor
from app.study.rights import Right
from app.web.access import rights
from app.web.deps import Now, Researcher, ServerParts
from app.web.pages import is_htmx, render, see_other
from app.web.researcher import admin_page

router = APIRouter(prefix="/admin/studies/{slug}")
REFRESH_S = 5


@router.get("/monitor")
def show_monitor(
    request: Request,
    slug: str,
    server: ServerParts,
    account: Researcher,
    now: Now,
    live: Annotated[int, Query(ge=0, le=1)] = 1,
) -> Response:
    """Show the monitor: the whole page, or only the part that changes for htmx."""
    own = f"/admin/studies/{slug}"
    with server.store.read() as db:
        study = draft.load(db, slug).published
        if study is None:  # no one can have entered yet
            return see_other(f"{own}/design")
        found, is_old = monitor.look(db, server.library, server.watching, study, now)
    w = found | {
        "title": study.title,
        "study_url": own,
        "url": f"{own}/monitor",
        "live": bool(live),
        "refresh_s": REFRESH_S,
    }
    if Right.PEOPLE not in rights(request):
        w |= {"problems": [], "more": len(w["people"]) + w["more"], "people": []}
        w["pay"] = w["pay"] | {"quick": len(w["pay"]["quick"])}  # how many, not who
    if is_htmx(request):
        answer = render(request, "people/_monitor.html", w=w)
    else:
        page = admin_page(account, "monitor", study.title)
        answer = render(request, "people/monitor.html", page=page, w=w)
    if is_old:  # runs after the response is sent
        parts = (server.store, server.library, server.watching)
        answer.background = BackgroundTask(monitor.renew, *parts, study, now)
    return answer
