"""Keyed hashes of deleted IDs."""

import sqlalchemy as sa
from alembic import op

revision = "20261130_id_hashes"
down_revision = "20261130_list_meanings"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "id_hash",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("key_name", sa.String(length=16), nullable=False),
        sa.Column("place", sa.String(length=8), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_id_hash_study_id_study")),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_id_hash_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_id_hash")),
    )
    op.create_index(op.f("ix_id_hash_study_id"), "id_hash", ["study_id"])
    op.create_index(op.f("ix_id_hash_participant_id"), "id_hash", ["participant_id"])


def downgrade() -> None:
    op.drop_table("id_hash")
