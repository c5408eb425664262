"""Uploaded files that jobs import."""

import sqlalchemy as sa
from alembic import op

revision = "20261201_uploads"
down_revision = "20261201_handovers"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "upload",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("preview", sa.Text(), nullable=False),
        sa.Column("made_by", sa.String(length=64), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "kind IN ('list', 'models', 'judges', 'results')", name=op.f("ck_upload_kind")
        ),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_upload_study_id_study")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_upload")),
    )
    op.create_index(op.f("ix_upload_study_id"), "upload", ["study_id"])


def downgrade() -> None:
    op.drop_table("upload")
