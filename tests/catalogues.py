"""Collect every message of players' pages and bring the catalogues up to date: `make languages`.

New messages are empty in the catalogues until someone translates them; messages that no page says
any more are dropped. `tests/test_catalogues.py` fails while a catalogue is incomplete.
"""

import io
import re
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from app.game import say
from app.languages.catalogue import ENGLISH, LANGUAGES
from app.study.play import game_words
from app.web.spoken import script_messages

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "app" / "languages" / "catalogues"
PYTHON = {"phrase": None, "phrases": (1, 2)}
TEMPLATE = {"_": None, "_n": (1, 2)}
JINJA = {"silent": "false", "trim_blocks": "true", "lstrip_blocks": "true"}
NAME = re.compile(r"\{(\w+)\}")


def collected():
    """Return every message with the places where it is used."""
    found = Catalog(project="hjstudy", charset="utf-8", fuzzy=False)
    words = (message for _, message in say.WORDS.values())
    for message in (
        *words,
        say.ENDING.strip(),
        say.LAST_FAILURE,
        *game_words.WHOLE,
        *game_words.COMMANDS,
    ):
        found.add(message, locations=[("app/game/say.py", 0)])
    for path in sorted(ROOT.glob("app/**/*.py")):
        add_from(found, "python", path, PYTHON, {})
    for path in sorted(ROOT.glob("templates/**/*.html")):
        add_from(found, "jinja2.ext:babel_extract", path, TEMPLATE, JINJA)
    for message in script_messages():
        found.add(message, locations=[("static/app.js", 0)])
    return found


def add_from(found, method, path, keywords, options):
    """Add the messages of one file."""
    place = str(path.relative_to(ROOT))
    for _, message, _, _ in extract_from_file(method, path, keywords, (), options):
        found.add(message, locations=[(place, 0)])


def path_of(language):
    return FOLDER / f"{language}.po"


def stored(language):
    """Return a language's catalogue."""
    with path_of(language).open("rb") as source:
        return read_po(source, locale=language)


def update(language, template):
    """Add new messages to a catalogue and drop those that no page says any more."""
    catalogue = stored(language) if path_of(language).exists() else Catalog(locale=language)
    catalogue.project, catalogue.fuzzy = "hjstudy", False
    catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    out = io.BytesIO()
    write_po(out, catalogue, width=96, omit_header=False, include_lineno=False)
    text = re.sub(r'"(POT-Creation|PO-Revision)-Date[^\n]*\n', "", out.getvalue().decode())
    path_of(language).write_text(text, encoding="utf-8")


def main():
    template = collected()
    for language in LANGUAGES:
        if language != ENGLISH:
            update(language, template)


if __name__ == "__main__":
    main()
