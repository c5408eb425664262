"""Commands of other programs in sentences: each runs in a test, or says why it is only read."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from app.store import migrate
from tests import databases, pages
from tests.cli.test_blocks import PARSED, problem_with
from tests.pages import PAGES, ROOT, name_of

HERE = "tests/cli/test_inline.py"
SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")  # unlike `pages.SPAN`, over the end of a line, too
PROGRAMS = {
    *("age", "age-keygen", "apt", "alembic", "docker", "git", "journalctl", "openssl"),
    *("systemd-analyze", "vacuumdb"),
}
OURS_TO_DO = {"CONTRIBUTING.md", "CHANGELOG.md"}  # for those who change hjstudy
CONTAINERS = f"{PARSED}no container engine runs here (docs/todo.md)"
INSTALLS = f"{PARSED}it installs a package of Debian's on the machine"
SYSTEMD = f"{PARSED}it shows what systemd recorded; `make units` boots a machine with systemd"
AGE = f"{PARSED}the tests use pyrage, which reads and writes the same format as the program age"
ON_POSTGRES = pytest.param("postgres", marks=pytest.mark.postgres)
OPENSSL = f"{HERE}::test_commands_of_openssl_make_a_key_a_query_and_a_random_text"
RUN_BY = {  # command -> the test that runs it, or `parsed only: ` and the reason
    ".venv/bin/alembic downgrade -1": f"{HERE}::test_newest_migration_is_undone_as_the_page_says",
    "age -d": AGE,
    "age-keygen -o backup-key.txt": AGE,
    "apt install age": INSTALLS,
    "apt install caddy": INSTALLS,
    "docker compose build": CONTAINERS,
    "docker compose cp backup:/var/backups/hjstudy .": CONTAINERS,
    "docker compose up --detach": CONTAINERS,
    "git pull && make setup": f"{PARSED}it needs the repository that the checkout was cloned from",
    "journalctl -u hjstudy": SYSTEMD,
    "journalctl -u hjstudy | grep ID": SYSTEMD,
    "openssl genpkey -algorithm ed25519 -out my-key.pem": OPENSSL,
    "openssl rand -hex 24": OPENSSL,
    "openssl ts -query -data autumn.json -sha512 -cert -out autumn.tsq": OPENSSL,
    "systemd-analyze security hjstudy": SYSTEMD,
    "vacuumdb --full hjstudy": f"{HERE}::test_vacuumdb_removes_erased_rows_as_the_page_says",
    "vacuumdb hjstudy": f"{HERE}::test_vacuumdb_removes_erased_rows_as_the_page_says",
}


def inline():
    """Return the commands of these programs that stand in sentences and tables."""
    spans = [
        " ".join(span.split())
        for page in PAGES
        if name_of(page) not in OURS_TO_DO
        for span in SPAN.findall(pages.prose(page))
    ]
    return {one for one in spans if " " in one and one.split()[0].rpartition("/")[2] in PROGRAMS}


def words(command):
    """Return a command of the table as words."""
    assert command in RUN_BY
    return shlex.split(command)


def test_every_command_of_another_program_runs_or_says_why_not():
    assert inline() == set(RUN_BY)
    assert [one for one in map(problem_with, RUN_BY.values()) if one] == []


def test_newest_migration_is_undone_as_the_page_says(store, url):
    """What the migrations keep and lose is tested in tests/migrations."""
    newest = revision(store)
    program, *rest = words(".venv/bin/alembic downgrade -1")
    done = subprocess.run(
        [Path(sys.executable).parent / Path(program).name, *rest],
        cwd=ROOT,
        env={**os.environ, "HJSTUDY_DATABASE_URL": url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert revision(store) != newest
    migrate.upgrade(url)
    assert revision(store) == newest


def revision(store):
    with store.read() as db:
        return db.execute(sa.text("SELECT version_num FROM alembic_version")).scalar_one()


@pytest.mark.parametrize("empty_db_url", [ON_POSTGRES], indirect=True)
def test_vacuumdb_removes_erased_rows_as_the_page_says(empty_db_url):
    found = databases.installed_programs()
    own = found / "vacuumdb" if found else None
    program = str(own) if own and own.exists() else shutil.which("vacuumdb")
    if program is None:
        pytest.skip("no vacuumdb: run `make setup-dev`, or install Debian's postgresql-client")
    address = sa.make_url(empty_db_url)
    host = address.query.get("host") or address.host
    server = {"PGHOST": str(host), "PGUSER": str(address.username)}
    with psycopg.connect(empty_db_url, autocommit=True) as db:
        db.execute(
            "CREATE TABLE erased AS SELECT repeat('secret', 100) FROM generate_series(1, 500)"
        )
        db.execute("DELETE FROM erased")
        sizes = [size_of(db)]
        for command in ("vacuumdb hjstudy", "vacuumdb --full hjstudy"):
            name = str(address.database)
            given = [name if word == "hjstudy" else word for word in words(command)[1:]]
            subprocess.run([program, *given], env={**os.environ, **server}, check=True)
            sizes.append(size_of(db))
    assert sizes[0] > 0
    assert sizes[-1] == 0


def size_of(db):
    return db.execute("SELECT pg_relation_size('erased')").fetchone()[0]


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
def test_commands_of_openssl_make_a_key_a_query_and_a_random_text(hjstudy, tmp_path):
    """An authority answers such a query in tests/study/export/test_timestamps.py."""
    assert hjstudy("demo")[0] == 0
    for command in RUN_BY:
        if command.startswith("openssl genpkey"):
            subprocess.run(words(command), cwd=tmp_path, check=True, capture_output=True)
    made = ("manifest", "--study", "demo", "--out", "autumn.json", "--key", "my-key.pem")
    assert hjstudy(*made)[0] == 0
    query = words("openssl ts -query -data autumn.json -sha512 -cert -out autumn.tsq")
    subprocess.run(query, cwd=tmp_path, check=True, capture_output=True)
    shown = ["openssl", "ts", "-query", "-in", "autumn.tsq", "-text"]
    text = subprocess.run(shown, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert "sha512" in text
    drawn = subprocess.run(words("openssl rand -hex 24"), check=True, capture_output=True)
    assert len(drawn.stdout.strip()) == 2 * 24
