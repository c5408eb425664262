"""Keys for programs of others that play a study."""

import sqlalchemy as sa
from alembic import op

revision = "20261202_agent_keys"
down_revision = "20261202_logins"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "agent_key",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=48), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("scope", sa.String(length=8), nullable=False),
        sa.Column("made_by", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("scope IN ('play', 'read')", name=op.f("ck_agent_key_scope")),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_agent_key_study_id_study")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agent_key")),
        sa.UniqueConstraint("digest", name=op.f("uq_agent_key_digest")),
        sa.UniqueConstraint("study_id", "name", name=op.f("uq_agent_key_study_id_name")),
    )
    op.create_index(op.f("ix_agent_key_study_id"), "agent_key", ["study_id"])
    op.create_table(
        "agent_key_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=True),
        sa.Column("made_by", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "kind IN ('made', 'revoked', 'run')", name=op.f("ck_agent_key_event_kind")
        ),
        sa.ForeignKeyConstraint(
            ["key_id"], ["agent_key.id"], name=op.f("fk_agent_key_event_key_id_agent_key")
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["model_run.id"], name=op.f("fk_agent_key_event_run_id_model_run")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agent_key_event")),
    )
    op.create_index(op.f("ix_agent_key_event_key_id"), "agent_key_event", ["key_id"])


def downgrade() -> None:
    op.drop_table("agent_key_event")
    op.drop_table("agent_key")
