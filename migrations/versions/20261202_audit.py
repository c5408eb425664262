"""The audit log of researchers' actions and downloads."""

import sqlalchemy as sa
from alembic import op

revision = "20261202_audit"
down_revision = "20261202_members"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit_entry",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("verb", sa.Text(), nullable=False),
        sa.Column("study", sa.String(length=64), nullable=False),
        sa.Column("object", sa.Text(), nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_audit_entry")),
    )
    for name in ("account_id", "study"):
        op.create_index(op.f(f"ix_audit_entry_{name}"), "audit_entry", [name])


def downgrade() -> None:
    op.drop_table("audit_entry")
