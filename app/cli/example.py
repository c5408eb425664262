"""hjstudy example: a simulated study with everything it produces, as static pages."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from app.cli.bar import progress
from app.cli.common import AsJson, explain, naming_files, open_store, refuse, show

FEWEST, MOST = 4, 200


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("example")(example)


def example(
    folder: Annotated[Path, typer.Argument(help="a new or empty folder to write to")],
    players: Annotated[
        int, typer.Option(min=FEWEST, max=MOST, help="number of simulated participants")
    ] = 24,
    seed: Annotated[int, typer.Option(min=0, help="seed of the simulation")] = 1,
    *,
    pages_only: Annotated[
        bool, typer.Option("--pages-only", help="one replay, no bundle, no files of the report")
    ] = False,
    json: AsJson = False,
) -> None:
    """Simulate a whole study, and write its bundle, its reports and replays as static pages."""
    from app.cli.own_server import server_at
    from app.example import making
    from app.settings import Settings
    from app.store import migrate

    with naming_files():
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            refuse(f"{folder} is not empty. Choose a new folder.")
    with tempfile.TemporaryDirectory(prefix="hjstudy-example-") as name:
        # a database of its own, whatever the environment says
        data, url = Path(name), f"sqlite:///{Path(name) / 'example.db'}"
        settings = Settings(
            data_dir=data, database_url=url, id_key_path=data / "id.key", log_level="error"
        )
        migrate.upgrade(url)
        with (
            open_store(settings) as store,
            server_at("", settings) as address,
            progress(json=json) as track,
        ):
            made = making.make(
                store, address, folder, players, seed, pages_only=pages_only, track=track
            )
    if json:
        show({"folder": str(folder), **made})
        return
    typer.echo(folder / "index.html")
    explain(f"{made['people']} players, {made['turns']} actions, {made['pages']} pages.")
