"""The form in which a round's raters see the explanations."""

import sqlalchemy as sa
from alembic import op

revision = "20261129_presentation"
down_revision = "20261129_archive"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("rating_round", schema=None) as batch_op:  # older rounds: as written
        batch_op.add_column(
            sa.Column("presentation", sa.String(length=16), nullable=False, server_default="")
        )


def downgrade() -> None:
    with op.batch_alter_table("rating_round", schema=None) as batch_op:
        batch_op.drop_column("presentation")
