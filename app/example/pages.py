"""Pages of a running server as static files that open from a folder, without a server."""

import re
from collections.abc import Mapping
from html import escape, unescape
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from app.web.static_files import served_files

DROPPED = re.compile(r"<(script|form)\b.*?</\1>|<a class=\"skip\".*?</a>", re.DOTALL)
ANCHOR = re.compile(r'<a\b[^>]*?\shref="([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)
TURNED = re.compile(r'<a\b[^>]*\srel="(next|prev)"')  # to another page of the same kind
LINKED = re.compile(r'\s(href|src)="([^"]*)"')
HEADING = "</h1>"
NOTE = (
    '</h1>\n<p class="notice">A static copy of a page for researchers, from an example study with '
    'simulated people, models and annotators. <a href="index.html">All pages of the example</a></p>'
)
IMAGE, SCRIPT = ".svg", ".js"  # scripts are dropped from the pages


class Site:
    """Copies pages of a server into a folder. Links between copied pages stay links."""

    def __init__(self, client: httpx.Client, out: Path, names: Mapping[str, str]) -> None:
        """Prepare to copy.

        Args:
            client: logged in, with the server as its base URL.
            out: an existing folder.
            names: address on the server, with its query -> name of the file.
        """
        self.client, self.out, self.names = client, out, names
        (out / "static").mkdir(exist_ok=True)
        for name, file in served_files().items():
            if not name.endswith(SCRIPT):
                (out / "static" / name).write_bytes(file.plain)

    def copy_all(self) -> None:
        """Write every page. Raises httpx.HTTPStatusError if the server refuses one."""
        for address, name in self.names.items():
            text = DROPPED.sub("", self.get(address).text).replace(HEADING, NOTE, 1)
            text = LINKED.sub(self.link, ANCHOR.sub(self.anchor, text))
            (self.out / name).write_text(text, encoding="utf-8")

    def get(self, address: str) -> httpx.Response:
        """Return what the server sends."""
        return self.client.get(address).raise_for_status()

    def anchor(self, found: re.Match[str]) -> str:
        """Return a link; one that leads nowhere becomes its words, or nothing if it turns pages."""
        linked = LINKED.search(found[0])
        if linked and self.link(linked):
            return found[0]
        return "" if TURNED.match(found[0]) else f"<span>{found[2]}</span>"

    def link(self, found: re.Match[str]) -> str:
        """Return an attribute with an address as the copy has it; '' = it leads nowhere there."""
        kind, address = found[1], unescape(found[2])
        parts = urlsplit(address)
        if address.startswith(("#", "index.html", "data:")):
            return found[0]
        if parts.path.startswith("/static/"):
            return f' {kind}="{parts.path[1:]}"'
        if name := self.names.get(address.partition("#")[0]):
            return f' {kind}="{name}{"#" + parts.fragment if parts.fragment else ""}"'
        if kind == "src" and parts.path.endswith(IMAGE):
            name = parts.path.rpartition("/")[2]
            (self.out / name).write_bytes(self.get(address).content)
            return f' {kind}="{name}"'
        return ""


def front(title: str, parts: Mapping[str, Mapping[str, str]]) -> str:
    """Return the first page: headings with lists of links (address -> words)."""
    lists = "\n".join(
        f"<h2>{escape(heading)}</h2>\n<ul>\n{entries(links)}\n</ul>"
        for heading, links in parts.items()
    )
    styles = "".join(
        f'<link rel="stylesheet" href="static/{name}.css">' for name in ("app", "sheet", "ledger")
    )
    return f"""<!DOCTYPE html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{escape(title)}</title>{styles}</head>
<body class="plain"><main id="main" class="ledger"><h1>{escape(title)}</h1>
<p>Everything here was made by <code>hjstudy example</code>: the participants are programs, and the
texts and ratings are drawn at random. A real study has the same pages, files and figures.</p>
{lists}</main></body></html>
"""


def entries(links: Mapping[str, str]) -> str:
    """Return links as entries of a list."""
    return "\n".join(f'<li><a href="{to}">{escape(says)}</a></li>' for to, says in links.items())


def replay(client: httpx.Client, person: str, episode: int, start: str) -> dict[str, str]:
    """Return the names of the pages of one replay, a page for each action."""
    own = f"/admin/participants/{person}/replay?episode={episode}"
    found = re.search(r"After action \d+ of (\d+)", client.get(own).text)
    last = int(found[1]) if found else 0
    return {f"{own}&step={step}": f"{start}-{step:02}.html" for step in range(last + 1)}
