"""Make the documentation site: python -m bench.handbook [FOLDER [EXAMPLE]] (`make docs`).

The pages are those of `docs/`, at their addresses, and the README, the contributing guide and the
changelog. Four more are made from the code: options of commands, settings, addresses, and calls of
the API. A broken link, even to a heading, stops the build. The site holds the pages in
`docs/example`, or those in another folder (`make site`: the whole example with its files).
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import typer
import yaml
from fastapi import FastAPI
from fastapi.routing import APIRoute
from pydantic_core import PydanticUndefined
from starlette.routing import Mount

from app import cli
from app.main import create_app
from app.settings import PREFIX as VARIABLE
from app.settings import Settings
from app.web.models.agent_api import PREFIX, fields_of
from bench.serving import ROOT

NAME = "mkdocs.yml"
OUTSIDE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
EXAMPLE = "example"
LINK = re.compile(r"(\]\()([^)\s]+)(\))")


def make(folder: Path, example: Path | None = None) -> Path:
    """Write the site's sources and the site into a folder; returns the folder of the site.

    `example`: what `hjstudy example` wrote; None = the pages in `docs/example`.

    Raises subprocess.CalledProcessError: the build found a mistake, such as a broken link.
    """
    shutil.rmtree(folder, ignore_errors=True)
    pages = folder / "pages"
    shutil.copytree(ROOT / "docs", pages)
    for name, text in made_pages().items():
        (pages / name).parent.mkdir(exist_ok=True)
        (pages / name).write_text(text, encoding="utf-8")
    if example is not None:
        shutil.rmtree(pages / EXAMPLE)
        shutil.copytree(example, pages / EXAMPLE)
    config = yaml.safe_load((ROOT / NAME).read_text(encoding="utf-8"))
    config |= {"docs_dir": "pages", "site_dir": "site"}
    (folder / NAME).write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    program = Path(sys.executable).parent / "zensical"
    subprocess.run([program, "build", "--strict", "--clean", "-f", NAME], cwd=folder, check=True)
    return folder / "site"


def made_pages() -> dict[str, str]:
    """Return the pages that are not in `docs/`: address -> Markdown."""
    outside = {to: (ROOT / name).read_text(encoding="utf-8") for name, to in OUTSIDE.items()}
    return {
        **{name: LINK.sub(inside, text) for name, text in outside.items()},
        "adr/index.md": "\n".join(decisions()),
        "reference/options.md": "\n".join(options()),
        "reference/settings.md": "\n".join(settings()),
        "reference/addresses.md": "\n".join(addresses()),
        "reference/calls.md": "\n".join(calls()),
    }


def inside(link: re.Match[str]) -> str:
    """Return a link of a file in the root folder, as the site's pages write it."""
    opened, address, closed = link.groups()
    if address == "docs/adr/":
        return f"{opened}adr/index.md{closed}"
    return opened + OUTSIDE.get(address, address.removeprefix("docs/")) + closed


def decisions() -> Iterator[str]:
    """Yield the list of decisions."""
    yield "# Decisions\n"
    for path in sorted((ROOT / "docs" / "adr").glob("*.md")):
        title = path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
        yield f"- [{title}]({path.name})"


def options() -> Iterator[str]:
    """Yield the page of every command with all its options, as `--help` shows them."""
    yield "# All options\n"
    yield "Generated from the code. [Commands](../commands.md) says what each is for.\n"
    for name, command in commands(typer.main.get_command(cli.app), "hjstudy"):
        yield f"## {name}\n\n{cell(command.help)}\n"
        yield from ("| argument or option | default | meaning |", "|---|---|---|")
        for one in command.params:
            names = ", ".join(f"`{word}`" for word in [*one.opts, *one.secondary_opts])
            words = names if one.param_type_name == "option" else f"`{one.name}`"
            default = "required" if one.required else shown(one.default)
            yield f"| {words} | {default} | {cell(getattr(one, 'help', ''))} |"
        yield ""


def commands(group: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield every command below a group of Click's, with its full name."""
    for key, one in sorted(group.commands.items()):
        if hasattr(one, "commands"):
            yield from commands(one, f"{name} {key}")
        else:
            yield f"{name} {key}", one


def settings() -> Iterator[str]:
    """Yield the page of the settings as the code declares them."""
    yield "# All settings\n"
    yield "Generated from the code. See also [settings](../operations.md#settings).\n"
    yield from ("| variable | default | meaning |", "|---|---|---|")
    for name, field in Settings.model_fields.items():
        default = "" if field.default is PydanticUndefined else shown(field.default)
        yield f"| `{VARIABLE}{name.upper()}` | {default} | {cell(field.description)} |"


def addresses() -> Iterator[str]:
    """Yield the page of the server's addresses."""
    yield "# Addresses of the server\n"
    yield (
        "Generated from the code. Addresses below `/admin` and `/rate` need a login. "
        "[Calls of the API](calls.md) have a page of their own.\n"
    )
    yield from ("| method | address | what it does |", "|---|---|---|")
    for one in sorted(flat(server().routes), key=lambda route: route.path):
        says = cell((one.description or "").partition("\n\n")[0])
        yield f"| {', '.join(sorted(one.methods))} | `{one.path}` | {says} |"


def calls() -> Iterator[str]:
    """Yield the page of the API's calls, from its OpenAPI description."""
    (api,) = [one for one in server().routes if isinstance(one, Mount) and one.path == PREFIX]
    assert isinstance(api.app, FastAPI)
    schema = api.app.openapi()
    yield "# Calls of the API\n"
    yield "Generated from the code. [API for agents](../api.md) says how to use them.\n"
    for path, methods in schema["paths"].items():
        for method, call in methods.items():
            yield f"## {method.upper()} {PREFIX}{path}\n\n{call['description']}\n"
            yield from fields("body", fields_of(schema, call))
            (answer,) = [one for code, one in call["responses"].items() if code.startswith("2")]
            shape = answer["content"]["application/json"]["schema"]
            yield from fields("response", shape_of(schema, shape))


def fields(title: str, listed: list[dict[str, str]]) -> Iterator[str]:
    """Yield a table of fields; nothing if there are none."""
    if listed:
        yield from (f"| {title} | | meaning |", "|---|---|---|")
        yield from (
            f"| `{one['name']}` | {one['needed']} | {cell(one['about'])} |" for one in listed
        )
        yield ""


def shape_of(schema: dict[str, Any], shape: dict[str, Any]) -> list[dict[str, str]]:
    """Return the fields of a response; of a list, those of its items."""
    shape = shape.get("items", shape)
    found = schema["components"]["schemas"].get(shape.get("$ref", "").rpartition("/")[2], {})
    return [
        {"name": name, "needed": one.get("type", ""), "about": one.get("description", "")}
        for name, one in found.get("properties", {}).items()
    ]


@cache
def server() -> FastAPI:
    """Return the application; nothing is served."""
    return create_app(Settings(data_dir=Path("/nonexistent")))


def flat(routes: Iterable[Any]) -> Iterator[APIRoute]:
    """Yield plain routes, also those of routers inside."""
    for route in routes:
        if isinstance(route, APIRoute):
            yield route
        elif router := getattr(route, "original_router", None):
            yield from flat(router.routes)


def shown(value: object) -> str:
    """Return a default as a cell of a table."""
    return "" if value in {None, "", ()} else f"`{value}`".lower()


def cell(text: str | None) -> str:
    """Return a text as one line that a cell of a table can hold."""
    return " ".join((text or "").split()).replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    print(make(*map(Path, sys.argv[1:] or [str(ROOT / "build" / "docs")])))
