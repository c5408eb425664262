"""hjstudy report: all tables and figures of a study, from a bundle alone."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.bar import progress
from app.cli.common import AsJson, Raw, explain
from app.cli.common import show as show_json
from app.study.report.options import Options

DEFAULT = Options()
TYPED = {
    "seed": "--seed",
    "replicates": "--bootstrap",
    "main_rv": "--rv",
    "idle_minutes": "--idle",
}


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report")(report)


def report(
    bundle: Annotated[Path, typer.Argument(help="folder or zip file of `hjstudy export`")],
    out: Annotated[Path, typer.Option("--out", help="folder to write to")],
    seed: Annotated[int, typer.Option("--seed", help="seed of bootstrap and tests")] = DEFAULT.seed,
    replicates: Annotated[
        int, typer.Option("--bootstrap", help="replicates of the bootstrap")
    ] = DEFAULT.replicates,
    rv: Annotated[
        str, typer.Option("--rv", help="final, human or judge; default: the study's")
    ] = "",
    idle: Annotated[
        int, typer.Option("--idle", help="minutes; a longer gap excludes an episode's time")
    ] = DEFAULT.idle_minutes,
    *,
    keep_excluded: Annotated[
        bool, typer.Option("--keep-excluded", help="include excluded participants")
    ] = False,
    figures: Annotated[
        bool, typer.Option(help="draw the figures (SVG, PDF), which takes longest")
    ] = True,
    raw: Raw = False,
    json: AsJson = False,
) -> None:
    """Rebuild a report from a bundle: report.json, tables (CSV, LaTeX), figures (SVG, PDF)."""
    from app.study.report.document import document, fingerprint
    from app.study.report.files import JSON_NAME, write_all
    from app.study.report.tables import of_bundle

    done = "Replaced the earlier report in" if (out / JSON_NAME).exists() else "Written to"
    options = Options(seed, replicates, rv, keep_excluded, idle).checked(TYPED)
    with progress(json=json) as track:
        tables, facts = of_bundle(bundle, track)
        made = document(tables, facts, options, track)
        files = write_all(made, out, track, figures=figures, raw=raw)
    if json:
        show_json({"out": str(out), "files": files, "sha256": fingerprint(made), **made})
        return
    for name in files:
        typer.echo(name)
    explain(f"{done} {out}: {len(files)} files. report.json has sha256 {fingerprint(made)}.")
