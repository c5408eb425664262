"""Gold items with feedback, and annotators paused because of them."""

import sqlalchemy as sa
from alembic import op

revision = "20261201_pauses"
down_revision = "20261201_commands"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("rating_round", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("gold_feedback", sa.Boolean(), nullable=False, server_default=sa.false())
        )
        batch_op.add_column(
            sa.Column("gold_least", sa.Integer(), nullable=False, server_default="0")
        )
        batch_op.add_column(
            sa.Column("gold_after", sa.Integer(), nullable=False, server_default="3")
        )
        batch_op.create_check_constraint(
            op.f("ck_rating_round_gold_least"), "gold_least BETWEEN 0 AND 100"
        )
    op.create_table(
        "rater_pause",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("right", sa.Integer(), nullable=False),
        sa.Column("rated", sa.Integer(), nullable=False),
        sa.Column("made_by", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind IN ('pause', 'go_on')", name=op.f("ck_rater_pause_kind")),
        sa.ForeignKeyConstraint(
            ["round_id"], ["rating_round.id"], name=op.f("fk_rater_pause_round_id_rating_round")
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_rater_pause_account_id_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rater_pause")),
    )
    for name in ("round_id", "account_id"):
        op.create_index(op.f(f"ix_rater_pause_{name}"), "rater_pause", [name])


def downgrade() -> None:
    op.drop_table("rater_pause")
    with op.batch_alter_table("rating_round", schema=None) as batch_op:
        batch_op.drop_constraint(op.f("ck_rating_round_gold_least"), type_="check")
        for name in ("gold_after", "gold_least", "gold_feedback"):
            batch_op.drop_column(name)
