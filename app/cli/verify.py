"""hjstudy verify and manifest: prove the data by replay, digests and a signature."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.bar import progress
from app.cli.common import AsJson, explain, naming_files, now, open_store, refuse, show
from app.errors import StudyError

if TYPE_CHECKING:
    from app.study.export.verify import Report

Study = Annotated[str | None, typer.Option("--study", help="only this study; default: all")]
Manifest = Annotated[
    Path | None, typer.Option("--manifest", help="also compare with this signed manifest")
]
Key = Annotated[
    Path | None,
    typer.Option("--key", help="your own Ed25519 key (PEM); default: the server's"),
]
Public = Annotated[
    str | None, typer.Option("--public-key", help="the manifest's public key, if not the server's")
]
Stamp = Annotated[
    Path | None, typer.Option("--timestamp", help="a timestamp service's answer for the manifest")
]
Authorities = Annotated[
    Path | None, typer.Option("--ca", help="certificates (PEM) of the timestamp service")
]


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("verify")(verify_log)
    app.command("manifest")(write_manifest)


def verify_log(
    study: Study = None,
    manifest: Manifest = None,
    public_key: Public = None,
    timestamp: Stamp = None,
    ca: Authorities = None,
    *,
    json: AsJson = False,
) -> None:
    """Replay every stored episode and compare. Exits with 1 if a stored value differs."""
    from app.settings import load_settings
    from app.study.export import anchors, signing, verify

    stamped = stamped_at(manifest, timestamp, ca)
    document = None
    if manifest is not None:
        try:
            path = load_settings().signing_key_path
            own = public_key or signing.public_text(signing.own_key(path))
            document = anchors.read(manifest, own)
        except StudyError as error:
            refuse(error.message)
        if study not in {None, document["study"]}:
            refuse(f"The manifest is of the study {document['study']}, not of {study}.")
    with open_store() as store, progress(json=json) as track:
        report = verify.verify(store, study, track=track, manifest=document)
    if json:
        show(report.to_dict() | ({} if stamped is None else {"timestamp": stamped}))
    else:
        typer.echo(in_words(report))
        if stamped is not None:
            typer.echo(f"The timestamp service saw the manifest at {stamped}.")
    if not report.ok:
        raise typer.Exit(1)


def stamped_at(manifest: Path | None, stamp: Path | None, ca: Path | None) -> str | None:
    """Return when a service saw the manifest; exit with 1 if its timestamp does not fit."""
    from app.study.export import timestamps

    if stamp is None and ca is None:
        return None
    if manifest is None or stamp is None or ca is None:
        refuse("--timestamp needs --manifest and --ca, and --ca needs --timestamp.")
    try:
        return timestamps.check(manifest, stamp, ca)
    except StudyError as error:
        explain(error.message)
        raise typer.Exit(1) from error


def write_manifest(
    study: Annotated[str, typer.Option("--study", help="slug of the study")],
    out: Annotated[Path, typer.Option("--out", help="file to write")],
    key: Key = None,
) -> None:
    """Write a signed manifest of a study's data. Keep it outside the server."""
    from app.settings import load_settings
    from app.study.export import anchors, signing

    settings = load_settings()
    with open_store(settings) as store:
        own = settings.signing_key_path
        secret = signing.own_key(own) if key is None else signing.read_key(key)
        with progress(json=False) as track:
            document = anchors.make(store, study, secret, now(), track)
    with naming_files():
        out.write_text(anchors.as_text(document), encoding="utf-8")
    explain(
        f"Written to {out}. Public key: {document['public_key']}. Keep both outside this server; "
        f"check with: hjstudy verify --manifest {out}"
    )


def in_words(report: "Report") -> str:
    """Return a report in sentences."""
    from app.study.export import scope

    text = (
        f"Replayed {report.turns} turns of {report.episodes} episodes and compared "
        f"{report.explanations} explanations with their digests, {report.records} other records "
        f"with the design and each other, {report.events} events of the participants’ logs"
    )
    if report.models:
        text += f", {report.models} units of models' runs"
    if report.anchors:
        text += f" and {report.anchors} digests of the manifest"
    found = report.first_difference
    if found is None:
        moved = f" Not compared: {scope.MOVED}." if scope.MOVED in report.not_checked else ""
        deleted = "".join(f"\nDeleted since the manifest: {one}." for one in report.deleted)
        return f"{text}: all match.{moved}{deleted}"
    turn = "" if found.seq is None else f", action {found.seq}"
    return (
        f"{text}: {report.episodes_wrong} episodes, {report.explanations_wrong} explanations, "
        f"{report.records_wrong} records, {report.events_wrong} parts of logs, "
        f"{report.models_wrong} units of models' runs and "
        f"{report.anchors_wrong} digests of the manifest differ. The first: {found.episode}{turn}: "
        f"{found.field} is {found.stored!r}, expected {found.expected!r}."
    )
