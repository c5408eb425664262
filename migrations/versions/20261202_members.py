"""Members of studies with roles, and administrators.

Until now every researcher could see and change every study. The researcher's account that was
created first becomes an administrator. A study's owner is the researcher who created it; where
that is not known, every researcher becomes an owner, so that nobody is locked out.
"""

import sqlalchemy as sa
from alembic import op

revision = "20261202_members"
down_revision = "20261201_pauses"
branch_labels = None
depends_on = None

OWNERS = """
INSERT INTO study_member (study_id, account_id, role, added_by, added_at)
SELECT study.id, account.id, 'owner', 'migration', study.created_at
FROM study JOIN account ON account.role = 'researcher'
WHERE account.name IN (
    SELECT made_by FROM study_change
    WHERE study_change.study_id = study.id AND study_change.event = 'created'
) OR NOT EXISTS (
    SELECT 1 FROM study_change JOIN account AS maker ON maker.name = study_change.made_by
    WHERE study_change.study_id = study.id AND study_change.event = 'created'
    AND maker.role = 'researcher' AND maker.active
)
"""
FIRST = """
UPDATE account SET is_admin = true WHERE id = (
    SELECT min(id) FROM account WHERE role = 'researcher' AND active
)
"""


def upgrade() -> None:
    with op.batch_alter_table("account", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("is_admin", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    op.create_table(
        "study_member",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("added_by", sa.String(length=64), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "role IN ('owner', 'editor', 'viewer', 'payer', 'coordinator')",
            name=op.f("ck_study_member_role"),
        ),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_study_member_study_id_study")
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_study_member_account_id_account")
        ),
        sa.PrimaryKeyConstraint("study_id", "account_id", name=op.f("pk_study_member")),
    )
    op.create_index(op.f("ix_study_member_account_id"), "study_member", ["account_id"])
    op.execute(FIRST)
    op.execute(OWNERS)


def downgrade() -> None:
    op.drop_table("study_member")
    with op.batch_alter_table("account", schema=None) as batch_op:
        batch_op.drop_column("is_admin")
