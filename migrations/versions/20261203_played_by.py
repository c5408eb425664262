"""Episodes and turns of models in the tables of people's, with the kind of player."""

import sqlalchemy as sa
from alembic import op

revision = "20261203_played_by"
down_revision = "20261202_agent_keys"
branch_labels = None
depends_on = None

SHARED = (  # columns of an episode that both tables had
    "player_kind, run_id, variant_hash, variant_episode, entity, engine_name, engine_version, "
    "code_version, ref_length, n_tries, budget, state, actions_used, attempts, digest, finished_at"
)
ADDED = (
    "run_id, unit, cell, task, seed, lexicon, coverage, format, ended, unreadable, stated, advice"
)
TURN = (
    "seq, raw, verb, argument, parse_status, ok, code, params, message, done, success, attempt, "
    "actions_used, location, item, coins, did, received_ms, client_ms, think_ms, taps, digest"
)
ENDED = "ended IN ('won', 'lost', 'patience', 'context')"
IS_PERSON = "(player_kind = 'participant') = (participant_id IS NOT NULL)"
IS_PLAYER = "(participant_id IS NULL) = (run_id IS NOT NULL)"
KINDS = "player_kind IN ('participant', 'model', 'agent')"
ALL_PARSED = "'ok', 'normalised', 'unknown_verb', 'missing_argument', 'unknown_name', 'wrong_kind'"
PARSED = f"parse_status IN ({ALL_PARSED}, 'extra_argument')"


def upgrade() -> None:
    db = op.get_bind()
    with op.batch_alter_table("episode") as batch_op:
        batch_op.alter_column("participant_id", existing_type=sa.Integer(), nullable=True)
        batch_op.add_column(
            sa.Column(
                "player_kind", sa.String(length=12), server_default="participant", nullable=False
            )
        )
        batch_op.add_column(sa.Column("run_id", sa.Integer(), nullable=True))
        batch_op.create_foreign_key(
            batch_op.f("fk_episode_run_id_model_run"), "model_run", ["run_id"], ["id"]
        )
        batch_op.create_check_constraint(batch_op.f("ck_episode_player_kind"), KINDS)
        batch_op.create_check_constraint(batch_op.f("ck_episode_person"), IS_PERSON)
        batch_op.create_check_constraint(batch_op.f("ck_episode_player"), IS_PLAYER)
        batch_op.create_index(batch_op.f("ix_episode_run_id"), ["run_id"], unique=False)
    past = db.exec_driver_sql("SELECT coalesce(max(id), 0) FROM episode").scalar_one()
    run(
        "INSERT INTO episode (id, kind, block_position, position, {shared}) "
        "SELECT id + {past}, 'main', 0, variant_episode, {shared} FROM model_episode ORDER BY id",
        shared=SHARED,
        past=past,
    )
    run(
        "INSERT INTO turn (episode_id, {turn}) "
        "SELECT episode_id + {past}, {turn} FROM model_turn ORDER BY id",
        turn=TURN,
        past=past,
    )
    run(
        "CREATE TABLE moved AS SELECT id + {past} AS episode_id, {added} FROM model_episode",
        added=ADDED,
        past=past,
    )
    if db.dialect.name == "postgresql":
        op.execute(
            "SELECT setval('episode_id_seq', "
            "greatest((SELECT max(id) FROM episode), (SELECT last_value FROM episode_id_seq)))"
        )
    op.drop_table("model_turn")
    op.drop_table("model_episode")
    op.create_table(
        "model_episode",
        sa.Column("episode_id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        *added_columns(),
        sa.CheckConstraint(ENDED, name=op.f("ck_model_episode_ended")),
        sa.ForeignKeyConstraint(
            ["episode_id"], ["episode.id"], name=op.f("fk_model_episode_episode_id_episode")
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["model_run.id"], name=op.f("fk_model_episode_run_id_model_run")
        ),
        sa.PrimaryKeyConstraint("episode_id", name=op.f("pk_model_episode")),
        sa.UniqueConstraint("run_id", "unit", name=op.f("uq_model_episode_run_id_unit")),
    )
    run(
        "INSERT INTO model_episode (episode_id, {added}) SELECT episode_id, {added} FROM moved",
        added=ADDED,
    )
    op.drop_table("moved")


def downgrade() -> None:
    of_runs = "(SELECT id FROM episode WHERE run_id IS NOT NULL)"
    added = ADDED.removeprefix("run_id, ")
    run(
        "CREATE TABLE moved AS SELECT episode.id AS id, {qualified}, {added} "
        "FROM episode JOIN model_episode ON model_episode.episode_id = episode.id",
        added=added,
        qualified=qualified(SHARED),
    )
    run(
        "CREATE TABLE moved_turn AS SELECT episode_id, {turn} FROM turn "
        "WHERE episode_id IN {of_runs} ORDER BY id",
        turn=TURN,
        of_runs=of_runs,
    )
    run("DELETE FROM turn WHERE episode_id IN {of_runs}", of_runs=of_runs)
    op.drop_table("model_episode")
    op.execute("DELETE FROM episode WHERE run_id IS NOT NULL")
    with op.batch_alter_table("episode") as batch_op:
        for name in ("player_kind", "person", "player"):
            batch_op.drop_constraint(batch_op.f(f"ck_episode_{name}"), type_="check")
        batch_op.drop_index(batch_op.f("ix_episode_run_id"))
        batch_op.drop_constraint(batch_op.f("fk_episode_run_id_model_run"), type_="foreignkey")
        batch_op.drop_column("run_id")
        batch_op.drop_column("player_kind")
        batch_op.alter_column("participant_id", existing_type=sa.Integer(), nullable=False)
    create_old_tables()
    run(
        "INSERT INTO model_episode (id, {shared}, {added}) "
        "SELECT id, {shared}, {added} FROM moved ORDER BY id",
        shared=SHARED,
        added=added,
    )
    run(
        "INSERT INTO model_turn (episode_id, {turn}) SELECT episode_id, {turn} FROM moved_turn",
        turn=TURN,
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "SELECT setval('model_episode_id_seq', max(id)) FROM model_episode HAVING max(id) > 0"
        )
    op.drop_table("moved_turn")
    op.drop_table("moved")


def run(statement: str, **parts: object) -> None:
    """Run a statement with lists of columns from above, or a number; nothing comes from outside."""
    op.execute(statement.format(**parts))


def qualified(names: str) -> str:
    """Return names as columns of `episode`."""
    return ", ".join(f"episode.{name}" for name in names.split(", "))


def added_columns() -> list[sa.Column]:
    """Return the columns that a run adds to an episode, without the run itself."""
    return [
        sa.Column("unit", sa.String(length=256), nullable=False),
        sa.Column("cell", sa.String(length=128), nullable=False),
        sa.Column("task", sa.String(length=64), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("lexicon", sa.String(length=32), nullable=False),
        sa.Column("coverage", sa.String(length=8), nullable=False),
        sa.Column("format", sa.String(length=8), nullable=False),
        sa.Column("ended", sa.String(length=16), nullable=False),
        sa.Column("unreadable", sa.Integer(), nullable=False),
        sa.Column("stated", sa.Text(), nullable=False),
        sa.Column("advice", sa.Text(), nullable=False),
    ]


def create_old_tables() -> None:
    """Create the tables that models had for themselves."""
    op.create_table(
        "model_episode",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("player_kind", sa.String(length=8), nullable=False),
        *added_columns(),
        sa.Column("variant_hash", sa.String(length=64), nullable=False),
        sa.Column("variant_episode", sa.Integer(), nullable=False),
        sa.Column("entity", sa.String(length=128), nullable=False),
        sa.Column("engine_name", sa.String(length=32), nullable=False),
        sa.Column("engine_version", sa.String(length=16), nullable=False),
        sa.Column("code_version", sa.String(length=64), nullable=False),
        sa.Column("ref_length", sa.Integer(), nullable=False),
        sa.Column("n_tries", sa.Integer(), nullable=False),
        sa.Column("budget", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("actions_used", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(ENDED, name=op.f("ck_model_episode_ended")),
        sa.CheckConstraint("state IN ('won', 'lost')", name=op.f("ck_model_episode_state")),
        sa.ForeignKeyConstraint(
            ["run_id"], ["model_run.id"], name=op.f("fk_model_episode_run_id_model_run")
        ),
        sa.ForeignKeyConstraint(
            ["variant_hash"], ["variant.hash"], name=op.f("fk_model_episode_variant_hash_variant")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_model_episode")),
        sa.UniqueConstraint(
            *("run_id", "cell", "variant_episode"),
            name=op.f("uq_model_episode_run_id_cell_variant_episode"),
        ),
    )
    op.create_index(op.f("ix_model_episode_run_id"), "model_episode", ["run_id"])
    op.create_table(
        "model_turn",
        sa.Column("id", sa.Integer(), nullable=False),
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
        sa.CheckConstraint(PARSED, name=op.f("ck_model_turn_parse_status")),
        sa.ForeignKeyConstraint(
            ["episode_id"],
            ["model_episode.id"],
            name=op.f("fk_model_turn_episode_id_model_episode"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_model_turn")),
        sa.UniqueConstraint("episode_id", "seq", name=op.f("uq_model_turn_episode_id_seq")),
    )
