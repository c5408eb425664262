"""The researcher's pages: all studies, one study with its people, one player's transcript."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.design import draft, members, studies
from app.study.design.studies import StudyView
from app.study.people import filling, overview, pay_words, payments
from app.study.people.manual_actions import HandError
from app.study.people.overview import Person
from app.study.rights import Right, home_of
from app.study.tickets import new_ticket
from app.web.access import rights
from app.web.deps import Account, Now, Researcher, Server, ServerParts
from app.web.pages import render, see_other
from app.web.researcher import admin_page, player_link

router = APIRouter(prefix="/admin")
TYPED = ("action", "episode", "amount", "reason")  # kept after an error
SHOWN = {  # who is listed -> label, and whether test participants are shown, and others
    "all": ("Everyone", True, True),
    "counted": ("Without test players", False, True),
    "test": ("Test players only", True, False),
}
ACTIONS = {  # manual actions in words
    "note": "Note: only add the reason to the log",
    "extend": "Extend: allow 24 more hours, even after a time-out or a manual end",
    "end": "End: a technical problem on our side (the participant sees why, with a code)",
    "unstick": "Unstick: move on past the current practice or guardian",
    "void": "Void an episode: it is not counted",
    "unvoid": "Undo a void",
    "exclude": "Exclude from the analysis (a flag; nothing is deleted)",
    "include": "Include in the analysis again",
    "bonus_sent": "Bonus sent: leave it out of bonus.csv",
    "bonus_due": "Bonus not sent: list it in bonus.csv again",
}


@router.get("")
def show_studies(request: Request, server: ServerParts, account: Researcher) -> Response:
    """Show the studies that the account belongs to; administrators see all."""
    with server.store.read() as db:
        mine = members.studies_of(db, account.who)
        rows = [row for row in overview.overview(db) if row["slug"] in mine]
    for row in rows:
        row["url"] = f"/admin/studies/{row['slug']}{home_of(mine[row['slug']])}"
        row["player_url"] = player_link(request, server, row["slug"])
    return render(
        request, "people/studies.html", page=admin_page(account, "studies", "Studies"), rows=rows
    )


@router.get("/studies/{slug}")
def show_study(
    request: Request,
    slug: str,
    server: ServerParts,
    account: Researcher,
    now: Now,
    show: str = "all",
) -> Response:
    """Show a study's people, or those wanted (see SHOWN), and how its cells fill."""
    with server.store.read() as db:
        study = draft.load(db, slug).published
        if study is None:  # no one can have entered yet
            return see_other(f"/admin/studies/{slug}/design")
        s = study_facts(study)
        people = overview.people(db, study.id)
        numbers = overview.counts(db, study.id)
        s["cells"] = filling.cells(db, study.id, study.spec.cells(), now)
        s["treatments"] = filling.treatments(db, study.id, study.spec)
        places = filling.places(db, study.id, study.spec)
    may_open = Right.PEOPLE in rights(request)
    s["is_hidden"] = studies.hides_outcomes(study.spec, study.state)
    s["people"] = [
        {
            "public_id": one.public_id,
            "state": one.state,
            "is_test": one.is_test,
            "step": one.step,
            "treatment": one.treatment,
            "turns": "" if s["is_hidden"] else one.turns,
            "last_seen": one.last_seen,
            "url": f"/admin/participants/{one.public_id}",
        }
        for one in (wanted(people, show) if may_open else ())
    ]
    s["filters"] = filters(people, f"/admin/studies/{slug}", show) if may_open else []
    for cell in s["cells"]:
        known = study.hashes.get(cell["label"])
        cell["url"] = f"/admin/variants/{known}" if known else ""
    s["player_url"] = player_link(request, server, slug)
    s["is_plain"] = study.spec.people.require == "nothing"
    states = [(state.replace("_", " "), number) for state, number in sorted(numbers.items())]
    s["counts"] = [("places taken", places), *states]
    page = admin_page(account, "study", study.title)
    return render(request, "people/study.html", page=page, s=s)


def wanted(people: list[Person], show: str) -> list[Person]:
    """Return those of a list of people whom a choice of SHOWN shows; everyone if it is unknown."""
    _, test, others = SHOWN.get(show, SHOWN["all"])
    return [one for one in people if (test if one.is_test else others)]


def filters(people: list[Person], own: str, show: str) -> list[dict[str, Any]]:
    """Return the choices of SHOWN as links, each with its number; [] if no one is a test player."""
    if not any(one.is_test for one in people):
        return []
    return [
        {
            "label": f"{label} ({len(wanted(people, name))})",
            "url": f"{own}?show={name}#people-h",
            "here": name == (show if show in SHOWN else "all"),
        }
        for name, (label, _, _) in SHOWN.items()
    ]


def study_facts(study: StudyView) -> dict[str, Any]:
    """Return the facts about the study itself."""
    own = f"/admin/studies/{study.slug}"
    return {
        "slug": study.slug,
        "title": study.title,
        "kind": study.kind,
        "state": study.state,
        "open_url": f"{own}/open",
        "close_action": f"{own}/actions/close",
        "monitor_url": f"{own}/monitor",
        "design_url": f"{own}/design",
        "signs_url": f"{own}/signs",
        "recruit_url": f"{own}/recruit",
        "rating_url": f"{own}/rating",
        "plan_url": f"{own}/plan",
        "report_url": f"{own}/report",
        "ticket": new_ticket(),
        "exports_url": f"{own}/exports",
        "try_url": f"{own}/try",
        "remove_url": f"{own}/remove",
        "members_url": f"{own}/members",
        "archived": study.is_archived,
    }


@router.get("/participants/{public_id}")
def show_participant(
    request: Request, public_id: str, server: ServerParts, account: Researcher
) -> Response:
    """Show one player's whole transcript."""
    return participant_page(request, server, account, public_id)


def participant_page(
    request: Request,
    server: Server,
    account: Account,
    public_id: str,
    status: int = 200,
    error: HandError | None = None,
    typed: dict[str, str] | None = None,
) -> Response:
    """Render a participant with the form for manual actions."""
    with server.store.read() as db:
        t = overview.participant(db, server.library, public_id)
        hand = overview.hand_facts(db, public_id)
        sees_pay = Right.MONEY in rights(request) and not t["is_hidden"]
        owed = payments.of_person(db, t["study_id"], public_id) if sees_pay else None
    t["pay"] = None if owed is None else pay_words.pay_facts(owed)
    if owed is not None:  # its code is with the pay
        t["facts"] = [one for one in t["facts"] if one[0] != "Code"]
    t["no_pay"] = no_pay(t, sees_pay=sees_pay)
    if not sees_pay:
        hand["log"] = [{**one, "amount": ""} for one in hand["log"]]
    hand |= {
        "action": f"/admin/participants/{public_id}/actions",
        "ticket": new_ticket(),
        "error": error.message if error else "",
        "field": error.field if error else "",
        "actions": list(ACTIONS.items()),
        "typed": {name: (typed or {}).get(name, "") for name in TYPED},
    }
    page = admin_page(account, "participant", f"Participant {public_id}")
    return render(request, "people/participant.html", status, page=page, t=t, hand=hand)


def no_pay(t: dict[str, Any], *, sees_pay: bool) -> str:
    """Return why a participant's page shows no amounts."""
    if t["is_hidden"]:
        return "This study hides what people are paid until it is closed."
    if not sees_pay:
        return "Your role in this study does not include pay."
    return "Nothing is owed to test participants and to people who have not consented."
