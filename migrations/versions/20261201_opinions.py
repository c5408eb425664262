"""Several adjudicators, blind to each other."""

import sqlalchemy as sa
from alembic import op

revision = "20261201_opinions"
down_revision = "20261201_guesses"
branch_labels = None
depends_on = None

SCORES = ("value", "inputs", "output", "structure", "generality")


def upgrade() -> None:
    with op.batch_alter_table("rating_round", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("adjudicators", sa.Integer(), nullable=False, server_default="1")
        )
        batch_op.create_check_constraint(
            op.f("ck_rating_round_adjudicators"), "adjudicators BETWEEN 1 AND 5"
        )
    op.create_table(
        "adjudication_opinion",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_item_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=True) for name in SCORES),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("made_by", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        *(
            sa.CheckConstraint(
                f"{name} BETWEEN 0 AND 2", name=op.f(f"ck_adjudication_opinion_{name}")
            )
            for name in SCORES
        ),
        sa.ForeignKeyConstraint(
            ["round_item_id"],
            ["round_item.id"],
            name=op.f("fk_adjudication_opinion_round_item_id_round_item"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_adjudication_opinion")),
        sa.UniqueConstraint(
            "round_item_id",
            "made_by",
            "revision",
            name=op.f("uq_adjudication_opinion_round_item_id_made_by_revision"),
        ),
    )
    op.create_index(
        op.f("ix_adjudication_opinion_round_item_id"), "adjudication_opinion", ["round_item_id"]
    )


def downgrade() -> None:
    op.drop_table("adjudication_opinion")
    with op.batch_alter_table("rating_round", schema=None) as batch_op:
        batch_op.drop_constraint(op.f("ck_rating_round_adjudicators"), type_="check")
        batch_op.drop_column("adjudicators")
