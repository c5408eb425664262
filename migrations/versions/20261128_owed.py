"""What is owed to a person whose data were erased."""

import sqlalchemy as sa
from alembic import op

revision = "20261128_owed"
down_revision = "20261128_models"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("participant", schema=None) as batch_op:
        batch_op.add_column(sa.Column("owed", sa.Text(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("participant", schema=None) as batch_op:
        batch_op.drop_column("owed")
