"""Rating: items, rounds, ratings, judges, samples, adjudications."""

import sqlalchemy as sa
from alembic import op

revision = "20261128_rating"
down_revision = "20261128_first_tables"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "judge_run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("judge", sa.String(length=128), nullable=False),
        sa.Column("model", sa.String(length=128), nullable=False),
        sa.Column("prompt_version", sa.String(length=64), nullable=False),
        sa.Column("parameters", sa.Text(), nullable=False),
        sa.Column("made_by", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind IN ('file', 'llm')", name=op.f("ck_judge_run_kind")),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_judge_run_study_id_study")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judge_run")),
        sa.UniqueConstraint(
            "study_id",
            "judge",
            "model",
            "prompt_version",
            name=op.f("uq_judge_run_study_id_judge_model_prompt_version"),
        ),
        sa.UniqueConstraint("study_id", "number", name=op.f("uq_judge_run_study_id_number")),
    )
    with op.batch_alter_table("judge_run", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_judge_run_study_id"), ["study_id"], unique=False)

    op.create_table(
        "sample",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("level_of", sa.String(length=16), nullable=False),
        sa.Column("which", sa.String(length=8), nullable=False),
        sa.Column("per_level", sa.Integer(), nullable=False),
        sa.Column("allocation", sa.String(length=16), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("frame_size", sa.Integer(), nullable=False),
        sa.Column("frame_hash", sa.String(length=64), nullable=False),
        sa.Column("strata", sa.Text(), nullable=False),
        sa.Column("shortfalls", sa.Text(), nullable=False),
        sa.Column("merged", sa.Text(), nullable=False),
        sa.Column("made_by", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "allocation IN ('proportional', 'balanced')", name=op.f("ck_sample_allocation")
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["judge_run.id"], name=op.f("fk_sample_run_id_judge_run")
        ),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_sample_study_id_study")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sample")),
        sa.UniqueConstraint("study_id", "number", name=op.f("uq_sample_study_id_number")),
    )
    with op.batch_alter_table("sample", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sample_study_id"), ["study_id"], unique=False)

    op.create_table(
        "rating_round",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("mode", sa.String(length=8), nullable=False),
        sa.Column("rubric", sa.Text(), nullable=False),
        sa.Column("rubric_version", sa.String(length=32), nullable=False),
        sa.Column("rubric_hash", sa.String(length=64), nullable=False),
        sa.Column("k", sa.Integer(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("repeat_percent", sa.Integer(), nullable=False),
        sa.Column("sample_id", sa.Integer(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("made_by", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("mode IN ('overall', 'criteria')", name=op.f("ck_rating_round_mode")),
        sa.CheckConstraint(
            "state IN ('draft', 'open', 'closed')", name=op.f("ck_rating_round_state")
        ),
        sa.CheckConstraint("k >= 1", name=op.f("ck_rating_round_k")),
        sa.CheckConstraint(
            "repeat_percent BETWEEN 0 AND 50", name=op.f("ck_rating_round_repeat_percent")
        ),
        sa.ForeignKeyConstraint(
            ["sample_id"], ["sample.id"], name=op.f("fk_rating_round_sample_id_sample")
        ),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_rating_round_study_id_study")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rating_round")),
        sa.UniqueConstraint("study_id", "number", name=op.f("uq_rating_round_study_id_number")),
    )
    with op.batch_alter_table("rating_round", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_rating_round_study_id"), ["study_id"], unique=False)

    op.create_table(
        "round_rater",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("pseudonym", sa.String(length=32), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_round_rater_account_id_account")
        ),
        sa.ForeignKeyConstraint(
            ["round_id"], ["rating_round.id"], name=op.f("fk_round_rater_round_id_rating_round")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_round_rater")),
        sa.UniqueConstraint(
            "round_id", "account_id", name=op.f("uq_round_rater_round_id_account_id")
        ),
        sa.UniqueConstraint(
            "round_id", "pseudonym", name=op.f("uq_round_rater_round_id_pseudonym")
        ),
        sa.UniqueConstraint("token", name=op.f("uq_round_rater_token")),
    )
    with op.batch_alter_table("round_rater", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_round_rater_account_id"), ["account_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_round_rater_round_id"), ["round_id"], unique=False)

    op.create_table(
        "rating_item",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("external_id", sa.String(length=200), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("explanation_id", sa.Integer(), nullable=True),
        sa.Column("participant_id", sa.Integer(), nullable=True),
        sa.Column("source", sa.String(length=128), nullable=False),
        sa.Column("cluster", sa.Text(), nullable=False),
        sa.Column("task", sa.String(length=64), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("lexicon", sa.String(length=32), nullable=False),
        sa.Column("coverage", sa.String(length=8), nullable=False),
        sa.Column("variant_hash", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("is_erased", sa.Boolean(), nullable=False),
        sa.Column("imported_by", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind IN ('player', 'model')", name=op.f("ck_rating_item_kind")),
        sa.ForeignKeyConstraint(
            ["explanation_id"],
            ["explanation.id"],
            name=op.f("fk_rating_item_explanation_id_explanation"),
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_rating_item_participant_id_participant"),
        ),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_rating_item_study_id_study")
        ),
        sa.ForeignKeyConstraint(
            ["variant_hash"], ["variant.hash"], name=op.f("fk_rating_item_variant_hash_variant")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rating_item")),
        sa.UniqueConstraint("explanation_id", name=op.f("uq_rating_item_explanation_id")),
        sa.UniqueConstraint(
            "study_id", "external_id", name=op.f("uq_rating_item_study_id_external_id")
        ),
    )
    with op.batch_alter_table("rating_item", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_rating_item_participant_id"), ["participant_id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_rating_item_study_id"), ["study_id"], unique=False)

    op.create_table(
        "judge_score",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("inputs", sa.Integer(), nullable=True),
        sa.Column("output", sa.Integer(), nullable=True),
        sa.Column("structure", sa.Integer(), nullable=True),
        sa.Column("generality", sa.Integer(), nullable=True),
        sa.Column("raw", sa.Text(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("status IN ('ok', 'malformed')", name=op.f("ck_judge_score_status")),
        sa.CheckConstraint("generality BETWEEN 0 AND 2", name=op.f("ck_judge_score_generality")),
        sa.CheckConstraint("inputs BETWEEN 0 AND 2", name=op.f("ck_judge_score_inputs")),
        sa.CheckConstraint("output BETWEEN 0 AND 2", name=op.f("ck_judge_score_output")),
        sa.CheckConstraint("score BETWEEN 0 AND 2", name=op.f("ck_judge_score_score")),
        sa.CheckConstraint("structure BETWEEN 0 AND 2", name=op.f("ck_judge_score_structure")),
        sa.ForeignKeyConstraint(
            ["item_id"], ["rating_item.id"], name=op.f("fk_judge_score_item_id_rating_item")
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["judge_run.id"], name=op.f("fk_judge_score_run_id_judge_run")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judge_score")),
        sa.UniqueConstraint("run_id", "item_id", name=op.f("uq_judge_score_run_id_item_id")),
    )
    with op.batch_alter_table("judge_score", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_judge_score_item_id"), ["item_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_judge_score_run_id"), ["run_id"], unique=False)

    op.create_table(
        "round_item",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("known", sa.Text(), nullable=False),
        sa.Column("feedback", sa.Text(), nullable=False),
        sa.CheckConstraint("kind IN ('main', 'gold', 'training')", name=op.f("ck_round_item_kind")),
        sa.ForeignKeyConstraint(
            ["item_id"], ["rating_item.id"], name=op.f("fk_round_item_item_id_rating_item")
        ),
        sa.ForeignKeyConstraint(
            ["round_id"], ["rating_round.id"], name=op.f("fk_round_item_round_id_rating_round")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_round_item")),
        sa.UniqueConstraint("round_id", "item_id", name=op.f("uq_round_item_round_id_item_id")),
    )
    with op.batch_alter_table("round_item", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_round_item_item_id"), ["item_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_round_item_round_id"), ["round_id"], unique=False)

    op.create_table(
        "sample_item",
        sa.Column("sample_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("stratum", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("weight", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["item_id"], ["rating_item.id"], name=op.f("fk_sample_item_item_id_rating_item")
        ),
        sa.ForeignKeyConstraint(
            ["sample_id"], ["sample.id"], name=op.f("fk_sample_item_sample_id_sample")
        ),
        sa.PrimaryKeyConstraint("sample_id", "item_id", name=op.f("pk_sample_item")),
    )
    op.create_table(
        "adjudication",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_item_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("value", sa.Integer(), nullable=True),
        sa.Column("inputs", sa.Integer(), nullable=True),
        sa.Column("output", sa.Integer(), nullable=True),
        sa.Column("structure", sa.Integer(), nullable=True),
        sa.Column("generality", sa.Integer(), nullable=True),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("made_by", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("generality BETWEEN 0 AND 2", name=op.f("ck_adjudication_generality")),
        sa.CheckConstraint("inputs BETWEEN 0 AND 2", name=op.f("ck_adjudication_inputs")),
        sa.CheckConstraint("output BETWEEN 0 AND 2", name=op.f("ck_adjudication_output")),
        sa.CheckConstraint("structure BETWEEN 0 AND 2", name=op.f("ck_adjudication_structure")),
        sa.CheckConstraint("value BETWEEN 0 AND 2", name=op.f("ck_adjudication_value")),
        sa.ForeignKeyConstraint(
            ["round_item_id"],
            ["round_item.id"],
            name=op.f("fk_adjudication_round_item_id_round_item"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_adjudication")),
        sa.UniqueConstraint(
            "round_item_id", "revision", name=op.f("uq_adjudication_round_item_id_revision")
        ),
    )
    with op.batch_alter_table("adjudication", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_adjudication_round_item_id"), ["round_item_id"], unique=False
        )

    op.create_table(
        "assignment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("round_item_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("repeat", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.CheckConstraint("repeat IN (0, 1)", name=op.f("ck_assignment_repeat")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_assignment_account_id_account")
        ),
        sa.ForeignKeyConstraint(
            ["round_id"], ["rating_round.id"], name=op.f("fk_assignment_round_id_rating_round")
        ),
        sa.ForeignKeyConstraint(
            ["round_item_id"],
            ["round_item.id"],
            name=op.f("fk_assignment_round_item_id_round_item"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignment")),
        sa.UniqueConstraint(
            "round_id",
            "account_id",
            "position",
            name=op.f("uq_assignment_round_id_account_id_position"),
        ),
        sa.UniqueConstraint(
            "round_item_id",
            "account_id",
            "repeat",
            name=op.f("uq_assignment_round_item_id_account_id_repeat"),
        ),
        sa.UniqueConstraint("token", name=op.f("uq_assignment_token")),
    )
    with op.batch_alter_table("assignment", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_assignment_account_id"), ["account_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_assignment_round_id"), ["round_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_assignment_round_item_id"), ["round_item_id"], unique=False
        )

    op.create_table(
        "rating",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("value", sa.Integer(), nullable=True),
        sa.Column("inputs", sa.Integer(), nullable=True),
        sa.Column("output", sa.Integer(), nullable=True),
        sa.Column("structure", sa.Integer(), nullable=True),
        sa.Column("generality", sa.Integer(), nullable=True),
        sa.Column("skip_reason", sa.String(length=32), nullable=False),
        sa.Column("flag", sa.Boolean(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("active_ms", sa.BigInteger(), nullable=True),
        sa.Column("wall_ms", sa.BigInteger(), nullable=True),
        sa.Column("ticket", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("generality BETWEEN 0 AND 2", name=op.f("ck_rating_generality")),
        sa.CheckConstraint("inputs BETWEEN 0 AND 2", name=op.f("ck_rating_inputs")),
        sa.CheckConstraint("output BETWEEN 0 AND 2", name=op.f("ck_rating_output")),
        sa.CheckConstraint("revision >= 1", name=op.f("ck_rating_revision")),
        sa.CheckConstraint("structure BETWEEN 0 AND 2", name=op.f("ck_rating_structure")),
        sa.CheckConstraint("value BETWEEN 0 AND 2", name=op.f("ck_rating_value")),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignment.id"], name=op.f("fk_rating_assignment_id_assignment")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rating")),
        sa.UniqueConstraint(
            "assignment_id", "revision", name=op.f("uq_rating_assignment_id_revision")
        ),
        sa.UniqueConstraint("ticket", name=op.f("uq_rating_ticket")),
    )
    with op.batch_alter_table("rating", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_rating_assignment_id"), ["assignment_id"], unique=False
        )


def downgrade() -> None:
    with op.batch_alter_table("rating", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_rating_assignment_id"))

    op.drop_table("rating")
    with op.batch_alter_table("assignment", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_assignment_round_item_id"))
        batch_op.drop_index(batch_op.f("ix_assignment_round_id"))
        batch_op.drop_index(batch_op.f("ix_assignment_account_id"))

    op.drop_table("assignment")
    with op.batch_alter_table("adjudication", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_adjudication_round_item_id"))

    op.drop_table("adjudication")
    op.drop_table("sample_item")
    with op.batch_alter_table("round_item", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_round_item_round_id"))
        batch_op.drop_index(batch_op.f("ix_round_item_item_id"))

    op.drop_table("round_item")
    with op.batch_alter_table("judge_score", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_judge_score_run_id"))
        batch_op.drop_index(batch_op.f("ix_judge_score_item_id"))

    op.drop_table("judge_score")
    with op.batch_alter_table("rating_item", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_rating_item_study_id"))
        batch_op.drop_index(batch_op.f("ix_rating_item_participant_id"))

    op.drop_table("rating_item")
    with op.batch_alter_table("round_rater", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_round_rater_round_id"))
        batch_op.drop_index(batch_op.f("ix_round_rater_account_id"))

    op.drop_table("round_rater")
    with op.batch_alter_table("rating_round", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_rating_round_study_id"))

    op.drop_table("rating_round")
    with op.batch_alter_table("sample", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sample_study_id"))

    op.drop_table("sample")
    with op.batch_alter_table("judge_run", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_judge_run_study_id"))

    op.drop_table("judge_run")
