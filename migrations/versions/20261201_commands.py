"""Decisions on commands that were not understood, which are free text."""

import sqlalchemy as sa
from alembic import op

revision = "20261201_commands"
down_revision = "20261201_uploads"
branch_labels = None
depends_on = None

BEFORE = ("explanation", "answer", "note", "problem")
STATES = "state IN ('released', 'withheld')"


def set_kinds(kinds: tuple[str, ...], number: sa.types.TypeEngine) -> None:
    """Replace the check of `kind`; SQLite loses checks when a table is copied."""
    named = op.f("ck_text_release_kind")
    listed = ", ".join(f"'{one}'" for one in kinds)
    with op.batch_alter_table("text_release", recreate="auto") as batch_op:
        if op.get_bind().dialect.name != "sqlite":
            batch_op.drop_constraint(named, type_="check")
        else:
            batch_op.create_check_constraint(op.f("ck_text_release_state"), STATES)
        batch_op.create_check_constraint(named, f"kind IN ({listed})")
        batch_op.alter_column("row_id", type_=number, existing_nullable=False)


def upgrade() -> None:
    set_kinds((*BEFORE, "turn"), sa.BigInteger())


def downgrade() -> None:
    op.execute("DELETE FROM text_release WHERE kind = 'turn'")
    set_kinds(BEFORE, sa.Integer())
