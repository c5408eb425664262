"""Open items of an annotator that go to another one."""

import sqlalchemy as sa
from alembic import op

revision = "20261201_handovers"
down_revision = "20261201_opinions"
branch_labels = None
depends_on = None

NAMES = ("assignment_id", "to_assignment_id")


def upgrade() -> None:
    op.create_table(
        "handover",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("to_assignment_id", sa.Integer(), nullable=True),
        sa.Column("made_by", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        *(
            sa.ForeignKeyConstraint(
                [name], ["assignment.id"], name=op.f(f"fk_handover_{name}_assignment")
            )
            for name in NAMES
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_handover")),
        *(sa.UniqueConstraint(name, name=op.f(f"uq_handover_{name}")) for name in NAMES),
    )


def downgrade() -> None:
    op.drop_table("handover")
