"""Entering a study: consent makes the person, the assignment and every row to be played."""

import json
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app import __version__
from app.errors import StudyError
from app.game.practice import practice_variant
from app.game.say import ENGINE_NAME
from app.game.variant import content_hash
from app.store import episodes, participants, progress, studies, variants
from app.store.db import Store
from app.study.assign import choose, guardian_order
from app.study.library import Library
from app.study.once import once
from app.study.spec import CellSpec, StudySpec
from app.study.studies import StudyView, find, stored_row

MAX_ID = 128
PRACTICE_POSITION = -1


class StudyClosedError(StudyError):
    """The study takes no new people."""

    code = "study/closed"

    def __init__(self, title: str) -> None:
        super().__init__(f"'{title}' is not taking new players at the moment.")


class BadIdError(StudyError):
    """A platform id in the link is too long or holds odd characters."""

    code = "enrol/bad_id"

    def __init__(self) -> None:
        super().__init__(
            "The link carries an id we cannot read. Please open the link again from the page "
            "where you found the study."
        )


@dataclass(frozen=True, slots=True)
class Arrival:
    """Who comes, as far as the link tells. `external_id` is '' for a plain link."""

    platform: str = "link"
    external_id: str = ""
    external_study: str = ""
    external_session: str = ""
    is_test: bool = False


def read_arrival(spec: StudySpec, query: dict[str, str]) -> Arrival:
    """Read a person's platform ids from the query string. Raises BadIdError."""
    options = spec.options
    for name in options.id_parameters:
        value = query.get(name, "").strip()
        if value:
            found = Arrival(
                platform=name.lower()[:32],
                external_id=value,
                external_study=query.get(options.study_parameter, "").strip(),
                external_session=query.get(options.session_parameter, "").strip(),
            )
            ids = (found.external_id, found.external_study, found.external_session)
            if any(len(text) > MAX_ID or not text.isprintable() for text in ids):
                raise BadIdError
            return found
    return Arrival()


def known_token(db: Connection, study: StudyView, arrival: Arrival) -> str | None:
    """Return the token of somebody who has consented before under the same id, or None."""
    if not arrival.external_id:
        return None
    row = participants.by_identity(db, study.id, arrival.platform, arrival.external_id)
    return None if row is None or row.state == "no_consent" else str(row.token)


def agree(
    store: Store, library: Library, slug: str, arrival: Arrival, ticket: str, now: datetime
) -> str:
    """Enrol a person who agreed; return their token. The same person or ticket: the same token.

    One transaction makes the person, the assignment, the blocks and the episodes.
    Raises NoStudyError, StudyClosedError, TicketError.
    """
    with store.write() as db:
        study = find(db, slug)
        studies.lock(db, study.id)  # arrivals of one study come one by one

        def enrol() -> dict[str, Any]:
            token = known_token(db, study, arrival)
            return {"token": token or start(db, library, study, arrival, now)}

        return str(once(db, ticket, f"study/{study.id}", now, enrol)["token"])


def start(
    db: Connection, library: Library, study: StudyView, arrival: Arrival, now: datetime
) -> str:
    """Make the rows of a new person, or of one who had declined and thought again."""
    if study.state != "open" and not arrival.is_test:
        raise StudyClosedError(study.title)
    number = participants.next_arrival(db, study.id)
    token = secrets.token_urlsafe(16)
    values = {
        "token": token,
        "study_id": study.id,
        "design_id": study.design_id,
        "arrival": number,
        "state": "active",
        "is_test": arrival.is_test,
        "consent_hash": study.spec.consent_hash(),
        "consented_at": now,
    }
    person = put_person(db, study, arrival, values, now)
    assign(db, library, study, person, number, now)
    if not arrival.is_test:
        studies.freeze(db, study.design_id, now)
    return token


def put_person(
    db: Connection, study: StudyView, arrival: Arrival, values: dict[str, Any], now: datetime
) -> int:
    """Add the participant's row (and identity), or change that of somebody who had declined."""
    if arrival.external_id:
        known = participants.by_identity(db, study.id, arrival.platform, arrival.external_id)
        if known is not None:
            participants.change(db, known.id, values)
            return int(known.id)
    public_id = "p_" + secrets.token_hex(6)
    person = participants.insert(db, {**values, "public_id": public_id, "created_at": now})
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
    return person


def decline(store: Store, slug: str, arrival: Arrival, ticket: str, now: datetime) -> str:
    """Record 'I do not agree'; return the code for it ('' = none). Never undoes a consent."""
    with store.write() as db:
        study = find(db, slug)
        studies.lock(db, study.id)

        def record() -> dict[str, Any]:
            if known_token(db, study, arrival) is None:
                values = {
                    "token": secrets.token_urlsafe(16),
                    "study_id": study.id,
                    "design_id": study.design_id,
                    "arrival": participants.next_arrival(db, study.id),
                    "state": "no_consent",
                    "is_test": arrival.is_test,
                    "consent_hash": study.spec.consent_hash(),
                }
                put_person(db, study, arrival, values, now)
            return {"code": study.spec.codes.no_consent}

        return str(once(db, ticket, f"study/{study.id}", now, record)["code"])


def assign(
    db: Connection,
    library: Library,
    study: StudyView,
    person: int,
    arrival: int,
    now: datetime,
) -> None:
    """Choose the person's cells and make their blocks, episodes and the practice."""
    spec = study.spec
    row = studies.by_slug(db, study.slug)
    hashes: dict[str, str] = {} if row is None else json.loads(row.variants)
    counts = progress.cell_counts(db, study.id)
    rows = []
    if spec.options.practice:
        practice = practice_variant()
        variants.add_missing(db, [stored_row(practice, "{}", now)])
        common = episode_common(practice, content_hash(practice), 0)
        rows.append({**common, "kind": "practice", "block_id": None, "block_position": -1})
        rows[-1]["position"] = 0
    chosen = choose(spec.cells(), counts, spec.per_player, spec.order, spec.seed, arrival)
    for position, cell in enumerate(chosen):
        variant = library.variant(db, hashes[cell.key])
        block_id = episodes.insert_block(db, block_values(person, position, cell, hashes[cell.key]))
        first = counts.get(cell.key, 0)
        order = guardian_order(len(variant.episodes), first, spec.options.episodes_per_block)
        for place, index in enumerate(order):
            common = episode_common(variant, hashes[cell.key], index)
            rows.append({**common, "kind": "main", "block_id": block_id, "position": place})
            rows[-1]["block_position"] = position
    episodes.insert_episodes(db, [{**one, "participant_id": person} for one in rows])


def block_values(person: int, position: int, cell: CellSpec, variant_hash: str) -> dict[str, Any]:
    """Return a block's row."""
    return {
        "participant_id": person,
        "position": position,
        "cell": cell.key,
        "task": cell.task,
        "seed": cell.seed,
        "lexicon": cell.lexicon,
        "coverage": cell.coverage,
        "variant_hash": variant_hash,
    }


def episode_common(variant: Any, variant_hash: str, index: int) -> dict[str, Any]:
    """Return what an episode's row says of its variant, engine and code."""
    one = variant.episodes[index]
    return {
        "variant_hash": variant_hash,
        "variant_episode": index,
        "entity": one.entity,
        "engine_name": ENGINE_NAME,
        "engine_version": variant.engine_version,
        "code_version": __version__,
        "ref_length": one.ref_length,
        "n_tries": one.n_tries,
        "budget": one.budget,
        "state": "open",
    }
