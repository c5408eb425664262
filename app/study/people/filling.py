"""How the seats of a study fill, for the researcher's pages."""

from collections import Counter
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.store.play import clocks as times
from app.store.play import seats as table
from app.study.design import arms
from app.study.design.spec import CellSpec, StudySpec, parse_spec
from app.study.design.words import cell_name
from app.study.play import clocks
from app.study.play.seats import times_of


def cells(
    db: Connection,
    study_id: int,
    design: list[CellSpec],
    now: datetime,
    stale_people: set[int] | None = None,
) -> list[dict[str, Any]]:
    """Return name, quota (None = no limit), live, stale and finished seats for every cell.

    Live seats are held, including stale ones, which go to the next person who needs one. Cells that
    the design no longer has come last, as long as someone has a seat there. `stale_people`: who
    holds stale seats, if the caller knows; None = look them up.
    """
    found = table.counts(db, study_id)
    people = stale_holders(db, study_id, now) if stale_people is None else stale_people
    stale = stale_seats(db, study_id, people)
    quotas = {cell.key: cell.quota for cell in design}
    old = [key for key, by in found.items() if key not in quotas and by.keys() - {"released"}]
    return [
        {
            "label": key,
            "name": cell_name(key),
            "quota": quotas.get(key),
            "live": found.get(key, {}).get("held", 0),
            "stale": stale[key],
            "finished": found.get(key, {}).get("done", 0),
        }
        for key in (*quotas, *sorted(old))
    ]


def treatments(db: Connection, study_id: int, spec: StudySpec) -> list[dict[str, Any]]:
    """Return each treatment with its people: live (with held seats) and finished; [] if none."""
    if spec.between == arms.NONE:
        return []
    found = []
    for value, own in arms.arms(spec.cells(), spec.between).items():
        by = table.people_in(db, study_id, [cell.key for cell in own])
        live, finished = by.get("held", 0), by.get("done", 0)
        found.append({"what": spec.between, "name": value, "live": live, "finished": finished})
    return found


def stale_holders(db: Connection, study_id: int, now: datetime) -> set[int]:
    """Return who holds expired seats."""
    return {
        row.id
        for row in times.active(db, study_id)
        if row.seat == "held" and clocks.is_stale(times_of(row), parse_spec(row.spec).clocks, now)
    }


def stale_seats(db: Connection, study_id: int, people: set[int]) -> Counter[str]:
    """Return cell key -> number of seats held by these people."""
    held = table.held(db, study_id) if people else []
    return Counter(cell for person, cell in held if person in people)


def places(db: Connection, study_id: int, spec: StudySpec) -> str:
    """Return how many people hold seats or are done, and out of how many, in words."""
    taken, quota = table.people(db, study_id), spec.people.quota
    return str(taken) if quota is None else f"{taken} of {quota}"
