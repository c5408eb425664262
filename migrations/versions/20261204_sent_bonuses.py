"""Amounts of bonuses that were sent; those recorded before keep none."""

import sqlalchemy as sa
from alembic import op

revision = "20261204_sent_bonuses"
down_revision = "20261203_played_by"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sent_bonus",
        sa.Column("hand_action_id", sa.Integer(), nullable=False),
        sa.Column("cents", sa.Integer(), nullable=False),
        sa.CheckConstraint("cents >= 0", name=op.f("ck_sent_bonus_cents")),
        sa.ForeignKeyConstraint(
            ["hand_action_id"],
            ["hand_action.id"],
            name=op.f("fk_sent_bonus_hand_action_id_hand_action"),
        ),
        sa.PrimaryKeyConstraint("hand_action_id", name=op.f("pk_sent_bonus")),
    )


def downgrade() -> None:
    op.drop_table("sent_bonus")
