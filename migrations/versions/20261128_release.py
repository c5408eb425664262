"""Decisions on which free texts may be shared."""

import sqlalchemy as sa
from alembic import op

revision = "20261128_release"
down_revision = "20261128_rating"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "text_release",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("row_id", sa.Integer(), nullable=False),
        sa.Column("text_hash", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("made_by", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "kind IN ('explanation', 'answer', 'note', 'problem')",
            name=op.f("ck_text_release_kind"),
        ),
        sa.CheckConstraint("state IN ('released', 'withheld')", name=op.f("ck_text_release_state")),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_text_release_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_text_release")),
    )
    for name in ("participant_id", "row_id"):
        op.create_index(op.f(f"ix_text_release_{name}"), "text_release", [name])


def downgrade() -> None:
    op.drop_table("text_release")
