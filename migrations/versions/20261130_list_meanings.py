"""What a researcher chose as the meaning of a platform's unknown status."""

import sqlalchemy as sa
from alembic import op

revision = "20261130_list_meanings"
down_revision = "20261130_clocks"
branch_labels = None
depends_on = None


def upgrade() -> None:
    meaning = sa.Column("meaning", sa.String(length=16), nullable=False, server_default="")
    op.add_column("platform_record", meaning)


def downgrade() -> None:
    op.drop_column("platform_record", "meaning")
