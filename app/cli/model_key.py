"""hjstudy model key: keys with which other people's programs play a study."""

from typing import Annotated

import typer

from app.cli.common import BY, AsJson, explain, now, open_store, show

Study = Annotated[str, typer.Option(help="slug of the study")]
Name = Annotated[str, typer.Option(help="who uses the key, or what it is for")]

key = typer.Typer(help="Manage keys for agents that use the API.", no_args_is_help=True)


def add(model: typer.Typer) -> None:
    """Add the commands to `hjstudy model`."""
    model.add_typer(key, name="key")


@key.command("add")
def add_key(
    study: Study,
    name: Name,
    scope: Annotated[str, typer.Option(help="play, or read (results only)")] = "play",
    *,
    json: AsJson = False,
) -> None:
    """Create a key and print it. It cannot be shown again."""
    from app.study.design import studies
    from app.study.models import agent_keys

    with open_store() as store:
        with store.read() as db:
            found = studies.find(db, study)
        made = agent_keys.make(store, found, name, scope, BY, now())
    if json:
        show({"study": study, "name": name, "scope": scope, "key": made})
        return
    explain("Keep this key: only its hash is stored.")
    typer.echo(made)


@key.command("revoke")
def revoke_key(study: Study, name: Name, *, json: AsJson = False) -> None:
    """Revoke a key at once."""
    from app.study.design import studies
    from app.study.models import agent_keys

    with open_store() as store:
        with store.read() as db:
            found = studies.find(db, study)
        agent_keys.revoke(store, found, name, BY, now())
    if json:
        show({"study": study, "name": name, "revoked": True})
    else:
        explain(f"The key '{name}' is revoked.")


@key.command("list")
def list_keys(study: Study, *, json: AsJson = False) -> None:
    """List a study's keys, without the keys themselves."""
    from app.study.design import studies
    from app.study.models import agent_keys

    with open_store() as store, store.read() as db:
        rows = agent_keys.listed(db, studies.find(db, study))
    facts = [
        {"name": row.name, "scope": row.scope, "revoked": row.revoked_at is not None}
        for row in rows
    ]
    if json:
        show({"keys": facts})
        return
    for one in facts:
        typer.echo(f"{one['scope']:5} {'revoked' if one['revoked'] else 'valid':8} {one['name']}")
