"""Backups made while a crowd plays: restored elsewhere, verified, exported and compared."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pyrage

from app.store.db import Store
from app.study.export import files, verify
from tests import databases

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)  # of every export, so that equal data give equal bytes
GROWING = ("turn", "explanation", "answer")  # tables whose rows never change


class Backup(NamedTuple):
    """A backup, and how many actions players had seen confirmed when it began."""

    path: Path
    confirmed: int


class Backups:
    """Encrypted backups of a database, made and restored with the commands."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder
        self.made: list[Backup] = []
        secret = pyrage.x25519.Identity.generate()
        folder.mkdir()
        self.key, self.public = folder / "key.txt", str(secret.to_public())
        self.key.write_text(f"{secret}\n")

    def run(self, url: str, *arguments: str | Path) -> str:
        """Run hjstudy on a database; return what it printed."""
        programs = databases.installed_programs()  # pg_dump must not be older than the server
        path = os.pathsep.join(filter(None, (str(programs or ""), os.environ["PATH"])))
        own = {"HJSTUDY_DATABASE_URL": url, "HJSTUDY_DATA_DIR": str(self.folder), "PATH": path}
        command = [Path(sys.executable).parent / "hjstudy", *arguments]
        environment = {**os.environ, **own}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def take(self, confirmed: int) -> None:
        """Back up; `confirmed`: the number of actions that must be in it."""
        to = self.folder / f"backup-{len(self.made)}"
        self.run(self.url, "backup", "--to", to, "--encrypt-to", self.public)
        [path] = to.glob("*.age")
        self.made.append(Backup(path, confirmed))

    @contextmanager
    def elsewhere(self, name: str) -> Iterator[str]:
        """Yield the address of an empty database."""
        if self.url.startswith("sqlite"):
            with tempfile.TemporaryDirectory(dir=self.folder) as folder:
                yield f"sqlite:///{folder}/{name}.db"
            return
        database = f"elsewhere_{os.getpid()}_{name.replace('-', '_')}"
        try:
            yield databases.create_database(database)
        finally:
            databases.drop_database(database)

    def tables(self, store: Store, slug: str, name: str) -> dict[str, bytes]:
        """Export a study; return its tables by name."""
        out = self.folder / f"export-{name}"
        files.export(store, slug, out, NOW)
        return {path.name: path.read_bytes() for path in (out / "data").glob("*.csv")}

    def problems(self, store: Store, slug: str) -> list[str]:
        """Compare every backup with the study as it is now, and one that is made now."""
        now = self.tables(store, slug, "now")
        found = []
        for number, one in enumerate(self.made):
            later, turns, ok = self.restored(one, slug, f"elsewhere-{number}")
            if not ok:
                found.append(f"backup {number}: not as played")
            if turns < one.confirmed:
                found.append(f"backup {number}: {turns} turns, {one.confirmed} were confirmed")
            found += [f"backup {number}: {name} differs" for name in differing(later, now)]
        self.take(0)
        last, _, ok = self.restored(self.made[-1], slug, "elsewhere-last")
        if not ok or last != now:
            found.append("the last backup: not the same export")
        return found

    def restored(self, one: Backup, slug: str, name: str) -> tuple[dict[str, bytes], int, bool]:
        """Restore a backup elsewhere; return its tables, its turns, and whether it verifies."""
        with self.elsewhere(name) as url:
            self.run(url, "restore", one.path, "--identity", self.key)
            other = Store(url, signing_key_path=self.folder / "signing-key.pem")
            try:
                checked = verify.verify(other, slug)
                return self.tables(other, slug, name), checked.turns, checked.ok
            finally:
                other.dispose()


def differing(earlier: dict[str, bytes], later: dict[str, bytes]) -> list[str]:
    """Return the tables with a row that the later export does not have."""
    return [
        name
        for name, content in earlier.items()
        if any(f"_level-{kind}_" in name for kind in GROWING)
        and not set(content.splitlines()) <= set(later[name].splitlines())
    ]
