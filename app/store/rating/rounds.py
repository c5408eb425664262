"""Rating rounds: who rates what, in which order, and under which addresses."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, big_int, one_of, table_of, text_field
from app.store.people.accounts import account
from app.store.rating.items import item

STATES = ("draft", "open", "closed")
MODES = ("overall", "criteria")
ASKED = ("off", "item", "round")
MAIN, GOLD, TRAINING = KINDS = ("main", "gold", "training")


class Round(SQLModel, table=True):
    """One round of rating. Its setup can change only while it is a draft."""

    __tablename__ = "rating_round"
    __table_args__ = (
        sa.UniqueConstraint("study_id", "number"),
        one_of("state", STATES, "state"),
        one_of("mode", MODES, "mode"),
        one_of("ask_source", ASKED, "ask_source"),
        sa.CheckConstraint("k >= 1", name="k"),
        sa.CheckConstraint("gold_least BETWEEN 0 AND 100", name="gold_least"),
        sa.CheckConstraint("adjudicators BETWEEN 1 AND 5", name="adjudicators"),
        sa.CheckConstraint("repeat_percent BETWEEN 0 AND 50", name="repeat_percent"),
    )

    id: int | None = Field(default=None, primary_key=True)
    study_id: int = Field(foreign_key="study.id", index=True)
    number: int = Field(description="1, 2, ... within the study")
    title: str = text_field("title that raters see")
    state: str = Field(default="draft", max_length=8, description="draft, open or closed")
    mode: str = Field(default="overall", max_length=8, description="one score, or four criteria")
    rubric: str = text_field("the guidelines, Markdown")
    rubric_version: str = Field(max_length=32, description="named by the researcher")
    rubric_hash: str = Field(max_length=64, description="sha256 of the guidelines")
    rule_version: str = Field(
        default="",
        max_length=16,
        description="wording of the rules when it opened; '' = not stored",
    )
    presentation: str = Field(
        default="", max_length=16, description="form of the texts shown; '' = as written"
    )
    k: int = Field(description="different raters per item")
    seed: int = big_int("decides who rates what, each rater's order, repeats")
    repeat_percent: int = Field(
        default=0, description="share of a rater's items shown twice, hidden"
    )
    ask_source: str = Field(
        default="off",
        max_length=8,
        description="when raters say who wrote a text: off, item (each time), round (at its end)",
    )
    gold_feedback: bool = Field(default=False, description="raters see the answer to a gold item")
    gold_least: int = Field(default=0, description="paused below this % of gold items; 0 = never")
    gold_after: int = Field(default=3, description="gold items before that is checked")
    adjudicators: int = Field(default=1, description="people who decide on a disagreement, apart")
    sample_id: int | None = Field(default=None, foreign_key="sample.id", description="drawn from")
    revision: int = Field(default=1, description="counts saves; a form of an older one is refused")
    made_by: str = Field(max_length=64, description="account that created it")
    created_at: Moment = Field(description="server clock, UTC")
    opened_at: Moment | None = Field(default=None)
    closed_at: Moment | None = Field(default=None)


class RoundRater(SQLModel, table=True):
    """One annotator of one round. Deactivating the account leaves this row and all ratings."""

    __tablename__ = "round_rater"
    __table_args__ = (
        sa.UniqueConstraint("round_id", "account_id"),
        sa.UniqueConstraint("round_id", "pseudonym"),
    )

    id: int | None = Field(default=None, primary_key=True)
    round_id: int = Field(foreign_key="rating_round.id", index=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    pseudonym: str = Field(max_length=32, description="rater_1, ...; the same in a whole study")
    token: str = Field(max_length=64, unique=True, description="identifies the round to this rater")


class RoundItem(SQLModel, table=True):
    """One item of one round."""

    __tablename__ = "round_item"
    __table_args__ = (sa.UniqueConstraint("round_id", "item_id"), one_of("kind", KINDS, "kind"))

    id: int | None = Field(default=None, primary_key=True)
    round_id: int = Field(foreign_key="rating_round.id", index=True)
    item_id: int = Field(foreign_key="rating_item.id", index=True)
    kind: str = Field(max_length=8, description="main; gold or training: with a known answer")
    known: str = text_field("JSON of the known answer: value, or the four criteria", default="")
    feedback: str = text_field("what a rater reads after a training item", default="")


class Assignment(SQLModel, table=True):
    """One item given to one rater. The random token reveals nothing about item, author or order."""

    __table_args__ = (
        sa.UniqueConstraint("round_item_id", "account_id", "repeat"),
        sa.UniqueConstraint("round_id", "account_id", "position"),
        sa.CheckConstraint("repeat IN (0, 1)", name="repeat"),
    )

    id: int | None = Field(default=None, primary_key=True)
    round_id: int = Field(foreign_key="rating_round.id", index=True)
    round_item_id: int = Field(foreign_key="round_item.id", index=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    repeat: int = Field(default=0, description="1 = a hidden second showing")
    position: int = Field(description="1, 2, ... in this rater's order, training first")
    token: str = Field(max_length=64, unique=True, description="identifies the item to this rater")


rating_round = table_of(Round)
round_rater = table_of(RoundRater)
round_item = table_of(RoundItem)
assignment = table_of(Assignment)


def insert(db: Connection, values: dict[str, Any]) -> int:
    """Add a round; returns its id. Lock the study's row first."""
    query = sa.insert(rating_round).values(values).returning(rating_round.c.id)
    return int(db.execute(query).scalar_one())


def change(db: Connection, round_id: int, values: dict[str, Any]) -> None:
    """Change columns of a round."""
    db.execute(sa.update(rating_round).where(rating_round.c.id == round_id).values(values))


def next_number(db: Connection, study_id: int) -> int:
    """Return the number of the study's next round. Lock the study's row first."""
    query = sa.select(sa.func.max(rating_round.c.number))
    found = db.execute(query.where(rating_round.c.study_id == study_id)).scalar()
    return int(found or 0) + 1


def of_study(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return a study's rounds, newest first."""
    query = sa.select(rating_round).where(rating_round.c.study_id == study_id)
    return db.execute(query.order_by(rating_round.c.number.desc())).all()


def find(db: Connection, study_id: int, number: int, *, lock: bool = False) -> AnyRow | None:
    """Return one round of a study, or None."""
    query = sa.select(rating_round)
    query = query.where(rating_round.c.study_id == study_id, rating_round.c.number == number)
    return db.execute(query.with_for_update() if lock else query).first()


def by_id(db: Connection, round_id: int, *, share: bool = False) -> AnyRow:
    """Return a round; `share` keeps it from being closed meanwhile."""
    query = sa.select(rating_round).where(rating_round.c.id == round_id)
    return db.execute(query.with_for_update(read=True) if share else query).one()


def raters(db: Connection, round_id: int) -> Sequence[AnyRow]:
    """Return a round's raters with their accounts' names, in the order of their pseudonyms."""
    query = (
        sa.select(round_rater, account.c.name, account.c.active)
        .join(account, account.c.id == round_rater.c.account_id)
        .where(round_rater.c.round_id == round_id)
    )
    return db.execute(query.order_by(round_rater.c.id)).all()


def pseudonyms(db: Connection, study_id: int) -> dict[int, str]:
    """Return account id -> pseudonym of everyone who ever rated for a study."""
    query = (
        sa.select(round_rater.c.account_id, round_rater.c.pseudonym)
        .join(rating_round, rating_round.c.id == round_rater.c.round_id)
        .where(rating_round.c.study_id == study_id)
        .order_by(round_rater.c.id)
    )
    return {int(account_id): name for account_id, name in db.execute(query)}


def set_raters(db: Connection, round_id: int, rows: list[dict[str, Any]]) -> None:
    """Replace the raters of a draft."""
    db.execute(sa.delete(round_rater).where(round_rater.c.round_id == round_id))
    if rows:
        db.execute(sa.insert(round_rater), rows)


def set_items(db: Connection, round_id: int, rows: list[dict[str, Any]]) -> None:
    """Replace the items of a draft."""
    db.execute(sa.delete(round_item).where(round_item.c.round_id == round_id))
    if rows:
        db.execute(sa.insert(round_item), rows)


def items(db: Connection, round_id: int) -> Sequence[AnyRow]:
    """Return a round's items: `round_item_id, kind, known, feedback` and all columns of the item.

    The item's own kind (player, model) is `item_kind`.
    """
    others = [column for column in item.c if column.name not in {"id", "kind"}]
    query = (
        sa.select(
            round_item.c.id.label("round_item_id"),
            round_item.c.kind,
            round_item.c.known,
            round_item.c.feedback,
            round_item.c.item_id,
            item.c.kind.label("item_kind"),
            *others,
        )
        .join(item, item.c.id == round_item.c.item_id)
        .where(round_item.c.round_id == round_id)
    )
    return db.execute(query.order_by(round_item.c.item_id)).all()


def insert_assignments(db: Connection, rows: list[dict[str, Any]]) -> None:
    """Add who rates what."""
    if rows:
        db.execute(sa.insert(assignment), rows)


def of_rater(db: Connection, account_id: int) -> Sequence[AnyRow]:
    """Return one rater's opened rounds, newest first, each with `rater_token`."""
    query = (
        sa.select(rating_round, round_rater.c.token.label("rater_token"))
        .join(round_rater, round_rater.c.round_id == rating_round.c.id)
        .where(round_rater.c.account_id == account_id, rating_round.c.state != "draft")
    )
    return db.execute(query.order_by(rating_round.c.id.desc())).all()


def by_rater_token(db: Connection, account_id: int, token: str) -> AnyRow | None:
    """Return an opened round by this rater's token for it, or None."""
    query = (
        sa.select(rating_round, round_rater.c.token.label("rater_token"))
        .join(round_rater, round_rater.c.round_id == rating_round.c.id)
        .where(
            round_rater.c.account_id == account_id,
            round_rater.c.token == token,
            rating_round.c.state != "draft",
        )
    )
    return db.execute(query).first()
