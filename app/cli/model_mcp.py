"""hjstudy model mcp: the API for agents as an MCP server on standard input and output."""

import os
from pathlib import Path
from typing import Annotated

import typer

from app.cli.common import refuse
from app.paths import how_to_add

KEY = "HJ_AGENT_KEY"


def add(model: typer.Typer) -> None:
    """Add the command to `hjstudy model`."""
    model.command("mcp")(serve)


def serve(
    url: Annotated[str, typer.Option(help="address of the hjstudy server")],
    key_file: Annotated[
        Path | None, typer.Option(help=f"file with the key; default: {KEY}")
    ] = None,
) -> None:
    """Serve the API for agents as MCP tools, for one key."""
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        refuse(f"This command needs the package mcp. Run: {how_to_add('mcp')}")
    try:
        key = key_file.read_text("utf-8").strip() if key_file else os.environ.get(KEY, "")
    except (OSError, UnicodeDecodeError) as error:
        refuse(f"--key-file: cannot read {key_file}: {error}")
    if not key:
        refuse(f"Set {KEY}, or name a file with --key-file.")
    import httpx

    from app.adapters.client import Api
    from app.adapters.mcp_server import make_server

    with httpx.Client(timeout=60) as http:
        make_server(Api(url, key, http)).run("stdio")
