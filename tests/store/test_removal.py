"""Deleting a study leaves nothing of it in any table, and everything of the others."""

import re
from datetime import UTC, datetime

import sqlalchemy as sa

from app.store import removal
from app.store.tables import metadata

NOW = datetime(2026, 11, 29, tzinfo=UTC)
ONE_OF = re.compile(r"(\w+) IN \('([^']*)'")
OWNED = [table for table in metadata.sorted_tables if removal.belongs(table)]
APART = {
    "study_deletion",
    "secret",
    "login",
    "login_attempt",
    "login_link",
    "account",
    "audit_entry",
    "recovery_code",
    "health",
    "clock_reading",
    "api_request",
}


class Filler:
    """Puts one row of one study into every table, whatever its columns are."""

    def __init__(self, db, slug, number):
        self.db, self.slug, self.number, self.keys = db, slug, number, {}

    def value(self, table, column):
        if column.name == "study_id":
            return self.keys["study"]["id"]
        if (table.name, column.name) == ("episode", "run_id"):
            return None  # a participant's
        if column.foreign_keys:
            parent = next(iter(column.foreign_keys)).column
            return self.keys[parent.table.name][parent.name]
        own = {
            ("study", "slug"): self.slug,
            ("design", "variants"): f'{{"cell": "{self.slug}"}}',
            ("variant", "hash"): self.slug,
            ("model_result", "n_tries"): 2,
        }
        return own.get((table.name, column.name)) or self.plain(table, column)

    def plain(self, table, column):
        """Return a value that the column's type and its check allow."""
        checks = [one for one in table.constraints if isinstance(one, sa.CheckConstraint)]
        for found in filter(None, (ONE_OF.match(str(one.sqltext)) for one in checks)):
            if found[1] == column.name:
                return found[2]
        if isinstance(column.type, sa.Boolean):
            return False
        if isinstance(column.type, (sa.Integer, sa.Float)):
            return 1
        if isinstance(column.type, sa.LargeBinary):
            return self.slug.encode()
        if not isinstance(column.type, sa.String) and "UTC" in type(column.type).__name__:
            return NOW
        return f"{self.slug}-{column.name}"[: getattr(column.type, "length", None) or 40]

    def fill(self):
        for table in sorted(
            metadata.sorted_tables,
            key=lambda one: "study_id" in one.columns and not one.foreign_keys,
        ):
            if table.name in APART - {"account"} or table.name in {"ticket", *self.keys}:
                continue
            values = {
                column.name: self.value(table, column)
                for column in table.columns
                if not (column.primary_key and not column.foreign_keys and column.autoincrement
                        and isinstance(column.type, sa.Integer))
            }  # fmt: skip
            row = self.db.execute(sa.insert(table).values(values).returning(*table.columns)).one()
            self.keys[table.name] = row._asdict()
        return self

    def add_tickets(self):
        ids = {name: row.get("id") for name, row in self.keys.items()}
        owners = {
            f"study/{ids['study']}": "{}",
            f"design/{self.slug}": "{}",
            f"participant/{ids['participant']}": "{}",
            f"rating/{self.keys['assignment']['token']}": "{}",
            "design/new": f'{{"slug": "{self.slug}"}}',
        }
        for at, (owner, result) in enumerate(owners.items()):
            values = {"ticket": f"{self.slug}-{at}", "owner": owner, "result": result}
            self.db.execute(sa.insert(metadata.tables["ticket"]).values(created_at=NOW, **values))


def everything(db):
    """Return every row of every table as text, by table."""
    return {
        table.name: sorted(repr(tuple(row)) for row in db.execute(sa.select(table)))
        for table in metadata.sorted_tables
    }


def test_every_table_is_emptied_of_one_study_and_keeps_the_other(store):
    with store.write() as db:
        Filler(db, "first", 1).fill().add_tickets()
        before = everything(db)
        gone = Filler(db, "second", 2).fill()
        gone.add_tickets()
        filled = everything(db)
        assert all(len(filled[table.name]) == 2 for table in OWNED)

        number = removal.remove(db, gone.keys["study"]["id"])

        after = everything(db)
        accounts = [row for row in after["account"] if "second" not in row]
        assert {**after, "account": accounts} == before
        assert set(number) == {table.name for table in OWNED} | {"ticket", "variant"}


def test_plays_of_models_go_with_their_study_alone(store):
    with store.write() as db:
        first, second = (Filler(db, slug, 1).fill() for slug in ("first", "second"))
        for one in (first, second):
            episode, turn = (dict(one.keys[name]) for name in ("episode", "turn"))
            of_run = {"participant_id": None, "block_id": None, "player_kind": "model"}
            table = metadata.tables["episode"]
            query = sa.insert(table).returning(table.c.id)
            del episode["id"], turn["id"]
            run = one.keys["model_run"]["id"]
            made = db.execute(query.values({**episode, **of_run, "run_id": run})).scalar_one()
            played = {**turn, "episode_id": made}
            db.execute(sa.insert(metadata.tables["turn"]).values(played))
        gone = removal.remove(db, second.keys["study"]["id"])
        assert (gone["episode"], gone["turn"]) == (2, 2)
        left = everything(db)
        assert (len(left["episode"]), len(left["turn"])) == (2, 2)


def test_variant_of_another_study_stays_and_the_last_study_takes_all(store):
    with store.write() as db:
        first = Filler(db, "first", 1).fill()
        second = Filler(db, "second", 2).fill()
        design = metadata.tables["design"]
        db.execute(sa.update(design).values(variants='{"cell": "second"}'))
        removal.remove(db, second.keys["study"]["id"])
        assert len(everything(db)["variant"]) == 2
        removal.remove(db, first.keys["study"]["id"])
        assert everything(db)["variant"] == []


def test_every_table_is_either_of_a_study_or_known_to_be_apart():
    names = {table.name for table in metadata.sorted_tables}
    apart = names - {table.name for table in OWNED}
    assert apart == APART | {"ticket", "variant"}, "a study's table needs a key towards `study`"
