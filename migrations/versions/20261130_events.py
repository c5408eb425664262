"""The chained log of what decides an analysis, per participant."""

import sqlalchemy as sa
from alembic import op

revision = "20261130_events"
down_revision = "20261129_bots"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "person_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_person_event_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person_event")),
        sa.UniqueConstraint(
            "participant_id", "seq", name=op.f("uq_person_event_participant_id_seq")
        ),
    )


def downgrade() -> None:
    op.drop_table("person_event")
