"""hjstudy member: who may do what in a study."""

from typing import Annotated

import typer

from app.cli.common import BY, AsJson, explain, now, open_store, show

member = typer.Typer(help="Manage members of studies and their roles.", no_args_is_help=True)


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(member, name="member")


@member.command("list")
def list_members(slug: str, *, json: AsJson = False) -> None:
    """List a study's members with their roles."""
    from app.study.design import members

    with open_store() as store, store.read() as db:
        people = members.listed(db, slug)
    if json:
        show({"members": [{"name": one.name, "role": one.role} for one in people]})
        return
    for one in people:
        typer.echo(f"{one.role:12} {one.name}")


@member.command("put")
def put_member(
    slug: str,
    name: Annotated[str, typer.Argument(help="the researcher's account")],
    role: Annotated[str, typer.Argument(help="owner, editor, viewer, payer or coordinator")],
    *,
    json: AsJson = False,
) -> None:
    """Add a researcher to a study, or change their role."""
    from app.study.people import inviting

    with open_store() as store:
        inviting.put(store, slug, name, role, BY, now())
    if json:
        show({"slug": slug, "name": name, "role": role})
    else:
        explain(f"{name} is {role} of '{slug}'.")


@member.command("remove")
def remove_member(slug: str, name: str, *, json: AsJson = False) -> None:
    """Remove a member from a study. Their account stays."""
    from app.study.people import inviting

    with open_store() as store:
        inviting.drop(store, slug, name)
    if json:
        show({"slug": slug, "name": name, "role": ""})
    else:
        explain(f"{name} is no longer a member of '{slug}'.")
