"""Entering a study: consent creates the participant, the assignment and all rows to play."""

import json
import secrets
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.errors import StudyError
from app.languages.text import phrase
from app.store import tickets
from app.store.db import Store
from app.store.design import studies
from app.store.play import clocks, episodes, participants
from app.store.play import seats as seat_rows
from app.study.design.library import Library
from app.study.design.spec import CellSpec, StudySpec
from app.study.design.studies import StudyView, find, find_version
from app.study.play import seats, untouched
from app.study.play.arrival import Arrival
from app.study.play.assignment import choose
from app.study.play.new_blocks import add_blocks
from app.study.tickets import once

FORMER = "former_participant"
FRAMED = "test-"  # begins the tokens of test participants, whose pages our own may frame


class Found(NamedTuple):
    """What is free, the next person's cells, and cell key -> earlier people to balance with."""

    free: seats.Room
    chosen: list[CellSpec]
    counts: Mapping[str, int]


class StudyClosedError(StudyError):
    """The study takes no new participants."""

    code = "study/closed"

    def __init__(self, title: str) -> None:
        super().__init__(phrase("'{title}' is not taking new players at the moment.", title=title))


class ConsentedError(StudyError):
    """A person declines after having agreed before; `token` is theirs."""

    code = "enrol/consented"

    def __init__(self, token: str) -> None:
        super().__init__(
            phrase("You have already agreed. You can leave the study from your own page.")
        )
        self.token = token


class OwnLinkError(StudyError):
    """A known person came with their id, but only their own link opens their place."""

    code = "enrol/own_link"

    def __init__(self) -> None:
        super().__init__(
            phrase(
                "Someone has already started this study with this ID. To continue, open your own "
                "link, which the first page showed you. If you no longer have it, ask the "
                "researchers."
            )
        )


def find_locked(db: Connection, slug: str, arrival: Arrival) -> StudyView:
    """Lock the study's row, so that people enter one at a time; return its state under the lock."""
    row = studies.by_slug(db, slug)
    if row is not None:
        studies.lock(db, row.id)  # a version may have been published during the wait
    return find(db, slug) if arrival.design is None else find_version(db, slug, *arrival.design)


def known_token(db: Connection, study: StudyView, arrival: Arrival) -> str | None:
    """Return the token of a person who takes or took part under the same id, or None.

    Also None for people who declined or were turned away, since they can try again.
    """
    if not arrival.external_id:
        return None
    row = participants.by_identity(db, study.id, arrival.platform, arrival.external_id)
    return None if row is None or row.consented_at is None else str(row.token)


def resumed_token(db: Connection, study: StudyView, arrival: Arrival) -> str | None:
    """Return the token of a known person whom this link leads back to their place, or None.

    Raises OwnLinkError if only their own link does (`people.resume`).
    """
    token = known_token(db, study, arrival)
    by_id = study.spec.people.resume == "id" or arrival.is_signed or arrival.is_test
    if token is not None and not by_id:
        raise OwnLinkError
    return token


def token_of(db: Connection, study: StudyView, ticket: str) -> str | None:
    """Return the token of the person who agreed with this ticket, or None."""
    spent = tickets.find(db, ticket)
    if spent is None or spent.owner != owner_of(study):
        return None
    return str(json.loads(spent.result)["token"])


def owner_of(study: StudyView) -> str:
    """Return the owner of a study's entry tickets."""
    return f"study/{study.id}"


def agree(
    store: Store, library: Library, slug: str, arrival: Arrival, ticket: str, now: datetime
) -> str:
    """Enrol a person who agreed and return their token; repeating it returns the same token.

    One transaction creates the participant, claims the seats and creates blocks and episodes.
    People who are turned away get a token too: their page says why.
    Raises NoStudyError, StudyClosedError, OwnLinkError, TicketError.
    """
    with store.write() as db:
        study = find_locked(db, slug, arrival)

        def enrol() -> dict[str, Any]:
            token = resumed_token(db, study, arrival)
            return {"token": token or start(db, library, study, arrival, now)}

        return str(once(db, ticket, owner_of(study), now, enrol)["token"])


def start(
    db: Connection, library: Library, study: StudyView, arrival: Arrival, now: datetime
) -> str:
    """Create the rows of a person who agreed: a player with seats, or a person turned away.

    Returns their token. People who are turned away do not count as having taken part.
    """
    if study.is_archived or (study.state != "open" and not arrival.is_test):
        raise StudyClosedError(study.title)
    if is_former(db, study.spec, arrival):
        return turn_away(db, study, arrival, "screened_out", FORMER, now)
    free, chosen, counts = find_seats(db, study, arrival, now)
    if not chosen:
        reason = seats.STUDY_FULL if free.is_full else seats.CELLS_FULL
        return turn_away(db, study, arrival, "over_quota", reason, now, free.full)
    times = {"consented_at": now, "seen_at": now, "ended_at": None, "end_reason": ""}
    person, token = put_person(db, study, arrival, {"state": "active", **times}, now)
    if not arrival.is_test:
        seats.claim(db, free, person, [cell.key for cell in chosen], now)
        studies.freeze(db, study.design_id, now)
    add_blocks(db, library, study, person, chosen, counts, now)
    return token


def is_former(db: Connection, spec: StudySpec, arrival: Arrival) -> bool:
    """Tell whether a person took part in a study whose participants are excluded here."""
    slugs = spec.people.exclude_studies
    if not slugs or not arrival.external_id or arrival.is_test:
        return False
    return participants.took_part(db, slugs, arrival.platform, arrival.external_id)


def find_seats(db: Connection, study: StudyView, arrival: Arrival, now: datetime) -> Found:
    """Return what is free, the cells for the next person ([]: no room), and earlier people by cell.

    If there is no room, expired seats are released, then, for someone with an ID, untouched ones.
    """
    found = look(db, study, is_test=arrival.is_test)
    if not found.chosen and seats.sweep_study(db, study.id, now)["released"]:
        found = look(db, study, is_test=arrival.is_test)
    if found.chosen or not arrival.external_id:
        return found
    with db.begin_nested() as tried:
        for row in untouched.nameless(db, study.id):
            if untouched.give_way(db, row, now):
                freed = look(db, study, is_test=False)
                if freed.chosen:
                    return freed
        tried.rollback()
    return found


def look(db: Connection, study: StudyView, *, is_test: bool) -> Found:
    """Return the same, as it is now.

    Test participants take no seat, may enter full cells, and are balanced among themselves.
    """
    free = seats.room(db, study.id, study.spec)
    if is_test:
        people, counts = episodes.test_blocks(db, study.id)
        return Found(free, cells_of(study.spec, counts, people + 1), counts)
    if free.is_full:
        return Found(free, [], free.taken)
    place = seat_rows.claims(db, study.id) + 1
    return Found(free, cells_of(study.spec, free.taken, place, free.full), free.taken)


def cells_of(
    spec: StudySpec, counts: Mapping[str, int], place: int, full: Collection[str] = ()
) -> list[CellSpec]:
    """Return the cells of the person with this place ([] if there is no room)."""
    shape = (spec.per_player, spec.order, spec.seed)
    return choose(spec.cells(), counts, *shape, place, full, spec.between)


def is_full(db: Connection, study: StudyView, arrival: Arrival, now: datetime) -> bool:
    """Tell whether someone cannot enter now, not even once the seats of those who left are free."""
    if look(db, study, is_test=False).chosen:
        return False
    if arrival.external_id and untouched.nameless(db, study.id):
        return False
    return not any(seats.due(seen, now) for seen in clocks.active(db, study.id))


def turn_away(
    db: Connection,
    study: StudyView,
    arrival: Arrival,
    state: str,
    reason: str,
    now: datetime,
    full: Collection[str] = (),
) -> str:
    """Record a person who cannot take part, and why, without a seat. Returns their token."""
    values = {"state": state, "end_reason": reason, "ended_at": now}
    person, token = put_person(db, study, arrival, values, now)
    seats.refuse(db, study.id, person, reason, sorted(full), now)
    return token


def put_person(
    db: Connection, study: StudyView, arrival: Arrival, values: dict[str, Any], now: datetime
) -> tuple[int, str]:
    """Add a participant's row and identity, or change those of a person who was here before.

    Returns row id and token. A known person keeps their token, so their own link still works.
    """
    common = {
        "design_id": study.design_id,
        "arrival": participants.next_arrival(db, study.id),
        "is_test": arrival.is_test,
        "consent_hash": study.spec.consent_hash(),
        "tag": arrival.group,
    }
    if arrival.external_id:
        known = participants.by_identity(db, study.id, arrival.platform, arrival.external_id)
        if known is not None:
            participants.change(db, known.id, {**common, **values})
            return int(known.id), str(known.token)
    token, public_id = secrets.token_urlsafe(16), "p_" + secrets.token_hex(6)
    if arrival.is_test:
        token = f"{FRAMED}{token}"
    own = {"token": token, "public_id": public_id, "study_id": study.id, "created_at": now}
    person = participants.insert(db, {**common, **own, **values})
    if arrival.external_id:
        ids = {
            "participant_id": person,
            "study_id": study.id,
            "platform": arrival.platform,
            "external_id": arrival.external_id,
            "external_study": arrival.external_study,
            "external_session": arrival.external_session,
        }
        participants.insert_identity(db, ids)
    return person, token


def decline(
    store: Store, slug: str, arrival: Arrival, ticket: str, now: datetime, *, keep: bool = True
) -> str:
    """Record 'I do not agree' and return its code ('' = none).

    Only people with an id, and test people, get a row: anyone else would leave one at each visit.
    `keep` False: no one gets one.
    People may agree later after declining, but declining after agreeing undoes nothing.
    Raises ConsentedError if they agreed before, with the same id or form; OwnLinkError,
    TicketError.
    """
    with store.write() as db:
        study = find_locked(db, slug, arrival)
        token = token_of(db, study, ticket) or resumed_token(db, study, arrival)
        if token is not None:
            raise ConsentedError(token)
        code = study.spec.codes.no_consent
        if not keep or not (arrival.external_id or arrival.is_test):
            return code

        def record() -> dict[str, Any]:
            gone = {"state": "no_consent", "ended_at": now, "end_reason": "declined"}
            put_person(db, study, arrival, gone, now)
            return {"code": code}

        return str(once(db, f"no-{ticket}", owner_of(study), now, record)["code"])
