"""When and where a login was used; a second factor with recovery codes; single sign-on."""

import sqlalchemy as sa
from alembic import op

revision = "20261202_logins"
down_revision = "20261202_audit"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("login", schema=None) as batch_op:
        batch_op.add_column(sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(
            sa.Column("browser", sa.String(length=64), nullable=False, server_default="")
        )
    with op.batch_alter_table("account", schema=None) as batch_op:
        batch_op.add_column(sa.Column("totp_secret", sa.String(length=32), nullable=True))
        batch_op.add_column(
            sa.Column("totp_step", sa.Integer(), nullable=False, server_default="0")
        )
        batch_op.add_column(sa.Column("oidc_subject", sa.Text(), nullable=True))
        batch_op.create_unique_constraint(op.f("uq_account_oidc_subject"), ["oidc_subject"])
    op.create_table(
        "recovery_code",
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_recovery_code_account_id_account")
        ),
        sa.PrimaryKeyConstraint("code_hash", name=op.f("pk_recovery_code")),
    )
    op.create_index(op.f("ix_recovery_code_account_id"), "recovery_code", ["account_id"])


def downgrade() -> None:
    op.drop_table("recovery_code")
    with op.batch_alter_table("account", schema=None) as batch_op:
        batch_op.drop_constraint(op.f("uq_account_oidc_subject"), type_="unique")
        for name in ("oidc_subject", "totp_step", "totp_secret"):
            batch_op.drop_column(name)
    with op.batch_alter_table("login", schema=None) as batch_op:
        for name in ("browser", "seen_at"):
            batch_op.drop_column(name)
