"""hjstudy simulate: bots play a whole study over HTTP, like people."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from app.cli.bar import progress
from app.cli.common import AsJson, explain, now, open_store, refuse, show
from app.progress import Track

if TYPE_CHECKING:
    from app.bots import crowd
    from app.bots.player import HttpPlayer
    from app.bots.stored import Stored
    from app.study.design.studies import StudyView

MOST_THINK_S = 3600


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("simulate")(simulate)


def simulate(
    study: Annotated[str, typer.Option(help="slug of the study")],
    bots: Annotated[
        str,
        typer.Option(
            help="who plays, such as oracle:5,enumerator:5; bots: "
            "oracle, inducer, enumerator, copycat, eliminator, neighbour, prior, typist"
        ),
    ],
    url: Annotated[
        str, typer.Option(help="a running server on this database; default: start one")
    ] = "",
    seed: Annotated[int, typer.Option(help="the same seed gives the same players")] = 0,
    think: Annotated[
        float, typer.Option(min=0, max=MOST_THINK_S, help="mean seconds before each command")
    ] = 0,
    as_: Annotated[
        Literal["real", "test"] | None,
        typer.Option("--as", help="count them as real (only in a study of kind bots) or as test"),
    ] = None,
    tries: Annotated[
        int, typer.Option(min=1, help="maximum number of times to send a request")
    ] = 40,
    *,
    json: AsJson = False,
) -> None:
    """Let bots play a study over HTTP. Exits with 1 on a failure or if the log differs."""
    from app.bots import crowd
    from app.bots.sender import read_address
    from app.bots.stored import Stored
    from app.cli.own_server import server_at
    from app.settings import load_settings
    from app.study.design import studies
    from app.study.play import questions

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
            with progress(json=json) as track:
                report = play(stored, found, players, track, test=test)
            cells = stored.cells(players)
            arms = stored.treatments(players, found.spec.between)
    if json:
        show({**report.to_dict(), "cells": cells, "treatments": arms})
    else:
        tell(report)
        for value, number in arms.items():
            who = "person" if number == 1 else "people"
            typer.echo(f"{number:>6} {who} with {found.spec.between} {value}")
        for cell, number in cells.items():
            typer.echo(f"{number:>6} played {cell}")
        if test:
            typer.echo(
                "These are test players: they are not counted and not paid. To export them too: "
                "hjstudy export --include-test"
            )
    for problem in report.problems:
        explain(problem)
    if not report.ok:
        raise typer.Exit(1)


def counted_as(study: "StudyView", wanted: str | None) -> str:
    """Return real or test: bots are participants only in a study of kind bots."""
    from app.study.design.spec import BOTS

    if wanted is None:
        wanted = "real" if study.kind == BOTS else "test"
    if wanted == "real" and study.kind != BOTS:
        refuse(
            f"'{study.slug}' is a study of kind {study.kind}: bots there are test participants, so "
            "that they are never paid, rated or counted. For figures of bots alone, create a "
            "study of kind bots."
        )
    if wanted == "real" and study.state != "open":
        refuse(f"'{study.slug}' is not taking new players. Open it, or use --as test.")
    return wanted


def play(
    stored: "Stored", study: "StudyView", players: "list[HttpPlayer]", track: Track, *, test: bool
) -> "crowd.Report":
    """Let the bots play, and compare what they saw with what is stored."""
    from app.bots import crowd

    def start_of(_number: int) -> str:
        return stored.enrol_test(study.slug, now()) if test else f"/s/{study.slug}"

    outcomes = crowd.run(players, start_of, in_order=True, track=track)
    return crowd.report(outcomes, stored.compare(players, track))


def tell(report: "crowd.Report") -> None:
    """Print a report for people."""
    typer.echo(
        f"{report.finished} of {report.players} players finished, {report.actions} actions, "
        f"{report.errors} errors, {report.mismatches} mismatches, {report.resent} requests resent"
    )
    if report.full:
        typer.echo(f"{report.full} found no place: the study, or every cell, was full")
    if report.p50_ms is not None:
        typer.echo(f"an action took {report.p50_ms} ms (median), {report.p95_ms} ms (95 %)")
    for name, figures in report.per_bot.items():
        text = ", ".join(
            f"{key} {'-' if value is None else f'{value:.3f}'}" for key, value in figures.items()
        )
        typer.echo(f"{name:12} {text}")
