"""The page and the table of signs that a program or a language model may have played."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.csv_text import csv_table
from app.study.design.studies import hides_outcomes
from app.study.people import signs
from app.web.deps import Researcher, ServerParts
from app.web.pages import render
from app.web.people.playback import link_to
from app.web.researcher import admin_page, as_file, find_study, is_raw

router = APIRouter(prefix="/admin/studies/{slug}")


@router.get("/signs")
def show_signs(request: Request, slug: str, server: ServerParts, account: Researcher) -> Response:
    """Show who has signs, the numbers behind them, and what each sign means."""
    study = find_study(server, slug)
    with server.store.read() as db:
        stored = signs.read(db, study.id)
        rows = signs.of_study(db, study.id, stored)
    places = {} if hides_outcomes(study.spec, study.state) else signs.rule_places(stored)
    own = f"/admin/studies/{slug}"
    seen = [signs.seen_in(row) for row in rows]
    s = {
        "title": study.title,
        "study_url": own,
        "table_url": f"{own}/signs.csv",
        "definitions": [
            (title, text, sum(key in one for one in seen))
            for key, (title, text) in signs.DEFINITIONS.items()
        ],
        "people": [
            {
                **row,
                "signs": [signs.DEFINITIONS[key][0] for key in one],
                "url": f"/admin/participants/{row['participant']}",
                "replay_url": link_to(name, places[name])
                if (name := row["participant"]) in places
                else "",
            }
            for row, one in zip(rows, seen, strict=True)
            if one
        ],
        "number": len(rows),
        "unobserved": sum(row["observed"] == "no" for row in rows),
    }
    page = admin_page(account, "signs", f"Signs of automation: {study.title}")
    return render(request, "people/signs.html", page=page, s=s)


@router.get("/signs.csv")
def download_signs(
    request: Request, slug: str, server: ServerParts, _account: Researcher
) -> Response:
    """Download the signs and numbers of every participant."""
    study = find_study(server, slug)
    with server.store.read() as db:
        rows = signs.of_study(db, study.id)
    text = csv_table(signs.COLUMNS, rows, raw=is_raw(request))
    return as_file(text, f"study-{slug}_signs.csv")
