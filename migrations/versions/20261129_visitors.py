"""How fast people enter from one address; where failed logins come from."""

import sqlalchemy as sa
from alembic import op

revision = "20261129_visitors"
down_revision = "20261129_health"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "entry_pace",
        sa.Column("study_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("source", sa.String(length=32), nullable=False),
        sa.Column("free_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("study_id", "source", name=op.f("pk_entry_pace")),
    )
    with op.batch_alter_table("login_attempt", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("source", sa.String(length=32), nullable=False, server_default="")
        )
        batch_op.create_index(batch_op.f("ix_login_attempt_source"), ["source"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("login_attempt", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_login_attempt_source"))
        batch_op.drop_column("source")
    op.drop_table("entry_pace")
