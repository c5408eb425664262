"""hjstudy user: accounts for researchers and annotators."""

from typing import Annotated

import typer

from app.cli.common import AsJson, explain, now, open_store, show

user = typer.Typer(help="Accounts of researchers and annotators.", no_args_is_help=True)


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(user, name="user")


@user.callback()
def group() -> None:
    """Keep `user add` a subcommand, although it is the only one."""


@user.command("add")
def add_user(
    name: str,
    role: Annotated[str, typer.Option(help="researcher or annotator")] = "researcher",
    *,
    json: AsJson = False,
) -> None:
    """Create an account, or a new link for one. Prints a one-time link that sets the password."""
    from app.settings import load_settings
    from app.study.people import accounts

    settings = load_settings()
    with open_store(settings) as store:
        token = accounts.add(store, name, role, now())
    link = f"{settings.base_url}/admin/welcome/{token}"
    if json:
        show({"name": name, "role": role, "link": link})
        return
    explain(f"Give this link to {name}. It works once, for seven days:")
    typer.echo(link)
