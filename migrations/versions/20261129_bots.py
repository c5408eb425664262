"""A kind of study whose participants are bots."""

import sqlalchemy as sa
from alembic import op

revision = "20261129_bots"
down_revision = "20261129_model_runs"
branch_labels = None
depends_on = None
STATES = "state IN ('draft', 'open', 'closed')"
BEFORE = ("demo", "pilot", "real")


def set_kinds(kinds: tuple[str, ...]) -> None:
    """Replace the check of study.kind; SQLite copies the table, which drops the old one."""
    named = op.f("ck_study_kind")
    listed = ", ".join(f"'{one}'" for one in kinds)
    with op.batch_alter_table("study", recreate="auto") as batch_op:
        if op.get_bind().dialect.name != "sqlite":
            batch_op.drop_constraint(named, type_="check")
        else:
            batch_op.create_check_constraint(op.f("ck_study_state"), STATES)
        batch_op.create_check_constraint(named, f"kind IN ({listed})")


def upgrade() -> None:
    set_kinds((*BEFORE, "bots"))


def downgrade() -> None:
    study = sa.table("study", sa.column("kind", sa.String()))
    op.execute(sa.update(study).where(study.c.kind == "bots").values(kind="pilot"))
    set_kinds(BEFORE)
