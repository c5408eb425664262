"""hjstudy serve, migrate, demo."""

import os
import socket
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.bar import progress
from app.cli.common import AsJson, explain, now, open_store, refuse, show, shown_url

if TYPE_CHECKING:
    from app.settings import Settings

AndServe = Annotated[
    bool, typer.Option("--serve", help="update the database first, and serve the study afterwards")
]
Port = Annotated[int | None, typer.Option(min=1, max=65535, help="port to listen on")]
GRACE = int(timedelta(seconds=10).total_seconds())  # for open requests when the server stops


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("serve")(serve)
    app.command("migrate")(migrate)
    app.command("demo")(seed_demo)


def serve(port: Port = None) -> None:
    """Serve the studies on HJSTUDY_HOST and HJSTUDY_PORT in one process."""
    import uvicorn

    from app.main import served_app
    from app.settings import load_settings
    from app.study import second_look
    from app.study.export import signing
    from app.web.head_clock import with_timeout

    settings = load_settings(**({} if port is None else {"port": port}))
    check_rights(settings.database_url)
    with open_store(settings) as store:  # reports missing tables now
        check_free(settings.host, settings.port)
        second_look.passed(store)  # the reading that later ones are compared with
    check_htmx(settings.htmx_source)
    signing.own_key(settings.signing_key_path)
    explain(f"Serving on http://{settings.host}:{settings.port}  (stop with Ctrl-C)")
    if port is not None and load_settings().base_url != settings.base_url:
        explain(f"So that other commands print links to this port, set HJSTUDY_PORT={port}.")
    uvicorn.run(
        served_app(settings),
        host=settings.host,
        port=settings.port,
        http=with_timeout(settings.head_timeout_s),
        log_config=None,
        access_log=False,  # its lines would hold players' tokens
        server_header=False,
        proxy_headers=False,  # `web/peer.py` reads them
        timeout_graceful_shutdown=GRACE,
    )


def check_free(host: str, port: int) -> None:
    """Refuse an address that is in use or is not this machine's."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as found:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server will
        try:
            found.bind((host, port))
        except OSError as error:
            refuse(
                f"The server cannot listen on {host}:{port}: {error.strerror}. Stop the program "
                f"that uses it, or choose another port: HJSTUDY_PORT={port + 1}."
            )


def check_rights(url: str) -> None:
    """Refuse a SQLite file that this user may not change, or that is in such a folder."""
    from app.store.db import normal_url

    address = normal_url(url)
    path = Path(str(address.database))
    if address.get_backend_name() != "sqlite" or not os.path.exists(path):  # noqa: PTH110 - never raises
        return
    if not (os.access(path, os.R_OK | os.W_OK) and os.access(path.parent, os.W_OK | os.X_OK)):
        refuse(
            f"The database cannot be used: {path} or its folder is read-only for this user. Let it "
            "write there, or set HJSTUDY_DATA_DIR to another folder."
        )


def check_htmx(source: str) -> None:
    """Refuse to serve htmx from a package that is not installed."""
    from app.web import pages

    if source == "local":
        try:
            pages.local_htmx()
        except pages.HtmxMissingError as error:
            refuse(str(error))


def prepare_folder(url: str) -> None:
    """Make the folder of a SQLite file, and refuse one where no file can be written."""
    from app.store.db import normal_url

    address = normal_url(url)
    if address.get_backend_name() != "sqlite":
        return
    folder = Path(str(address.database)).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        is_file = isinstance(error, FileExistsError | NotADirectoryError)
        reason = "it is a file, or inside one" if is_file else error.strerror
        refuse(
            f"The folder for the database, {folder}, cannot be used: {reason}. Make it a "
            "folder that this user can write, or set HJSTUDY_DATA_DIR to another one."
        )


def migrate(*, json: AsJson = False) -> None:
    """Migrate the database to the newest tables. Loses no data and is safe to run again."""
    from app.settings import load_settings
    from app.store import migrate as migrations

    settings = load_settings()
    prepare_folder(settings.database_url)
    before = migrations.revision(settings.database_url)
    with progress(json=json) as track:
        migrations.upgrade(settings.database_url, track=track)
    after = migrations.revision(settings.database_url)
    if json:
        show({"before": before, "after": after, "changed": before != after})
    else:
        explain(f"The database is {'now' if before != after else 'already'} at {after}.")


def seed_demo(*, and_serve: AndServe = False, port: Port = None, json: AsJson = False) -> None:
    """Create the demo study with all eight tasks, and print its links. Makes a missing database."""
    from app.settings import load_settings
    from app.store import migrate as migrations

    if port is not None and not and_serve:
        refuse("--port is for --serve. Add --serve, or leave out --port.")
    settings = load_settings(**({} if port is None else {"port": port}))
    if and_serve:  # a new link to the first login would end the one that a running server printed
        check_free(settings.host, settings.port)
    if and_serve or migrations.revision(settings.database_url) is None:
        migrate()
    make_demo(settings, json=json)
    if and_serve:
        serve(port)
    elif not json:
        explain("The links work while the server runs. Start it with: hjstudy serve")


def make_demo(settings: "Settings", *, json: bool) -> None:
    """Create the demo study, and print its links."""
    from app.study.design import demo
    from app.study.people import accounts

    with open_store(settings) as store:
        with progress(json=json) as track:
            made = demo.seed(store, now(), track)
        links = {
            "player": f"{settings.base_url}/s/{demo.SLUG}",
            "researcher": f"{settings.base_url}/admin",
        }
        if not accounts.anybody(store):
            token = accounts.add(store, "researcher", "researcher", now())
            links["first_login"] = f"{settings.base_url}/admin/welcome/{token}"
    if json:
        show({"created": made, "links": links})
        return
    place = shown_url(settings.database_url)
    explain(f"{'Created the demo study' if made else 'The demo study is already there'}: {place}")
    typer.echo(f"  Play the demo study   {links['player']}")
    typer.echo(f"  Researchers' pages    {links['researcher']}")
    if "first_login" in links:
        typer.echo(f"  First login (once)    {links['first_login']}")
        if not made:
            explain("This link replaces the one that was printed before.")
