"""Erase everything that one person left, in all tables at once."""

import sqlalchemy as sa
from sqlalchemy import Connection

from app.moments import from_ms
from app.store import uploads
from app.store.base import Moment, note_change
from app.store.export import releases
from app.store.models import calls
from app.store.people import deletions, id_hashes
from app.store.play import events
from app.store.play.answers import answer, direct_answer
from app.store.play.episodes import episode
from app.store.play.explanations import draft, explanation
from app.store.play.participants import participant
from app.store.play.problems import problem
from app.store.play.process_data import process_event
from app.store.play.turns import turn
from app.store.rating import items, judges


def erase(db: Connection, participant_id: int) -> dict[str, int]:
    """Delete everything a person typed or did; return the number of rows by kind.

    The rows of participant, blocks, seats and ledger stay as a tombstone, so that counts add up.
    """
    own = sa.select(episode.c.id).where(episode.c.participant_id == participant_id)
    judges.erase(db, participant_id)
    calls.erase(db, participant_id)
    items.erase(db, participant_id)
    releases.erase(db, participant_id)
    id_hashes.erase(db, participant_id)
    gone = {"turn": db.execute(sa.delete(turn).where(turn.c.episode_id.in_(own))).rowcount}
    for table in (explanation, draft, answer, direct_answer, process_event, problem):
        query = sa.delete(table).where(table.c.participant_id == participant_id)
        gone[table.name] = db.execute(query).rowcount
    blank = {"digest": None, "actions_used": None, "attempts": None, "finished_at": None}
    blanked = sa.update(episode).where(episode.c.participant_id == participant_id)
    db.execute(blanked.values(state="open", **blank))
    study = sa.select(participant.c.study_id).where(participant.c.id == participant_id)
    uploads.drop_lists(db, db.execute(study).scalar_one())
    events.blank(db, participant_id)
    note_change(db, participant_id)
    return gone


def counts(db: Connection) -> tuple[int, ...]:
    """Return the numbers of erased people and of deleted studies."""
    queries = (
        sa.select(sa.func.count()).where(participant.c.erased_at.is_not(None)),
        sa.select(sa.func.count()).select_from(deletions.study_deletion),
    )
    return tuple(int(db.execute(query).scalar_one()) for query in queries)


def last_moment(db: Connection) -> Moment | None:
    """Return when a person last did something: a command, or another post."""
    seen = db.execute(sa.select(sa.func.max(participant.c.seen_at))).scalar_one()
    of_people = sa.select(turn.c.received_ms).join(episode)
    of_people = of_people.where(episode.c.participant_id.is_not(None))
    newest = of_people.order_by(turn.c.id.desc()).limit(1)
    played = db.execute(newest).scalar_one_or_none()
    moments = [] if played is None else [from_ms(played)]
    return max([*moments, *([] if seen is None else [seen])], default=None)
