"""Requests of the API that server processes on one PostgreSQL count together."""

import sqlalchemy as sa
from alembic import op

revision = "20261204_api_requests"
down_revision = "20261204_sent_bonuses"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # UNLOGGED: a request need not wait for the disk, and after a crash all begin a new minute.
    is_postgres = op.get_bind().dialect.name == "postgresql"
    op.create_table(
        "api_request",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("requests", sa.Integer(), nullable=False),
        sa.Column("until_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_api_request")),
        prefixes=["UNLOGGED"] if is_postgres else [],
    )
    with op.batch_alter_table("api_request", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_api_request_until_ms"), ["until_ms"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("api_request", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_api_request_until_ms"))
    op.drop_table("api_request")
