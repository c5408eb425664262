"""hjstudy simulate: bots play a whole study over HTTP, as people do."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Literal

import typer
import uvicorn

from app.bots import crowd
from app.bots.player import HttpPlayer
from app.bots.sender import read_address
from app.bots.stored import Stored
from app.cli.common import AsJson, explain, now, open_store, refuse, show
from app.main import create_app
from app.settings import Settings, load_settings
from app.study.design import studies
from app.study.design.studies import StudyView
from app.study.play import questions

START_S = 60
MOST_THINK_S = 3600


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("simulate")(simulate)


def simulate(
    study: Annotated[str, typer.Option(help="slug of the study")],
    bots: Annotated[str, typer.Option(help="who plays, such as oracle:5,enumerator:5")],
    url: Annotated[
        str, typer.Option(help="a running server on this database; without it, one is started")
    ] = "",
    seed: Annotated[int, typer.Option(help="the same seed: the same players")] = 0,
    think: Annotated[
        float, typer.Option(min=0, max=MOST_THINK_S, help="mean seconds before each command")
    ] = 0,
    as_: Annotated[
        Literal["real", "test"] | None,
        typer.Option("--as", help="how they are counted; in a study of kind real: test"),
    ] = None,
    tries: Annotated[int, typer.Option(min=1, help="a request is sent so often at most")] = 40,
    *,
    json: AsJson = False,
) -> None:
    """Let bots play a study over HTTP; 1 = somebody failed, or the log is not what they saw."""
    names, url = crowd.read_bots(bots), url.rstrip("/")
    if url:
        read_address(url)
    settings = load_settings()
    with open_store(settings) as store:
        with store.read() as db:
            found = studies.find(db, study)
        test = counted_as(found, as_) == "test"
        stored = Stored(store)
        hints = questions.stated(found.spec)
        with server_at(url, settings) as address:
            players = crowd.make(
                address, names, stored.knows, seed, think_s=think, tries=tries, hints=hints
            )
            report = play(stored, found, players, test=test)
    if json:
        show(report.to_dict())
    else:
        tell(report)
    for problem in report.problems:
        explain(problem)
    if not report.ok:
        raise typer.Exit(1)


def counted_as(study: StudyView, wanted: str | None) -> str:
    """Return real or test; data of real people must not be mixed with bots by accident."""
    if wanted is None:
        wanted = "test" if study.kind == "real" else "real"
    if wanted == "real" and study.state != "open":
        refuse(f"'{study.slug}' takes no new players: open it, or use --as test.")
    if wanted == "real" and study.kind == "real":
        explain(f"'{study.slug}' is a real study, and these bots will count as people in it.")
    return wanted


def play(
    stored: Stored, study: StudyView, players: list[HttpPlayer], *, test: bool
) -> crowd.Report:
    """Let them play, and compare what they saw with what is stored."""

    def start_of(_number: int) -> str:
        return stored.enrol_test(study.slug, now()) if test else f"/s/{study.slug}"

    outcomes = crowd.run(players, start_of, in_order=True)
    return crowd.report(outcomes, stored.compare(players))


def tell(report: crowd.Report) -> None:
    """Print a report for people."""
    typer.echo(
        f"{report.finished} of {report.players} players finished, {report.actions} actions, "
        f"{report.errors} errors, {report.mismatches} mismatches, {report.resent} requests resent"
    )
    if report.p50_ms is not None:
        typer.echo(f"an action took {report.p50_ms} ms (median), {report.p95_ms} ms (95 %)")
    for name, figures in report.per_bot.items():
        told = ", ".join(
            f"{key} {'-' if value is None else f'{value:.3f}'}" for key, value in figures.items()
        )
        typer.echo(f"{name:12} {told}")


@contextmanager
def server_at(url: str, settings: Settings) -> Iterator[str]:
    """Yield the address given, or that of a server of our own: a free port, in a thread."""
    if url:
        yield url
        return
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        level = "error" if settings.log_level == "error" else "warning"
        values = {"base_url": address, "log_level": level, "secure_cookies": False}
        app = create_app(settings.model_copy(update=values))
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
        thread = threading.Thread(target=server.run, args=([listening],), name="server")
        thread.start()
        try:
            wait_for(server, thread)
            yield address
        finally:
            server.should_exit = True
            thread.join()


def wait_for(server: uvicorn.Server, thread: threading.Thread) -> None:
    """Wait until the server answers."""
    end = time.monotonic() + START_S
    while not server.started:
        if not thread.is_alive() or time.monotonic() > end:
            refuse("Our own server did not start; the lines above say why.")
        time.sleep(0.02)
