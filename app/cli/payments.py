"""hjstudy payments and bonuses-sent: as on the page Recruitment and pay."""

import os
from csv import reader
from io import StringIO
from pathlib import Path
from typing import Annotated

import typer

from app.cli.common import AsJson, Raw, explain, naming_files, now, open_store, refuse, show
from app.counted import counted

OWNER_ONLY = 0o600  # the file has platform IDs


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("payments")(write_payments)
    app.command("bonuses-sent")(record_sent)


def write_payments(
    study: Annotated[str, typer.Option("--study", help="slug of the study")],
    out: Annotated[Path, typer.Option("--out", help="CSV file to write")],
    *,
    bonus: Annotated[
        bool, typer.Option("--bonus", help="write ID,amount for a platform's bulk bonus instead")
    ] = False,
    raw: Raw = False,
    json: AsJson = False,
) -> None:
    """Write who is paid how much, with platform IDs. Test participants are left out."""
    from app.study.design import studies
    from app.study.people import bonuses, payments

    with open_store() as store, store.read() as db:
        found = studies.find(db, study)
        if bonus:
            text = bonuses.bonus_lines(db, found.id, raw=raw)
        else:
            text = payments.to_csv(db, found.id, "payments", raw=raw)
    if studies.hides_outcomes(found.spec, found.state):
        explain("This study hides outcomes until it is closed, but bonuses give them away.")
    with naming_files(), open(out, "w", newline="", encoding="utf-8", opener=private) as file:
        file.write(text)
    rows = len(list(reader(StringIO(text, newline="")))) - (not bonus)
    if json:
        show({"study": study, "out": str(out), "people": rows})
    else:
        people = counted(rows, "person", "people")
        explain(f"Wrote {people} to {out}. It has platform IDs: keep it apart from the data.")


def record_sent(
    file: Annotated[Path, typer.Argument(help="the bonus.csv that was sent, lines ID,amount")],
    study: Annotated[str, typer.Option("--study", help="slug of the study")],
    *,
    json: AsJson = False,
) -> None:
    """Record that everyone in a file was sent that bonus. The same file again changes nothing."""
    from app.study.design import studies
    from app.study.people import bonuses
    from app.study.table_text import decode
    from app.study.tickets import new_ticket

    try:
        text = decode(file.read_bytes()).text
    except OSError as error:
        refuse(f"Cannot read {file}: {error.strerror}.")
    with open_store() as store:
        with store.read() as db:
            found = studies.find(db, study)
        done = bonuses.record_sent(store, found.id, None, text, new_ticket(), now())
    if json:
        show({"study": study, "recorded": done.new, "before": done.before})
    else:
        before = f" {done.before} had been recorded before." if done.before else ""
        explain(f"Recorded {counted(done.new, 'bonus', 'bonuses')} as sent.{before}")


def private(path: str, flags: int) -> int:
    """Open a file that only its owner can read; one that is there keeps its permissions."""
    return os.open(path, flags, OWNER_ONLY)
