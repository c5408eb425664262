"""Studies and their design versions."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, one_of, table_of, text_field

STUDY_STATES = ("draft", "open", "closed")
KINDS = ("demo", "pilot", "real", "bots")


class Study(SQLModel, table=True):
    """One study. Holds what may change while people play; the rest is in its designs."""

    __table_args__ = (
        one_of("state", STUDY_STATES, "state"),
        one_of("kind", KINDS, "kind"),
    )

    id: int | None = Field(default=None, primary_key=True)
    slug: str = Field(max_length=64, unique=True, description="name in the player's address")
    title: str = text_field("title that players read")
    kind: str = Field(max_length=8, description="demo, pilot, real or bots")
    state: str = Field(max_length=8, description="open lets new people consent")
    created_at: Moment = Field(description="server clock, UTC")
    archived_at: Moment | None = Field(default=None, description="accepts no one; off the list")


class Design(SQLModel, table=True):
    """One version of a study's design; frozen once a real player has consented to it.

    A row's frozen part never changes. Until a real player has consented to a design, it can be
    replaced by a row of the same version and a higher revision.
    """

    __table_args__ = (sa.UniqueConstraint("study_id", "version", "revision"),)

    id: int | None = Field(default=None, primary_key=True)
    study_id: int = Field(foreign_key="study.id", index=True)
    version: int = Field(description="1, 2, ... within the study")
    revision: int = Field(default=1, description="the draft's revision it was made from")
    spec: str = text_field("the study file as canonical JSON; its free part is always the newest")
    spec_hash: str = Field(max_length=64, description="sha256 of the frozen part of spec")
    variants: str = text_field("JSON: cell key -> variant hash")
    published_at: Moment | None = Field(default=None, description="empty = for previews only")
    frozen_at: Moment | None = Field(default=None, description="first consent of a real player")
    created_at: Moment = Field(description="server clock, UTC")


study = table_of(Study)
design = table_of(Design)


def by_slug(db: Connection, slug: str) -> AnyRow | None:
    """Return a study joined with its newest published design, or None.

    For a study that was never published, `design_id` is None.
    """
    published = sa.and_(design.c.study_id == study.c.id, design.c.published_at.is_not(None))
    return db.execute(with_design(slug, published)).first()


def with_version(db: Connection, slug: str, version: int, revision: int) -> AnyRow | None:
    """Return a study joined with one of its designs, published or for previews, or None."""
    wanted = sa.and_(
        design.c.study_id == study.c.id,
        design.c.version == version,
        design.c.revision == revision,
    )
    row = db.execute(with_design(slug, wanted)).first()
    return None if row is None or row.design_id is None else row


def with_design(slug: str, wanted: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Return the query for a study with the newest of its designs that are `wanted`."""
    return (
        sa.select(
            study.c.id,
            study.c.slug,
            study.c.title,
            study.c.kind,
            study.c.state,
            study.c.created_at,
            study.c.archived_at,
            design.c.id.label("design_id"),
            design.c.version,
            design.c.revision,
            design.c.spec,
            design.c.variants,
            design.c.frozen_at,
        )
        .outerjoin(design, wanted)
        .where(study.c.slug == slug)
        .order_by(design.c.version.desc(), design.c.revision.desc())
        .limit(1)
    )


def lock(db: Connection, study_id: int) -> None:
    """Lock the study's row until the end of the transaction, so that arrivals take turns.

    Inserting rows that only reference the study (actions, ledger lines) does not wait for it.
    """
    query = sa.select(study.c.id).where(study.c.id == study_id)
    db.execute(query.with_for_update(key_share=True))


def all_ids(db: Connection) -> list[int]:
    """Return the id of every study, oldest first."""
    return [int(one) for one in db.execute(sa.select(study.c.id).order_by(study.c.id)).scalars()]


def slug_of(db: Connection, study_id: int) -> str | None:
    """Return a study's slug, or None."""
    found = db.execute(sa.select(study.c.slug).where(study.c.id == study_id)).scalar()
    return None if found is None else str(found)


def all_slugs(db: Connection) -> list[str]:
    """Return every slug, oldest study first."""
    return list(db.execute(sa.select(study.c.slug).order_by(study.c.id)).scalars())


def listed(db: Connection) -> Sequence[AnyRow]:
    """Return `id, slug, title, kind, state, archived_at` of every study, oldest first."""
    columns = (study.c.id, study.c.slug, study.c.title, study.c.kind, study.c.state)
    query = sa.select(*columns, study.c.archived_at)
    return db.execute(query.order_by(study.c.id)).all()


def insert_study(
    db: Connection, slug: str, title: str, kind: str, state: str, now: Moment
) -> int | None:
    """Add a study; returns its id, or None if the slug is taken (perhaps since a moment ago)."""
    values = {"slug": slug, "title": title, "kind": kind, "state": state, "created_at": now}
    insert = postgresql.insert if db.dialect.name == "postgresql" else sqlite.insert
    query = insert(study).values(values).on_conflict_do_nothing(index_elements=[study.c.slug])
    found = db.execute(query.returning(study.c.id)).scalar()
    return None if found is None else int(found)


def insert_design(db: Connection, values: dict[str, Any]) -> int:
    """Add a design version; returns its id."""
    query = sa.insert(design).values(values).returning(design.c.id)
    return int(db.execute(query).scalar_one())


def freeze(db: Connection, design_id: int, now: Moment) -> None:
    """Mark a design as frozen, once."""
    query = sa.update(design).where(design.c.id == design_id, design.c.frozen_at.is_(None))
    db.execute(query.values(frozen_at=now))


def set_state(db: Connection, slug: str, state: str) -> None:
    """Set draft, open or closed."""
    db.execute(sa.update(study).where(study.c.slug == slug).values(state=state))


def set_archived(db: Connection, study_id: int, at: Moment | None) -> None:
    """Archive a study, or restore it (None)."""
    db.execute(sa.update(study).where(study.c.id == study_id).values(archived_at=at))


def design_text(db: Connection, design_id: int) -> str:
    """Return a design version's study file (canonical JSON)."""
    query = sa.select(design.c.spec).where(design.c.id == design_id)
    return str(db.execute(query).scalar_one())
