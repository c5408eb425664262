"""First tables."""

import sqlalchemy as sa
from alembic import op

revision = "20261128_first_tables"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("password_hash", sa.String(length=256), nullable=True),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("role IN ('researcher', 'annotator')", name=op.f("ck_account_role")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("name", name=op.f("uq_account_name")),
    )
    op.create_table(
        "login_attempt",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_login_attempt")),
    )
    with op.batch_alter_table("login_attempt", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_login_attempt_at"), ["at"], unique=False)
        batch_op.create_index(batch_op.f("ix_login_attempt_name"), ["name"], unique=False)

    op.create_table(
        "secret",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("value", sa.String(length=128), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_secret")),
    )
    op.create_table(
        "study",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=64), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind IN ('demo', 'pilot', 'real')", name=op.f("ck_study_kind")),
        sa.CheckConstraint("state IN ('draft', 'open', 'closed')", name=op.f("ck_study_state")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study")),
        sa.UniqueConstraint("slug", name=op.f("uq_study_slug")),
    )
    op.create_table(
        "ticket",
        sa.Column("ticket", sa.String(length=64), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("ticket", name=op.f("pk_ticket")),
    )
    op.create_table(
        "variant",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("certificate", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_variant")),
    )
    op.create_table(
        "design",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("spec", sa.Text(), nullable=False),
        sa.Column("spec_hash", sa.String(length=64), nullable=False),
        sa.Column("variants", sa.Text(), nullable=False),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("frozen_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_design_study_id_study")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_design")),
        sa.UniqueConstraint(
            "study_id", "version", "revision", name=op.f("uq_design_study_id_version_revision")
        ),
    )
    with op.batch_alter_table("design", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_design_study_id"), ["study_id"], unique=False)

    op.create_table(
        "login",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_login_account_id_account")
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_login")),
    )
    with op.batch_alter_table("login", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_login_account_id"), ["account_id"], unique=False)

    op.create_table(
        "login_link",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_login_link_account_id_account")
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_login_link")),
    )
    with op.batch_alter_table("login_link", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_login_link_account_id"), ["account_id"], unique=False)

    op.create_table(
        "platform_record",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("platform", sa.String(length=32), nullable=False),
        sa.Column("external_id", sa.String(length=128), nullable=False),
        sa.Column("external_session", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=32), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("started", sa.Text(), nullable=False),
        sa.Column("completed", sa.Text(), nullable=False),
        sa.Column("imported_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_platform_record_study_id_study")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_platform_record")),
        sa.UniqueConstraint(
            "study_id",
            "platform",
            "external_id",
            name=op.f("uq_platform_record_study_id_platform_external_id"),
        ),
    )
    with op.batch_alter_table("platform_record", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_platform_record_study_id"), ["study_id"], unique=False)

    op.create_table(
        "study_change",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("event", sa.String(length=16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("changes", sa.Text(), nullable=False),
        sa.Column("made_by", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "event IN ('created', 'published', 'changed', 'opened', 'closed')",
            name=op.f("ck_study_change_event"),
        ),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_study_change_study_id_study")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study_change")),
    )
    with op.batch_alter_table("study_change", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_study_change_study_id"), ["study_id"], unique=False)

    op.create_table(
        "study_draft",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("made_by", sa.String(length=64), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_study_draft_study_id_study")
        ),
        sa.PrimaryKeyConstraint("study_id", name=op.f("pk_study_draft")),
    )
    op.create_table(
        "participant",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=32), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("design_id", sa.Integer(), nullable=False),
        sa.Column("arrival", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("is_test", sa.Boolean(), nullable=False),
        sa.Column("consent_hash", sa.String(length=64), nullable=False),
        sa.Column("consented_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("instructions_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("practice_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("code", sa.String(length=64), nullable=True),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("resume_count", sa.Integer(), nullable=False),
        sa.Column("longest_gap_s", sa.Integer(), nullable=False),
        sa.Column("extended_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("end_reason", sa.String(length=64), nullable=False),
        sa.Column("excluded", sa.Text(), nullable=False),
        sa.Column("erased_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("tag", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "seat IN ('', 'held', 'released', 'done')", name=op.f("ck_participant_seat")
        ),
        sa.CheckConstraint(
            "state IN ('active', 'finished', 'no_consent', 'screened_out', 'failed_check', 'over_quota', 'withdrawn', 'timed_out', 'technical')",
            name=op.f("ck_participant_state"),
        ),
        sa.ForeignKeyConstraint(
            ["design_id"], ["design.id"], name=op.f("fk_participant_design_id_design")
        ),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_participant_study_id_study")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_participant")),
        sa.UniqueConstraint("public_id", name=op.f("uq_participant_public_id")),
        sa.UniqueConstraint("study_id", "arrival", name=op.f("uq_participant_study_id_arrival")),
        sa.UniqueConstraint("token", name=op.f("uq_participant_token")),
    )
    with op.batch_alter_table("participant", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_participant_design_id"), ["design_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_participant_study_id"), ["study_id"], unique=False)

    op.create_table(
        "answer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=16), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("question", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("is_right", sa.Boolean(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "phase IN ('before', 'comprehension', 'after')", name=op.f("ck_answer_phase")
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_answer_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_answer")),
        sa.UniqueConstraint(
            "participant_id",
            "phase",
            "attempt",
            "question",
            name=op.f("uq_answer_participant_id_phase_attempt_question"),
        ),
    )
    with op.batch_alter_table("answer", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_answer_participant_id"), ["participant_id"], unique=False
        )

    op.create_table(
        "block",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("cell", sa.String(length=128), nullable=False),
        sa.Column("task", sa.String(length=64), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("lexicon", sa.String(length=32), nullable=False),
        sa.Column("coverage", sa.String(length=8), nullable=False),
        sa.Column("format", sa.String(length=8), nullable=False),
        sa.Column("variant_hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["participant_id"], ["participant.id"], name=op.f("fk_block_participant_id_participant")
        ),
        sa.ForeignKeyConstraint(
            ["variant_hash"], ["variant.hash"], name=op.f("fk_block_variant_hash_variant")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_block")),
        sa.UniqueConstraint(
            "participant_id", "position", name=op.f("uq_block_participant_id_position")
        ),
    )
    with op.batch_alter_table("block", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_block_cell"), ["cell"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_block_participant_id"), ["participant_id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_block_variant_hash"), ["variant_hash"], unique=False)

    op.create_table(
        "draft",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("page", sa.String(length=64), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["participant_id"], ["participant.id"], name=op.f("fk_draft_participant_id_participant")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draft")),
        sa.UniqueConstraint("participant_id", "page", name=op.f("uq_draft_participant_id_page")),
    )
    with op.batch_alter_table("draft", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_draft_participant_id"), ["participant_id"], unique=False
        )

    op.create_table(
        "identity",
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("platform", sa.String(length=32), nullable=False),
        sa.Column("external_id", sa.String(length=128), nullable=False),
        sa.Column("external_study", sa.Text(), nullable=False),
        sa.Column("external_session", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_identity_participant_id_participant"),
        ),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_identity_study_id_study")
        ),
        sa.PrimaryKeyConstraint("participant_id", name=op.f("pk_identity")),
        sa.UniqueConstraint(
            "study_id",
            "platform",
            "external_id",
            name=op.f("uq_identity_study_id_platform_external_id"),
        ),
    )
    with op.batch_alter_table("identity", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_identity_study_id"), ["study_id"], unique=False)

    op.create_table(
        "problem",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=True),
        sa.Column("page", sa.String(length=128), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_problem_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_problem")),
    )
    with op.batch_alter_table("problem", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_problem_participant_id"), ["participant_id"], unique=False
        )

    op.create_table(
        "process_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("page", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.Column("detail", sa.String(length=64), nullable=False),
        sa.Column("client_ms", sa.BigInteger(), nullable=True),
        sa.Column("received_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_process_event_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_process_event")),
    )
    with op.batch_alter_table("process_event", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_process_event_participant_id"), ["participant_id"], unique=False
        )

    op.create_table(
        "seat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("cell", sa.String(length=128), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("state IN ('held', 'done', 'released')", name=op.f("ck_seat_state")),
        sa.ForeignKeyConstraint(
            ["participant_id"], ["participant.id"], name=op.f("fk_seat_participant_id_participant")
        ),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_seat_study_id_study")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seat")),
        sa.UniqueConstraint("participant_id", "cell", name=op.f("uq_seat_participant_id_cell")),
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_seat_participant_id"), ["participant_id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_seat_study_id"), ["study_id"], unique=False)

    op.create_table(
        "seat_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=True),
        sa.Column("event", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.String(length=64), nullable=False),
        sa.Column("cells", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "event IN ('claimed', 'reclaimed', 'done', 'released', 'refused')",
            name=op.f("ck_seat_event_event"),
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_seat_event_participant_id_participant"),
        ),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_seat_event_study_id_study")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seat_event")),
    )
    with op.batch_alter_table("seat_event", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_seat_event_participant_id"), ["participant_id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_seat_event_study_id"), ["study_id"], unique=False)

    op.create_table(
        "episode",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("block_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("block_position", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("variant_hash", sa.String(length=64), nullable=False),
        sa.Column("variant_episode", sa.Integer(), nullable=False),
        sa.Column("entity", sa.String(length=128), nullable=False),
        sa.Column("engine_name", sa.String(length=32), nullable=False),
        sa.Column("engine_version", sa.String(length=16), nullable=False),
        sa.Column("code_version", sa.String(length=64), nullable=False),
        sa.Column("ref_length", sa.Integer(), nullable=False),
        sa.Column("n_tries", sa.Integer(), nullable=False),
        sa.Column("budget", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("actions_used", sa.Integer(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=True),
        sa.Column("digest", sa.String(length=32), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("voided_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("kind IN ('main', 'practice')", name=op.f("ck_episode_kind")),
        sa.CheckConstraint("state IN ('open', 'won', 'lost')", name=op.f("ck_episode_state")),
        sa.ForeignKeyConstraint(["block_id"], ["block.id"], name=op.f("fk_episode_block_id_block")),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_episode_participant_id_participant"),
        ),
        sa.ForeignKeyConstraint(
            ["variant_hash"], ["variant.hash"], name=op.f("fk_episode_variant_hash_variant")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_episode")),
        sa.UniqueConstraint(
            "participant_id",
            "kind",
            "block_position",
            "position",
            name=op.f("uq_episode_participant_id_kind_block_position_position"),
        ),
    )
    with op.batch_alter_table("episode", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_episode_block_id"), ["block_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_episode_participant_id"), ["participant_id"], unique=False
        )

    op.create_table(
        "direct_answer",
        sa.Column("episode_id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("activity", sa.String(length=16), nullable=False),
        sa.Column("placed", sa.String(length=16), nullable=False),
        sa.Column("times", sa.Integer(), nullable=True),
        sa.Column("is_right", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["episode_id"], ["episode.id"], name=op.f("fk_direct_answer_episode_id_episode")
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_direct_answer_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("episode_id", name=op.f("pk_direct_answer")),
    )
    with op.batch_alter_table("direct_answer", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_direct_answer_participant_id"), ["participant_id"], unique=False
        )

    op.create_table(
        "explanation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("block_id", sa.Integer(), nullable=False),
        sa.Column("episode_id", sa.Integer(), nullable=True),
        sa.Column("after", sa.Integer(), nullable=False),
        sa.Column("form", sa.String(length=8), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("inputs", sa.Text(), nullable=False),
        sa.Column("output", sa.Text(), nullable=False),
        sa.Column("how", sa.Text(), nullable=False),
        sa.Column("do_not_know", sa.Boolean(), nullable=False),
        sa.Column("confidence", sa.Integer(), nullable=True),
        sa.Column("found_how", sa.Text(), nullable=False),
        sa.Column("design_version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("confidence BETWEEN 0 AND 100", name=op.f("ck_explanation_confidence")),
        sa.ForeignKeyConstraint(
            ["block_id"], ["block.id"], name=op.f("fk_explanation_block_id_block")
        ),
        sa.ForeignKeyConstraint(
            ["episode_id"], ["episode.id"], name=op.f("fk_explanation_episode_id_episode")
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_explanation_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_explanation")),
        sa.UniqueConstraint("block_id", "after", name=op.f("uq_explanation_block_id_after")),
    )
    with op.batch_alter_table("explanation", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_explanation_block_id"), ["block_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_explanation_participant_id"), ["participant_id"], unique=False
        )

    op.create_table(
        "hand_action",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("episode_id", sa.Integer(), nullable=True),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("action", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_hand_action_account_id_account")
        ),
        sa.ForeignKeyConstraint(
            ["episode_id"], ["episode.id"], name=op.f("fk_hand_action_episode_id_episode")
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_hand_action_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hand_action")),
    )
    with op.batch_alter_table("hand_action", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_hand_action_participant_id"), ["participant_id"], unique=False
        )

    op.create_table(
        "turn",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("episode_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("raw", sa.Text(), nullable=False),
        sa.Column("verb", sa.String(length=32), nullable=False),
        sa.Column("argument", sa.Text(), nullable=False),
        sa.Column("parse_status", sa.String(length=16), nullable=False),
        sa.Column("ok", sa.Boolean(), nullable=False),
        sa.Column("code", sa.String(length=32), nullable=False),
        sa.Column("params", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.Column("success", sa.Boolean(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("actions_used", sa.Integer(), nullable=False),
        sa.Column("location", sa.String(length=128), nullable=False),
        sa.Column("item", sa.String(length=128), nullable=False),
        sa.Column("coins", sa.Integer(), nullable=False),
        sa.Column("did", sa.Text(), nullable=False),
        sa.Column("received_ms", sa.BigInteger(), nullable=False),
        sa.Column("client_ms", sa.BigInteger(), nullable=True),
        sa.Column("think_ms", sa.BigInteger(), nullable=True),
        sa.Column("taps", sa.Integer(), nullable=True),
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.CheckConstraint(
            "parse_status IN ('ok', 'normalised', 'unknown_verb', 'missing_argument', 'unknown_name', 'wrong_kind', 'extra_argument')",
            name=op.f("ck_turn_parse_status"),
        ),
        sa.CheckConstraint("seq >= 1", name=op.f("ck_turn_seq")),
        sa.ForeignKeyConstraint(
            ["episode_id"], ["episode.id"], name=op.f("fk_turn_episode_id_episode")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turn")),
        sa.UniqueConstraint("episode_id", "seq", name=op.f("uq_turn_episode_id_seq")),
    )


def downgrade() -> None:
    op.drop_table("turn")
    with op.batch_alter_table("hand_action", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_hand_action_participant_id"))

    op.drop_table("hand_action")
    with op.batch_alter_table("explanation", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_explanation_participant_id"))
        batch_op.drop_index(batch_op.f("ix_explanation_block_id"))

    op.drop_table("explanation")
    with op.batch_alter_table("direct_answer", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_direct_answer_participant_id"))

    op.drop_table("direct_answer")
    with op.batch_alter_table("episode", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_episode_participant_id"))
        batch_op.drop_index(batch_op.f("ix_episode_block_id"))

    op.drop_table("episode")
    with op.batch_alter_table("seat_event", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seat_event_study_id"))
        batch_op.drop_index(batch_op.f("ix_seat_event_participant_id"))

    op.drop_table("seat_event")
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seat_study_id"))
        batch_op.drop_index(batch_op.f("ix_seat_participant_id"))

    op.drop_table("seat")
    with op.batch_alter_table("process_event", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_process_event_participant_id"))

    op.drop_table("process_event")
    with op.batch_alter_table("problem", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_problem_participant_id"))

    op.drop_table("problem")
    with op.batch_alter_table("identity", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_identity_study_id"))

    op.drop_table("identity")
    with op.batch_alter_table("draft", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_draft_participant_id"))

    op.drop_table("draft")
    with op.batch_alter_table("block", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_block_variant_hash"))
        batch_op.drop_index(batch_op.f("ix_block_participant_id"))
        batch_op.drop_index(batch_op.f("ix_block_cell"))

    op.drop_table("block")
    with op.batch_alter_table("answer", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_answer_participant_id"))

    op.drop_table("answer")
    with op.batch_alter_table("participant", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_participant_study_id"))
        batch_op.drop_index(batch_op.f("ix_participant_design_id"))

    op.drop_table("participant")
    op.drop_table("study_draft")
    with op.batch_alter_table("study_change", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_study_change_study_id"))

    op.drop_table("study_change")
    with op.batch_alter_table("platform_record", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_platform_record_study_id"))

    op.drop_table("platform_record")
    with op.batch_alter_table("login_link", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_login_link_account_id"))

    op.drop_table("login_link")
    with op.batch_alter_table("login", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_login_account_id"))

    op.drop_table("login")
    with op.batch_alter_table("design", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_design_study_id"))

    op.drop_table("design")
    op.drop_table("variant")
    op.drop_table("ticket")
    op.drop_table("study")
    op.drop_table("secret")
    with op.batch_alter_table("login_attempt", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_login_attempt_name"))
        batch_op.drop_index(batch_op.f("ix_login_attempt_at"))

    op.drop_table("login_attempt")
    op.drop_table("account")
