"""Hashes of IDs on a platform's list, whose owners never arrived here."""

import sqlalchemy as sa
from alembic import op

revision = "20261205_list_hashes"
down_revision = "20261204_api_requests"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("id_hash", schema=None) as batch_op:
        batch_op.alter_column("participant_id", existing_type=sa.Integer(), nullable=True)


def downgrade() -> None:
    op.execute("DELETE FROM id_hash WHERE participant_id IS NULL")
    with op.batch_alter_table("id_hash", schema=None) as batch_op:
        batch_op.alter_column("participant_id", existing_type=sa.Integer(), nullable=False)
