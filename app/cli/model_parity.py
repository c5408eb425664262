"""hjstudy model parity: prove that people and models got the same words."""

from typing import Annotated

import typer

from app.cli.bar import step
from app.cli.common import AsJson, open_store, show


def add(model: typer.Typer) -> None:
    """Add the command to `hjstudy model`."""
    model.command("parity")(parity)


def parity(
    study: Annotated[str, typer.Option(help="slug of the study")], *, json: AsJson = False
) -> None:
    """Print the parity certificate. Exits with 1 unless all shared episodes had the same words."""
    from app import __version__
    from app.study.design import studies
    from app.study.export import parity as certificates
    from app.study.export.columns import FORMAT_VERSION
    from app.study.report import tables

    with open_store() as store, store.read() as db, step("Comparing words", json=json):
        found, _ = tables.of_study(db, studies.find(db, study), certificates.SEEN)
    versions = {"study": study, "format_version": FORMAT_VERSION, "code_version": __version__}
    document = certificates.certificate(certificates.of_tables(found), versions)
    if json:
        show(document)
    else:
        for one in document["models"]:
            typer.echo(
                f"{one['label']}: {one['verdict']} ({one['same']} of {one['shared']} shared "
                f"episodes; design {one['design_version'] or 'unknown'})"
            )
        people = document["participants"]
        designs = ", ".join(map(str, people["design_versions"])) or "none"
        languages = ", ".join(people["languages"]) or "unknown"
        typer.echo(
            f"Participants: {people['episodes']} episodes, design {designs}, language {languages}."
        )
        typer.echo(f"Code of the metrics: sha256 {document['metric_code']['sha256']}")
    if not document["same"]:
        raise typer.Exit(1)
