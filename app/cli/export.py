"""hjstudy export: a study's data as files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.bar import progress
from app.cli.common import BY, AsJson, explain, now, open_store, show
from app.counted import counted
from app.errors import UnavailableError

if TYPE_CHECKING:
    from app.store.db import Store

Format = Annotated[str, typer.Option("--format", help="csv, excel or jsonl")]
WithTest = Annotated[bool, typer.Option("--include-test", help="include test participants")]
Shareable = Annotated[bool, typer.Option("--shareable", help="leave out unreleased free text")]
Times = Annotated[str, typer.Option("--times", help="exact, day or relative (shareable bundles)")]
Coarsen = Annotated[
    list[str] | None,
    typer.Option("--coarsen", help="number question to give in bands: KEY or KEY=WIDTH"),
]
Shuffle = Annotated[bool, typer.Option("--shuffle", help="put people in random order")]
WithPrompts = Annotated[
    bool,
    typer.Option("--with-prompts", help="include models' prompts and answers (shareable bundles)"),
]
WithPractice = Annotated[bool, typer.Option("--include-practice", help="include practice rows")]


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export")(export_study)


def export_study(
    study: Annotated[str, typer.Option("--study", help="slug of the study")],
    out: Annotated[Path, typer.Option("--out", help="folder, or FILE.zip, to write to")],
    flavour: Format = "csv",
    *,
    include_test: WithTest = False,
    include_practice: WithPractice = False,
    shareable: Shareable = False,
    times: Times = "exact",
    coarsen: Coarsen = None,
    shuffle: Shuffle = False,
    with_prompts: WithPrompts = False,
    json: AsJson = False,
) -> None:
    """Write a study as a Psych-DS bundle, from one snapshot of the database."""
    from app.study.export import bundle, files
    from app.study.people import removal

    earlier = out.is_file() or (out / bundle.MANIFEST).is_file()
    with open_store() as store, progress(json=json) as track:
        rows = removal.count(store, study)
        left_out = 0 if include_test else files.number_of_tests(store, study)
        manifest = files.export(
            store,
            study,
            out,
            now(),
            flavour=flavour,
            include_test=include_test,
            include_practice=include_practice,
            shareable=shareable,
            times=times,
            coarsen=coarsen or (),
            shuffle=shuffle,
            with_prompts=with_prompts,
            track=track,
        )
        if not shareable:
            record_full(store, study, rows)
    if left_out:
        people = counted(left_out, "test participant")
        explain(f"{people} (people and bots) left out; use --include-test")
    if json:
        show({"out": str(out), **manifest})
        return
    for file in manifest["files"]:
        typer.echo(f"{file['rows']:>9}  {file['name']}")
    unreviewed = sum(one["unreviewed"] for one in manifest["free_text"].values())
    if unreviewed and not shareable:
        explain(
            f"This bundle contains {unreviewed} texts that nobody has checked for names, so keep "
            "it within your team. To share data, see --shareable."
        )
    done = "Replaced the earlier bundle in" if earlier else "Written to"
    explain(f"{done} {out}; manifest.json holds the hashes.")


def record_full(store: "Store", study: str, rows: dict[str, int]) -> None:
    """Record a full export, if the database takes writes; a replica does not."""
    from app.study.people import removal

    try:
        removal.record_export(store, study, rows, by=BY, now=now())
    except UnavailableError as error:
        explain(
            f"The files are complete, but the database takes no writes ({error.reason}), so this "
            "export is not recorded. Deleting the study needs a recorded one: before you delete "
            "it, export once more from the database that the server writes to."
        )
