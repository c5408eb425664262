"""Fixtures for all tests, and what a test run needs: a folder, a clean environment, a server.

`store_url`, `store` and `empty_db_url` run a test twice, on SQLite and on PostgreSQL. They are
made only for tests that request them; tests of the pure parts (game, scoring) must not.
"""

import gc
import itertools
import os
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from argon2 import PasswordHasher
from hypothesis import Phase
from hypothesis import settings as hypothesis_settings
from sqlalchemy.util import LRUCache

from app.store import migrate
from app.store.db import Store
from app.store.tables import metadata
from app.study.people import accounts
from tests import databases

PURE = {"game", "scoring"}
PAGES = Path(__file__).parent / "web"
BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]
OWNS_FOLDER = pytest.StashKey[Path]()
numbers = itertools.count()
compiled: dict[str, tuple[Any, Any]] = {}  # by database: a dialect and its compiled statements

hypothesis_settings.register_profile("hjstudy", deadline=None)  # shared machines stall at times
hypothesis_settings.register_profile(  # `make mutants`: the same few examples each time, unshrunk
    "mutants",
    max_examples=20,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
)
hypothesis_settings.load_profile("hjstudy")


@sa.event.listens_for(sa.Engine, "connect")
def reverse_unordered(raw: object, _record: object) -> None:
    """Let SQLite return rows in reverse where nothing orders them, as PostgreSQL may."""
    if isinstance(raw, sqlite3.Connection):
        raw.execute("PRAGMA reverse_unordered_selects=ON").close()


@sa.event.listens_for(sa.Engine, "engine_connect")
def share_compiled(db: sa.Connection) -> None:
    """Let the engines of all tests share compiled statements: compiling took a sixth of the time.

    SQLAlchemy keeps them for each engine and dialect object, and nearly every test makes engines.
    """
    engine: Any = db.engine
    if getattr(engine.dialect, "_on_connect_isolation_level", None) is None:
        dialect, cache = compiled.setdefault(engine.dialect.name, (engine.dialect, LRUCache(4000)))
        engine.dialect, engine._compiled_cache, db.dialect = dialect, cache, dialect


@pytest.hookimpl(tryfirst=True)  # before pytest applies `-m`
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose the tests that run on the second database, and which of them are `long`.

    Pages are tested on SQLite by `make test` and on PostgreSQL by `make long`; what they call, in
    `app/study` and `app/store`, on both by `make test`.
    """
    on_postgres = [one for one in items if one.get_closest_marker("postgres")]
    left_out = {one for one in on_postgres if one.get_closest_marker("one_database")}
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [one for one in items if one not in left_out]
    for one in on_postgres:
        if one.path.is_relative_to(PAGES) or one.get_closest_marker("long_on_postgres"):
            one.add_marker("long")


def pytest_configure(config: pytest.Config) -> None:
    """Give the run its own folder, and remove the developer's settings from the environment."""
    if databases.TEST_DIR not in os.environ:  # already set for workers and for runs inside tests
        folder = Path(tempfile.mkdtemp(prefix="hjstudy-", dir="/tmp"))
        folder.chmod(0o755)  # the database server runs as another user when we are root
        config.stash[OWNS_FOLDER] = folder
        os.environ[databases.TEST_DIR] = str(folder)
    for name in [name for name in os.environ if name.startswith("HJSTUDY_")]:
        if not name.startswith("HJSTUDY_TEST_"):
            del os.environ[name]
    os.environ["HJSTUDY_DATA_DIR"] = os.environ[databases.TEST_DIR] + "/var"
    os.environ["HJSTUDY_LOG_LEVEL"] = "error"
    gc.set_threshold(50_000, 20, 50)  # a worker holds many objects that live until the end


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the database server and remove the run's folder."""
    folder = config.stash.get(OWNS_FOLDER, None)
    if folder is not None:
        databases.stop_server(folder)
        shutil.rmtree(folder, ignore_errors=True)
        del os.environ[databases.TEST_DIR]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report once per reason what was not tested here, and how to get it."""
    skipped = terminalreporter.getreports("skipped")
    reasons = Counter(
        str(r.longrepr[2]).removeprefix("Skipped: ")
        for r in skipped
        if isinstance(r.longrepr, tuple)
    )
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(f"NOT TESTED HERE: {count} tests. {reason}", yellow=True)


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[tuple[PasswordHasher, str]]:
    """Let passwords cost almost nothing to check; return what the program uses instead."""
    real = accounts.hasher, accounts.NOBODY
    salt_and_hash = accounts.NOBODY.split("$", 4)[4]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        patch.setattr(accounts, "NOBODY", f"$argon2id$v=19$m=8,t=1,p=1${salt_and_hash}")
        yield real


def need_postgres(request: pytest.FixtureRequest) -> None:
    """Skip a test without PostgreSQL; in CI, fail it."""
    if PURE & set(request.path.parts[-3:]):
        pytest.fail("tests of the pure parts use no database")
    if request.param == "sqlite":
        return
    try:
        databases.postgres_url()
    except databases.NoPostgresError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))


def new_name() -> str:
    """Return a database name that is unique among tests, workers and runs."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    return f"hjstudy_{worker}_{os.getpid()}_{next(numbers)}"


@pytest.fixture(scope="session")
def sqlite_template() -> Path:
    """Return a migrated SQLite file, to be copied; it is made once for every worker of a run."""
    return databases.made_once("template.db", lambda path: migrate.upgrade(f"sqlite:///{path}"))


@pytest.fixture(scope="session")
def postgres_copy() -> Iterator[str]:
    """Return the address of this worker's migrated PostgreSQL database; tests empty it first."""
    name = new_name()
    url = databases.create_database(name)
    migrate.upgrade(url)
    yield url
    databases.drop_database(name)


@pytest.fixture(params=BOTH)
def empty_db_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the address of a database without tables, on SQLite and on PostgreSQL."""
    need_postgres(request)
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.db'}"
        return
    name = new_name()
    yield databases.create_database(name)
    databases.drop_database(name)


@pytest.fixture(params=BOTH)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the address of the test's own migrated database, on SQLite and on PostgreSQL."""
    need_postgres(request)
    if request.param == "sqlite":
        path = tmp_path / "test.db"
        shutil.copyfile(request.getfixturevalue("sqlite_template"), path)
        yield f"sqlite:///{path}"
        return
    url = request.getfixturevalue("postgres_copy")
    databases.clean_database(url, [table.name for table in reversed(metadata.sorted_tables)])
    yield url


@pytest.fixture
def store(store_url: str, tmp_path: Path) -> Iterator[Store]:
    """Return a store on the test's own migrated database, on SQLite and on PostgreSQL."""
    keys = {"id_key_path": tmp_path / "id.key", "signing_key_path": tmp_path / "signing-key.pem"}
    made = Store(store_url, **keys)
    yield made
    made.dispose()
