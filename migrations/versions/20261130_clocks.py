"""Readings of each machine's clock against its time since boot."""

import sqlalchemy as sa
from alembic import op

revision = "20261130_clocks"
down_revision = "20261130_events"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "clock_reading",
        sa.Column("boot", sa.String(length=64), nullable=False),
        sa.Column("offset_ms", sa.BigInteger(), nullable=False),
        sa.Column("doubted_ms", sa.BigInteger(), nullable=True),
        sa.Column("doubted_at_ms", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("boot", name=op.f("pk_clock_reading")),
    )


def downgrade() -> None:
    op.drop_table("clock_reading")
