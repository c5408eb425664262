"""Strip indentation and line wrapping from templates, so that rendered pages have neither."""

import re
from collections.abc import Iterator

from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

# Browsers keep the whitespace inside these elements.
KEPT = re.compile(r"(</?(?:textarea|pre)\b)")
INDENTATION = re.compile(r"^[ \t]+")
BREAK = re.compile(r"(?P<before>>?)[ \t]*\n\s*(?P<after><?)")


class Unindented(Extension):
    """Drop indentation and wrapping from templates when they are compiled.

    Browsers collapse whitespace, so a page looks the same with a single character instead: a line
    break next to a tag, a space within a sentence.
    """

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """Yield the template's tokens, with indentation removed from its text."""
        is_kept = False
        before = None
        for token in stream:
            text = token.value
            if token.type == "data":
                if not is_kept and is_at_line_start(before):
                    text = INDENTATION.sub(" ", text)
                text, is_kept = without_breaks(text, is_kept=is_kept)
            before = token
            yield Token(token.lineno, token.type, text)


def is_at_line_start(before: Token | None) -> bool:
    """Tell whether text after this token starts a line; Jinja drops a break after a block."""
    return before is not None and before.type == "block_end" and before.value.endswith("\n")


def without_breaks(text: str, *, is_kept: bool) -> tuple[str, bool]:
    """Return text with each break as one character, and whether it ends inside a kept element."""
    parts = []
    for part in KEPT.split(text):
        if KEPT.fullmatch(part):
            is_kept = not part.startswith("</")
        parts.append(part if is_kept else BREAK.sub(one_character, part))
    return "".join(parts), is_kept


def one_character(found: re.Match[str]) -> str:
    """Return the replacement for a line break and the indentation after it."""
    before, after = found["before"], found["after"]
    return f"{before}\n{after}" if before or after else " "
