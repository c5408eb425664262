"""Explanation digest."""

import sqlalchemy as sa
from alembic import op

revision = "20261128_explanation_digest"
down_revision = "20261128_wording"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("explanation", schema=None) as batch_op:
        batch_op.add_column(sa.Column("digest", sa.String(length=32), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("explanation", schema=None) as batch_op:
        batch_op.drop_column("digest")
