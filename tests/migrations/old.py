"""Databases of earlier versions, made by the code of that time: `make upgrades`.

python -m tests.migrations.old [--dump FOLDER] [REVISION ...]. For each revision of the tables, the
newest commit that had it as its head is taken from git. Its own code makes a study and lets bots
play it, and a model and annotators too where it could (more.py). Then today's code upgrades the
database, verifies and exports it. With --dump, the database of that time is also written to FOLDER
as SQL, as the tests read it.
"""

import argparse
import gzip
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = "migrations/versions/"
NAMED = re.compile(r'^(revision|down_revision)(?::[^=]+)? = ["\'](.+?)["\']', re.MULTILINE)
CLI = "import sys; sys.argv[0] = 'hjstudy'; from app.cli import app; app()"
STUDY = """\
slug: old
title: An old study
kind: {kind}
seed: 5
blocks:
  - {{task: A-Over, seeds: [2]}}
  - {{task: P-Comp, seeds: [2]}}
per_player: 2
"""
MORE = Path(__file__).with_name("more.py")
CANDIDATES = 4  # commits with the same tables; some did not run


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True).stdout


def steps(commit):
    """Return revision -> the one before it (None: the first), for a commit's tables."""
    found = {}
    for name in git("ls-tree", "--name-only", commit, VERSIONS).decode().split():
        facts = dict(NAMED.findall(git("show", f"{commit}:{name}").decode()))
        found[facts.get("revision")] = facts.get("down_revision")
    return found


def head_of(commit, today):
    """Return the newest revision of a commit's tables.

    None: it is on a branch whose revisions were put in another order when it was merged, so no
    released version has such tables. `today`: the steps of today.
    """
    found = steps(commit)
    heads = set(found) - set(found.values())
    fits = len(heads) == 1 and all(today.get(one, "") == before for one, before in found.items())
    return heads.pop() if fits else None


def commits():
    """Return revision -> commits with it as their head, newest first.

    Of commits with the same files of migrations, the newest ones are the most likely to run.
    """
    found, heads, today = {}, {}, steps("HEAD")
    listed = git("log", "--format=%H", "--date-order", "HEAD").decode().split()
    asked = "".join(f"{commit}:{VERSIONS.rstrip('/')}\n" for commit in listed)
    for commit, line in zip(listed, cat_file(asked).splitlines(), strict=True):
        tree = line.partition(" ")[0]  # of the folder; or the question, if there is no such folder
        if tree not in heads:
            heads[tree] = None if line.endswith(" missing") else head_of(commit, today)
        if heads[tree] is not None:
            found.setdefault(heads[tree], []).append(commit)
    return found


def cat_file(names):
    """Return a line about each of git's objects."""
    command = ["git", "cat-file", "--batch-check"]
    done = subprocess.run(command, cwd=ROOT, input=names.encode(), capture_output=True, check=True)
    return done.stdout.decode()


def hjstudy(code, database, *arguments):
    """Run a command of the code in a folder."""
    return python(code, database, "-c", CLI, *arguments)


def python(code, database, *arguments):
    """Run Python with the code in a folder, on a database."""
    own = {name: text for name, text in os.environ.items() if not name.startswith("HJSTUDY_")}
    where = {
        "HJSTUDY_DATABASE_URL": f"sqlite:///{database}",
        "HJSTUDY_DATA_DIR": str(database.parent),
    }
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=code,
        env={**own, **where, "HJSTUDY_LOG_LEVEL": "error", "PYTHONPATH": str(code)},
        capture_output=True,
        text=True,
        check=False,
    )


def play_then(commit, folder):
    """Let the code of a commit make a database and bots play; return its path, or None."""
    code, database = folder / "code", folder / "old.db"
    packed = folder / "code.tar"
    packed.write_bytes(git("archive", commit))
    shutil.unpack_archive(packed, code)
    if hjstudy(code, database, "migrate").returncode:
        return None
    for kind in ("bots", "pilot"):  # the first versions had no studies of bots
        (folder / "old.yaml").write_text(STUDY.format(kind=kind))
        if hjstudy(code, database, "study", "create", str(folder / "old.yaml")).returncode == 0:
            break
    played = hjstudy(code, database, "simulate", "--study", "old", "--bots", "oracle:1,typist:1")
    return database if played.returncode == 0 else None


def add_more(folder, database):
    """Let a model and annotators work in a database too; tell whether the code of then could."""
    fuller = folder / "more" / "old.db"
    fuller.parent.mkdir()
    shutil.copyfile(database, fuller)
    for name in ("id.key", "signing.pem"):
        if (database.parent / name).exists():
            shutil.copyfile(database.parent / name, fuller.parent / name)
    done = python(folder / "code", fuller, str(MORE), f"sqlite:///{fuller}")
    if done.returncode == 0:
        fuller.replace(database)
    elif os.environ.get("HJSTUDY_TEST_WHY"):
        print(done.stderr[-1500:], flush=True)
    return done.returncode == 0


def upgrade(database, folder):
    """Upgrade a database with today's code, verify and export it; return what went wrong."""
    for arguments in (
        ("migrate",),
        ("verify",),
        ("export", "--study", "old", "--out", str(folder / "out")),
    ):
        done = hjstudy(ROOT, database, *arguments)
        if done.returncode:
            return f"{arguments[0]}: {(done.stdout + done.stderr)[-400:]}"
    return ""


def dump(database, target):
    """Write a database as compressed SQL."""
    with closing(sqlite3.connect(database)) as db:
        text = "\n".join(db.iterdump())
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(text.encode(), mtime=0))


def check(revision, candidates, into):
    """Try one revision; return one line about it, and whether it went well."""
    for commit in candidates[:CANDIDATES]:
        with tempfile.TemporaryDirectory(prefix="hjstudy-old-") as name:
            folder = Path(name)
            database = play_then(commit, folder)
            if database is None:
                continue
            kind = ", with a model and raters" if add_more(folder, database) else ""
            if into is not None:
                dump(database, into / f"{revision}.sql.gz")
            problem = upgrade(database, folder)
            said = problem or f"upgraded, verified, exported{kind}"
            return f"{revision} ({commit[:9]}): {said}", not problem
    return f"{revision}: NOT TESTED, no commit with these tables could play", False


def main():
    """Check the revisions asked for, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.migrations.old", description=__doc__)
    parser.add_argument("revisions", nargs="*")
    parser.add_argument("--dump", type=Path)
    asked = parser.parse_args()
    found, fine = commits(), True
    for revision in asked.revisions or reversed(found):
        line, good = check(revision, found[revision], asked.dump)
        print(line, flush=True)
        fine = fine and good
    return int(not fine)


if __name__ == "__main__":
    sys.exit(main())
