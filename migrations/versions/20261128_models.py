"""Imported results of models."""

import sqlalchemy as sa
from alembic import op

revision = "20261128_models"
down_revision = "20261128_release"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "model_result",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("model", sa.String(length=128), nullable=False),
        sa.Column("task", sa.String(length=64), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("lexicon", sa.String(length=32), nullable=False),
        sa.Column("coverage", sa.String(length=8), nullable=False),
        sa.Column("format", sa.String(length=16), nullable=False),
        sa.Column("variant_hash", sa.String(length=64), nullable=False),
        sa.Column("episode_index", sa.Integer(), nullable=False),
        sa.Column("success", sa.Boolean(), nullable=False),
        sa.Column("actions_used", sa.Integer(), nullable=False),
        sa.Column("ref_length", sa.Integer(), nullable=False),
        sa.Column("n_tries", sa.Integer(), nullable=False),
        sa.Column("rv", sa.Float(), nullable=True),
        sa.Column("source", sa.String(length=16), nullable=False),
        sa.Column("imported_by", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("actions_used >= 1", name=op.f("ck_model_result_actions_used")),
        sa.CheckConstraint("episode_index >= 1", name=op.f("ck_model_result_episode_index")),
        sa.CheckConstraint("format IN ('episodic', 'direct')", name=op.f("ck_model_result_format")),
        sa.CheckConstraint("n_tries >= 2", name=op.f("ck_model_result_n_tries")),
        sa.CheckConstraint("ref_length >= 1", name=op.f("ck_model_result_ref_length")),
        sa.CheckConstraint("rv IS NULL OR (rv >= 0 AND rv <= 1)", name=op.f("ck_model_result_rv")),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_model_result_study_id_study")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_model_result")),
        sa.UniqueConstraint(
            "study_id",
            "model",
            "task",
            "seed",
            "lexicon",
            "coverage",
            "format",
            "variant_hash",
            "episode_index",
            name="uq_model_result_key",
        ),
    )
    with op.batch_alter_table("model_result", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_model_result_study_id"), ["study_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("model_result", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_model_result_study_id"))
    op.drop_table("model_result")
