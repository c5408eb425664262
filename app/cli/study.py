"""hjstudy study: create, list, open, close, link."""

from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli.bar import progress
from app.cli.common import BY, AsJson, explain, naming_files, now, open_store, refuse, show, site
from app.counted import counted

study = typer.Typer(help="Create, change, open and close studies.", no_args_is_help=True)


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(study, name="study")


def link_of(slug: str) -> str:
    """Return the players' link of a study."""
    return f"{base_url()}/s/{slug}"


def base_url() -> str:
    """Return the address that links begin with."""
    from app.settings import load_settings

    return load_settings().base_url


@study.command("create")
def create(
    file: Annotated[Path, typer.Argument(help="the study file (YAML)")],
    owner: Annotated[
        str, typer.Option(help="researcher who owns it; without one, only administrators see it")
    ] = "",
    *,
    closed: Annotated[
        bool, typer.Option("--closed", help="leave it closed; `hjstudy study open` opens it")
    ] = False,
    json: AsJson = False,
) -> None:
    """Create and open a study, and generate and certify all its variants.

    A real study that promises more than it pays, or that gives no contact, is created closed.
    """
    from app.study.design import checklist, studies
    from app.study.design.spec import parse_study
    from app.study.people import inviting, opening

    spec = parse_study(read_file(file))
    with open_store(study=spec.slug) as store, progress(json=json) as track:
        with store.read() as db:
            owner_id = inviting.account_of(db, owner.strip().casefold()).id if owner else None
        state = "closed" if closed else "open"
        made = studies.create(store, spec, now(), state=state, owner_id=owner_id, track=track)
        with store.read() as db:
            to_check = opening.advice(db, made.slug, site())
    facts: dict[str, Any] = {
        "id": made.id,
        "slug": made.slug,
        "version": made.version,
        "state": made.state,
        "cells": [cell.key for cell in spec.cells()],
        "link": link_of(made.slug),
        "not_ready": checklist.blocking(spec),
        "to_check": to_check,
    }
    if json:
        show(facts)
        return
    tell_created(facts, made.title, file)
    typer.echo(facts["link"])


def tell_created(facts: dict[str, Any], title: str, file: Path) -> None:
    """Print whether a new study is open, and what the checklist says about it."""
    opens = f"hjstudy study open {facts['slug']}"
    if facts["not_ready"]:
        explain("\n".join(["The study is closed, because it is not ready:", *facts["not_ready"]]))
        explain(f"Correct the file, then `hjstudy study update {file}` and `{opens}`.")
    tell_advice(facts["to_check"])
    explain(f"Created '{title}' with {counted(len(facts['cells']), 'cell')}.")
    if facts["state"] == "open":
        explain(
            "It is open: anyone with the link can take part. To stop that while you check it: "
            f"hjstudy study close {facts['slug']}"
        )
    elif not facts["not_ready"]:
        explain(f"It is closed. To open it: {opens}")
    explain("Players' link:")


def tell_advice(to_check: list[str]) -> None:
    """Print what to check, if anything."""
    if to_check:
        explain("\n".join(["To check:", *(f"- {one}" for one in to_check)]))


def read_file(file: Path) -> str:
    """Return a file's text; exits with a message if it cannot be read."""
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        refuse(f"Cannot read {file}: {error}")


@study.command("update")
def update(
    file: Annotated[Path, typer.Argument(help="the study file (YAML)")],
    more: Annotated[list[str] | None, typer.Argument(hidden=True, metavar="")] = None,
    *,
    json: AsJson = False,
) -> None:
    """Update a study from a file. Makes a new version if people have consented to the last one."""
    if more:
        refuse("Give only the file, whose slug names the study: hjstudy study update FILE.yaml")
    from app.study.design import draft, publishing
    from app.study.design.spec import parse_study
    from app.study.tickets import new_ticket

    spec = parse_study(read_file(file))
    with open_store(study=spec.slug) as store, progress(json=json) as track:
        with store.read() as db:
            revision = draft.load(db, spec.slug).revision
        revision = draft.replace(
            store, spec.slug, spec, revision=revision, ticket=new_ticket(), by=BY, now=now()
        )
        done = publishing.publish(
            store, spec.slug, revision=revision, by=BY, now=now(), track=track
        )
    if json:
        show({"slug": spec.slug, "changed": done.what, "version": done.version})
    else:
        outcomes = {
            publishing.NOTHING: "nothing differs",
            publishing.FREE_PART: "changed for everyone",
            publishing.VERSION: "new participants start with the new design",
        }
        explain(f"'{spec.slug}': {outcomes[done.what]} (version {done.version}).")


@study.command("file")
def print_file(
    slug: str,
    version: Annotated[int, typer.Option(min=0, help="version to print; 0 = the newest")] = 0,
) -> None:
    """Print a study's design as YAML."""
    from app.study.design import publishing, studies, yaml_file

    with open_store() as store, store.read() as db:
        spec = studies.find(db, slug).spec if not version else publishing.spec_of(db, slug, version)
    typer.echo(yaml_file.file_of(spec), nl=False)


@study.command("list")
def list_studies(*, json: AsJson = False) -> None:
    """List all studies with their counts."""
    from app.study.people import overview

    with open_store() as store, store.read() as db:
        rows: list[dict[str, Any]] = overview.overview(db)
    if json:
        show({"studies": [{**row, "link": link_of(row["slug"])} for row in rows]})
        return
    if not rows:
        explain("There are no studies in this database.")
    for row in rows:
        counts = f"{row['active']} active, {row['finished']} finished, {row['declined']} declined"
        typer.echo(f"{row['slug']:20} {row['kind']:6} {row['state']:7} {counts}  {row['title']}")


@study.command("open")
def open_study(slug: str, *, json: AsJson = False) -> None:
    """Open a study to new people, and print what the checklist says about it."""
    change_state(slug, "open", json=json)


@study.command("close")
def close_study(slug: str, *, json: AsJson = False) -> None:
    """Close a study to new people. People who have consented can continue."""
    change_state(slug, "closed", json=json)


def change_state(slug: str, state: str, *, json: bool) -> None:
    """Open or close a study, and say so; of an open one, also what the checklist advises."""
    from app.study.design import publishing
    from app.study.people import opening

    with open_store() as store:
        publishing.change_state(store, slug, state, by=BY, now=now())
        with store.read() as db:
            to_check = opening.advice(db, slug, site()) if state == "open" else []
    if json:
        show({"slug": slug, "state": state, **({"to_check": to_check} if state == "open" else {})})
    else:
        tell_advice(to_check)
        explain(f"'{slug}' is {state}.")


@study.command("link")
def link(
    slug: str,
    count: Annotated[int, typer.Option(min=0, max=100_000, help="number of personal links")] = 0,
    out: Annotated[Path | None, typer.Option(help="CSV file for personal links")] = None,
    group: Annotated[
        str, typer.Option(help="group for these participants, one of people.groups")
    ] = "",
    *,
    signed: Annotated[
        bool,
        typer.Option("--signed", help="sign the personal links, so that IDs cannot be made up"),
    ] = False,
    days: Annotated[
        int, typer.Option(min=0, max=3650, help="days until signed links expire; 0 = never")
    ] = 0,
    ids: Annotated[
        Path | None, typer.Option(help="file with one ID per line; their links are signed")
    ] = None,
    test: Annotated[bool, typer.Option("--test", help="print a signed test link")] = False,
    raw: Annotated[
        bool,
        typer.Option("--raw", help="do not escape IDs that a spreadsheet would run as a formula"),
    ] = False,
    json: AsJson = False,
) -> None:
    """Print the participants' link, and Prolific's on stderr.

    With --out and --count or --ids, write personal links as CSV.
    Personal links are always signed if the study requires a signature (people.require).
    With --test, the link works for 14 days, even for a draft or a closed study, and people who use
    it are test participants.
    """
    from app.study.design import studies
    from app.study.keys import Keys
    from app.study.people import given_links, recruitment

    if test:
        print_test_link(slug, json=json)
        return
    sign = None
    with open_store() as store:
        with store.read() as db:
            spec = studies.find(db, slug).spec
        if ids or signed or days or spec.people.require == "signature":
            expires = now() + timedelta(days=days) if days else None
            sign = recruitment.signer(Keys(store), slug, expires)
    if group not in ("", *spec.people.groups):
        known = ", ".join(spec.people.groups) or "none"
        refuse(f"'{slug}' has no group '{group}'. Its groups: {known}.")
    if ids is not None and sign is not None:
        given = given_links.read_ids(read_file(ids), spec.options)
        text = given_links.given_links(link_of(slug), spec.options, given, sign, group, raw=raw)
        write_links(slug, text, len(given), out, signed=True, json=json)
        return
    if not count:
        plain = recruitment.group_link(link_of(slug), group)
        prolific = recruitment.prolific_link(link_of(slug), spec.options, group)
        if json:
            show({"slug": slug, "link": plain, "prolific": prolific})
            return
        typer.echo(plain)
        if prolific:
            explain(f"For Prolific, which fills in the IDs: {prolific}")
        if spec.people.require != "nothing":
            needed = {"id": "an ID", "signature": "a signature"}[spec.people.require]
            explain(
                f"The first link is refused without {needed} (people.require): give people "
                "personal links (--count or --ids) or Prolific’s."
            )
        return
    text = recruitment.personal_links(link_of(slug), spec.options, count, group, sign)
    write_links(slug, text, count, out, signed=sign is not None, json=json)


def write_links(
    slug: str, text: str, count: int, out: Path | None, *, signed: bool, json: bool
) -> None:
    """Write personal links to a file."""
    if out is None:
        refuse("Personal links need --out FILE.csv.")
    with naming_files(), out.open("w", newline="", encoding="utf-8") as file:
        file.write(text)
    if json:
        show({"slug": slug, "count": count, "out": str(out), "signed": signed})
    else:
        explain(f"Wrote {counted(count, 'personal link')} to {out}.")


def print_test_link(slug: str, *, json: bool) -> None:
    """Print a signed test link."""
    from app.study.design import publishing

    with open_store() as store:
        found = base_url() + publishing.test_link(store, slug, now=now())
    show({"slug": slug, "link": found, "test": True}) if json else typer.echo(found)
