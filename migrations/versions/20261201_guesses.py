"""Raters' guesses whether a person or a model wrote a text."""

import sqlalchemy as sa
from alembic import op

revision = "20261201_guesses"
down_revision = "20261130_id_hashes"
branch_labels = None
depends_on = None

WHEN = "ask_source IN ('off', 'item', 'round')"
GUESSES = "guess IN ('person', 'model', 'unknown')"


def upgrade() -> None:
    with op.batch_alter_table("rating_round", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("ask_source", sa.String(length=8), nullable=False, server_default="off")
        )
        batch_op.create_check_constraint(op.f("ck_rating_round_ask_source"), WHEN)
    op.create_table(
        "source_guess",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("guess", sa.String(length=8), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(GUESSES, name=op.f("ck_source_guess_guess")),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignment.id"],
            name=op.f("fk_source_guess_assignment_id_assignment"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_source_guess")),
        sa.UniqueConstraint(
            "assignment_id", "revision", name=op.f("uq_source_guess_assignment_id_revision")
        ),
    )
    op.create_index(op.f("ix_source_guess_assignment_id"), "source_guess", ["assignment_id"])


def downgrade() -> None:
    op.drop_table("source_guess")
    with op.batch_alter_table("rating_round", schema=None) as batch_op:
        batch_op.drop_constraint(op.f("ck_rating_round_ask_source"), type_="check")
        batch_op.drop_column("ask_source")
