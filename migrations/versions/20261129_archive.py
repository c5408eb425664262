"""Studies are archived and deleted; exports are logged, because deleting needs one."""

import sqlalchemy as sa
from alembic import op

revision = "20261129_archive"
down_revision = "20261129_visitors"
branch_labels = None
depends_on = None
BEFORE = ("created", "published", "changed", "opened", "closed")
NEW = ("archived", "restored", "exported")


def set_events(events: tuple[str, ...]) -> None:
    """Replace the check of study_change.event; SQLite copies the table, which drops the old one."""
    named = op.f("ck_study_change_event")
    listed = ", ".join(f"'{one}'" for one in events)
    with op.batch_alter_table("study_change", recreate="auto") as batch_op:
        if op.get_bind().dialect.name != "sqlite":
            batch_op.drop_constraint(named, type_="check")
        batch_op.create_check_constraint(named, f"event IN ({listed})")


def upgrade() -> None:
    op.add_column("study", sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True))
    set_events((*BEFORE, *NEW))
    op.create_table(
        "study_deletion",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("rows", sa.Text(), nullable=False),
        sa.Column("made_by", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study_deletion")),
    )


def downgrade() -> None:
    op.drop_table("study_deletion")
    change = sa.table("study_change", sa.column("event", sa.String()))
    op.execute(sa.delete(change).where(change.c.event.in_(NEW)))
    set_events(BEFORE)
    with op.batch_alter_table("study") as batch_op:
        batch_op.drop_column("archived_at")
