"""House rules that linters do not check: rooms, sizes, comments of partials, contents of docs."""

import importlib
import importlib.util
import re
import tomllib
from pathlib import Path
from typing import Any

import typer

from app.settings import FOR_COMPOSE, FOR_TESTS, PREFIX, Settings, variable_names

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = ROOT / "templates"
LONGEST = {"python": 300, "page": 120, "partial": 80}  # lines
WIDEST = 120  # characters

ROOMS = ("design", "play", "people", "rating", "models", "agreement", "export", "report")
ROOMED = ("app/study", "app/web", "app/store", "templates", "tests/study", "tests/web")
SHARED_TEMPLATES = {"errors"}
MOST_TERMS = 30  # of the glossary
DOCS = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "tests/README.md")
NO_FILES = {"app/packed/", "store/..."}  # a folder of the wheel; codes of errors
PATH = re.compile(
    r"`((?:app|bench|templates|static|tests|docs|deploy|migrations|web|study|store|game|scoring)"
    r"/[^\s`]*?)(?:::\w+)?`"
)

INCLUDE = re.compile(r"""(?:{%-?\s*include\s+|{{-?\s*still\()["']([^"']+)["']""")
CONTRACT = re.compile(
    r"{# needs: .+? · root( ids?)?: (?P<root>.+?) · "
    r"(included by: (?P<included>[^;·]+?)|answer .+?)([;·] answer .+?)? #}"
)
VARIABLE = re.compile(rf"\b{PREFIX}[A-Z][A-Z_]*[A-Z]\b")


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def pages() -> list[Path]:
    return [path for path in TEMPLATES.rglob("*.html") if not path.name.startswith("_")]


def partials() -> list[Path]:
    found = TEMPLATES.rglob("_*.html")
    return sorted(path for path in found if path.name != "_macros.html")


def name_of(template: Path) -> str:
    return template.relative_to(TEMPLATES).as_posix()


def first_comment(template: Path) -> tuple[str, str]:
    """Return a template's leading comment, in one line, and what comes after it."""
    comment, end, rest = template.read_text(encoding="utf-8").partition(" #}\n")
    return " ".join((comment + end).split()), rest


def contracts() -> dict[str, re.Match[str]]:
    """Return partial -> its parsed first comment, without those that do not match."""
    found = {}
    for path in partials():
        match = CONTRACT.fullmatch(first_comment(path)[0])
        if match:
            found[name_of(path)] = match
    return found


def commands() -> set[str]:
    """Return every command as typed, such as `variant show`."""
    if importlib.util.find_spec("app.cli") is None:
        return set()
    parts = vars(importlib.import_module("app.cli")).values()
    root = next(part for part in parts if isinstance(part, typer.Typer))
    return names_below(typer.main.get_command(root), "")


def names_below(command: Any, name: str) -> set[str]:
    """`command` is a group or a command of Click, which Typer carries inside itself."""
    if not hasattr(command, "commands"):
        return {name}
    below = [names_below(part, f"{name} {key}".strip()) for key, part in command.commands.items()]
    return set().union(*below)


def docs() -> str:
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").rglob("*.md"))]
    return "\n".join([*texts, (ROOT / "README.md").read_text(encoding="utf-8")])


def documented_settings() -> dict[str, str]:
    """Return variable -> default, from the table in docs/operations.md."""
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(HJSTUDY_\w+)` \| (.*?) \|", text, re.MULTILINE)
    own = [(name, default) for name, default in rows if not name.startswith(FOR_TESTS)]
    return {name: default.strip("`") for name, default in own}


def folders(place: str) -> set[str]:
    found = (path.name for path in (ROOT / place).iterdir() if path.is_dir())
    return {name for name in found if not name.startswith("__")}


def rooms_in(place: str) -> set[str]:
    """Return the rooms of a layer: folders, or files of that name where a room has one file."""
    files = {path.stem for path in (ROOT / place).glob("*.py")}
    return (folders(place) | files) & set(ROOMS)


def is_there(named: str) -> bool:
    """Tell whether a path named in a document exists; `<room>` stands for any room."""
    pattern = re.sub(r"<[^>]*>", "*", named).rstrip("/")
    return any(next(base.glob(pattern), None) for base in (ROOT, ROOT / "app"))


def flat(text: str) -> str:
    return " ".join(text.split())


def test_folders_of_every_layer_are_rooms():
    odd = {place: folders(place) - set(ROOMS) - SHARED_TEMPLATES for place in ROOMED}
    assert {place: names for place, names in odd.items() if names} == {}


def test_use_cases_and_pages_have_every_room():
    """A layer may omit a room only if it would be empty."""
    assert {place: set(ROOMS) - rooms_in(place) for place in ROOMED} == {
        "app/study": set(),
        "app/web": set(),
        "app/store": {"agreement", "report"},  # they read what rating and export hold
        "templates": set(),
        "tests/study": {"models"},  # tested through their pages
        "tests/web": set(),
    }


def test_order_of_rooms_is_enforced_in_every_layer():
    found = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layers = {
        contract["containers"][0]: [re.split(r" \| ", line) for line in contract["layers"]]
        for contract in found["contracts"]
        if "containers" in contract
    }
    assert set(layers) == {"app.study", "app.web", "app.store"}
    for rows in layers.values():
        order = [name for row in reversed(rows) for name in sorted(row) if name in ROOMS]
        assert order == [room for room in ROOMS if room in order]


def test_docs_name_files_that_exist():
    """Tests may be named without their room: `test_named.py` checks those."""
    pages = [*(ROOT / page for page in DOCS), *(ROOT / "docs").rglob("*.md")]
    named = {
        (page.relative_to(ROOT).as_posix(), path)
        for page in pages
        for path in PATH.findall(page.read_text("utf-8"))
        if "test_" not in path and path not in NO_FILES
    }
    assert len(named) > 100
    assert sorted(pair for pair in named if not is_there(pair[1])) == []


def test_glossary_keeps_within_its_number_of_terms():
    terms = re.findall(r"^\| \*\*", (ROOT / "docs/glossary.md").read_text("utf-8"), re.MULTILINE)
    assert 20 < len(terms) <= MOST_TERMS


def test_python_files_keep_within_the_longest_length():
    """A program that readers get as one file may be longer."""
    files = [p for part in ("app", "tests", "bench") for p in (ROOT / part).rglob("*.py")]
    files = [p for p in files if p != ROOT / "app/parity/report.py"]
    assert {str(p): lines_of(p) for p in files if lines_of(p) > LONGEST["python"]} == {}


def test_templates_keep_within_the_longest_length():
    long = [p for p in pages() if lines_of(p) > LONGEST["page"]]
    assert long + [p for p in partials() if lines_of(p) > LONGEST["partial"]] == []


def test_templates_and_static_files_keep_within_the_widest_line():
    files = [*TEMPLATES.rglob("*.html"), *(ROOT / "static").iterdir()]
    wide = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > WIDEST
    ]
    assert len(files) > 90
    assert wide == []


def test_pages_say_in_line_one_what_they_need():
    assert [name_of(p) for p in pages() if not p.read_text("utf-8").startswith("{# needs: ")] == []


def test_links_that_look_like_buttons_are_buttons_to_the_keyboard_and_screen_readers():
    links = [
        (path.name, link)
        for path in TEMPLATES.rglob("*.html")
        for link in re.findall(r"<a\b[^>]*>", path.read_text("utf-8"))
        if re.search(r'class="button\b', link)
    ]
    assert len(links) > 20
    assert [one for one in links if 'role="button" draggable="false"' not in flat(one[1])] == []


def test_text_fields_begin_with_the_newline_that_html_drops():
    """Without it a field drops the first empty line of what a person typed."""
    found = {path: path.read_text() for path in TEMPLATES.rglob("*.html")}
    opened = {path: text.count("<textarea") for path, text in found.items()}
    kept = {path: len(re.findall(r">\n.*</textarea>", text)) for path, text in found.items()}
    assert sum(opened.values()) > 10
    assert kept == opened


def test_partials_say_in_line_one_what_they_need_their_root_and_who_includes_them():
    assert [name for name in map(name_of, partials()) if name not in contracts()] == []


def test_partials_carry_the_root_id_they_promise():
    wrong = []
    for name, match in contracts().items():
        root = match["root"].split(",")[0]
        text = first_comment(TEMPLATES / name)[1]
        if match[1] == " id" and root != "none" and f'id="{root}"' not in text:
            wrong.append(name)
    assert wrong == []


def test_partials_are_included_by_just_those_they_name():
    real: dict[str, set[str]] = {name: set() for name in contracts()}
    for path in TEMPLATES.rglob("*.html"):
        for included in INCLUDE.findall(path.read_text("utf-8")):
            real.setdefault(included, set()).add(name_of(path))
    named = {
        name: set((match["included"] or "").replace(" ", "").split(",")) - {""}
        for name, match in contracts().items()
    }
    assert named == real


def test_settings_stand_in_the_operations_page_with_their_defaults():
    defaults = {
        PREFIX + name.upper(): "" if field.default_factory else str(field.default).lower()
        for name, field in Settings.model_fields.items()
    }
    written = documented_settings()
    assert set(written) == set(defaults)
    assert {n: d for n, d in defaults.items() if d and written[n].lower() != d} == {}


def test_variables_that_docs_and_build_files_name_are_settings():
    texts = docs() + (ROOT / "Makefile").read_text("utf-8")
    named = {name.removesuffix("_FILE") for name in VARIABLE.findall(texts)}
    unknown = {name for name in named if not name.startswith(FOR_TESTS)} - set(variable_names())
    assert unknown - FOR_COMPOSE - {"HJSTUDY_X"} == set()  # X stands for any of them


def test_commands_stand_in_the_docs():
    text = docs()
    assert [name for name in sorted(commands()) if f"hjstudy {name}" not in text] == []
