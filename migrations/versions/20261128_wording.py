"""The wording of the rules that a round opened with and that each rating saw."""

import sqlalchemy as sa
from alembic import op

revision = "20261128_wording"
down_revision = "20261128_owed"
branch_labels = None
depends_on = None

TABLES = ("rating_round", "rating")


def upgrade() -> None:
    for table in TABLES:  # older rows: unknown, stored as empty text
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.add_column(
                sa.Column("rule_version", sa.String(length=16), nullable=False, server_default="")
            )


def downgrade() -> None:
    for table in reversed(TABLES):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.drop_column("rule_version")
