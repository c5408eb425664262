"""The row that the health check replaces."""

import sqlalchemy as sa
from alembic import op

revision = "20261129_health"
down_revision = "20261128_explanation_digest"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "health",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("checked_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_health")),
    )


def downgrade() -> None:
    op.drop_table("health")
