"""hjstudy verify: prove the log by replay."""

from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.bar import progress
from app.cli.common import AsJson, open_store, show

if TYPE_CHECKING:
    from app.study.export.verify import Report

Study = Annotated[str | None, typer.Option("--study", help="only this study; default: all")]


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify")(verify_log)


def verify_log(study: Study = None, *, json: AsJson = False) -> None:
    """Replay every stored episode and compare. Exits with 1 if a stored value differs."""
    from app.study.export import verify

    with open_store() as store, progress(json=json) as track:
        report = verify.verify(store, study, track=track)
    if json:
        show(report.to_dict())
    else:
        typer.echo(in_words(report))
    if not report.ok:
        raise typer.Exit(1)


def in_words(report: "Report") -> str:
    """Return a report in sentences."""
    text = (
        f"Replayed {report.turns} turns of {report.episodes} episodes and compared "
        f"{report.explanations} explanations with their digests and {report.records} other records "
        "with the design and each other"
    )
    found = report.first_difference
    if found is None:
        return f"{text}: all match."
    turn = "" if found.seq is None else f", action {found.seq}"
    return (
        f"{text}: {report.episodes_wrong} episodes, {report.explanations_wrong} explanations and "
        f"{report.records_wrong} records differ. The first: {found.episode}{turn}: "
        f"{found.field} is {found.stored!r}, expected {found.expected!r}."
    )
