"""The documentation as tests read it: pages, their blocks, links, headings and commands."""

import re
import shlex
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import typer

from app import cli

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), *(ROOT / "tests").glob("*.md"), *ROOT.glob("*.md")])
BLOCK = re.compile(r"^```(?P<info>[^\n]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
LINK = re.compile(r"\]\(([^)\s]+)\)")
ELSEWHERE = re.compile(r"https://[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(/[\w./~%-]*)?(#[\w./-]+)?")
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
TITLE = re.compile(r'title="([^"]+)"')
OURS = ("hjstudy", ".venv/bin/hjstudy")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the rest of the fence's line, and its text."""

    language: str
    note: str
    text: str

    @property
    def title(self):
        """Return the name of the file that the block is; '' if it is none."""
        found = TITLE.search(self.note)
        return found[1] if found else ""

    def lines(self):
        """Return commands: joined where a line goes on, without comments."""
        joined = self.text.replace("\\\n", " ")
        lines = (re.sub(r"(^|\s)#.*", "", line).strip() for line in joined.splitlines())
        return [part.strip() for line in lines if line for part in line.split("&&")]


def name_of(page):
    return page.relative_to(ROOT).as_posix()


def blocks(page):
    """Return a page's fenced blocks."""
    found = BLOCK.finditer(page.read_text(encoding="utf-8"))
    infos = ((one["info"].partition(" "), one["text"]) for one in found)
    return [Block(info[0], info[2], text) for info, text in infos]


def prose(page):
    """Return a page's text without its fenced blocks."""
    return BLOCK.sub("", page.read_text(encoding="utf-8"))


def anchors(page):
    """Return the names of a page's headings, as they occur in links."""
    found = []
    for heading in HEADING.findall(prose(page)):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found.append(f"{name}-{found.count(name)}" if name in found else name)
    return found


def broken_links(page):
    """Return the links of a page that lead to no file or no heading here."""
    return [link for link in LINK.findall(SPAN.sub("", prose(page))) if not leads(page, link)]


def external_links():
    """Return the addresses elsewhere that pages link to."""
    links = {link for page in PAGES for link in LINK.findall(SPAN.sub("", prose(page)))}
    return sorted(link for link in links if ELSEWHERE.fullmatch(link))


def leads(page, link):
    address, _, anchor = link.partition("#")
    if re.match(r"[a-z]+:", address):
        return bool(ELSEWHERE.fullmatch(link))
    target = (page.parent / address).resolve() if address else page
    return target.exists() and (not anchor or anchor in anchors(target))


@cache
def root():
    """Return the command `hjstudy`; making it takes a tenth of a second."""
    return typer.main.get_command(cli.app)


def command_of(words):
    """Return the command that words name, and the words after its name. KeyError if none."""
    command, left = root(), list(words)
    while hasattr(command, "commands"):
        command = command.commands[left.pop(0)]
    return command, left


def is_group(name):
    """Tell whether there is a command, or a group of commands, of this name."""
    return name in vars(root())["commands"]


def words_of(line):
    """Return the words after `hjstudy`, or None if the line is for another program."""
    words = shlex.split(line)
    return words[1:] if words and words[0] in OURS else None
