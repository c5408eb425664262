"""hjstudy user: accounts for researchers and annotators."""

from typing import Annotated

import typer

from app.cli.common import AsJson, explain, now, open_store, show

user = typer.Typer(help="Manage accounts of researchers and annotators.", no_args_is_help=True)


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(user, name="user")


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


@user.command("admin")
def make_admin(
    name: str,
    *,
    revoke: Annotated[
        bool, typer.Option("--revoke", help="make the account ordinary again")
    ] = False,
    json: AsJson = False,
) -> None:
    """Make a researcher an administrator, who can do everything in every study."""
    from app.study.people import inviting

    with open_store() as store:
        inviting.set_admin(store, name, is_admin=not revoke)
    if json:
        show({"name": name, "admin": not revoke})
    else:
        explain(f"{name} is {'an ordinary researcher' if revoke else 'an administrator'} now.")


@user.command("one-factor")
def reset_factor(name: str, *, json: AsJson = False) -> None:
    """Turn off an account's second factor, if the phone and the recovery codes are lost."""
    from app.study.people import second_factor

    with open_store() as store:
        second_factor.reset(store, name)
    if json:
        show({"name": name, "second_factor": False})
    else:
        explain(f"{name} logs in with name and password only.")
