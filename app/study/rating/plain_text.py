"""Markdown, HTML, BBCode, LaTeX, wiki marks, JSON and symbols as plain lines of words.

Words, numbers, comparison signs, arithmetic and names with underscores stay.
"""

import json
import re
import unicodedata
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from app.study.rating.labels import is_label

TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′´", "'"),
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("\u00a0\u2007\u2009\u202f\t", " "),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad\ufe0e\ufe0f", ""),
        **dict.fromkeys("\u2028\u2029\u0085\u000b\u000c", "\n"),
        **dict.fromkeys("⇒⟹", "=>"),
        "…": "...",
        "≤": "<=",
        "≥": ">=",
        "≠": "!=",
        "×": "*",
        "÷": "/",
    }
)
BULLETS = "•‣⁃∙·◦∘"
SHAPES = (
    "ARROWHEAD",
    "POINTER",
    "BULLET",
    "SQUARE",
    "CIRCLE",
    "DIAMOND",
    "LOZENGE",
    "TRIANGLE",
    "STAR",
    "HEAVY CHECK",
)
YES, NO = "✓✔☑✅🗸🗹", "✗✘☒❌❎☐🗴🗵"
TASK = re.compile(r"(?m)^(\s*[-*+]\s+)\[([ xX])\]\s")
KEYCAP = re.compile(r"(\d)\u20e3\s*")
VOID = ("br", "hr", "wbr", "img", "li", "p", "tr", "td", "th", "dt", "dd")
INLINE_TAGS = {
    *("a", "abbr", "b", "big", "cite", "code", "em", "font", "i", "kbd", "mark", "q", "s", "samp"),
    *("small", "span", "strong", "sub", "sup", "tt", "u", "var"),
}
VALUE = r"""\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'|[^\s"'<>]+)"""
TAG = re.compile(rf"<(/?)([A-Za-z][\w-]*)(?:{VALUE})*\s*/?>")
BBCODE = re.compile(r"\[(\w+)(?:=[^\]\n]*)?\](.*?)\[/\1\]", re.DOTALL)
LATEX_SIGNS = {
    **dict.fromkeys(("rightarrow", "to", "longrightarrow", "mapsto"), "->"),
    **dict.fromkeys(("Rightarrow", "implies", "Longrightarrow"), "=>"),
    **dict.fromkeys(("times", "cdot"), "*"),
    **dict.fromkeys(("le", "leq"), "<="),
    **dict.fromkeys(("ge", "geq"), ">="),
    **dict.fromkeys(("ne", "neq"), "!="),
    **dict.fromkeys(("ldots", "dots"), "..."),
    **dict.fromkeys(("quad", "qquad"), " "),
    **dict.fromkeys(("bfseries", "itshape", "noindent", "centering", "displaystyle"), ""),
    **dict.fromkeys(("bf", "it", "sc", "rm", "tt", "em", "left", "right", "footnotesize"), ""),
    **dict.fromkeys(("tiny", "small", "normalsize", "large", "Large", "LARGE", "huge", "Huge"), ""),
    "div": "/",
    "lt": "<",
    "gt": ">",
    "pm": "+/-",
    "item": "\n- ",
    "par": "\n\n",
}
ENVIRONMENT = re.compile(r"\\(?:begin|end)\{[^{}]*\}(?:\[[^\]]*\])?")
FRACTION = re.compile(r"\\d?frac\{([^{}]*)\}\{([^{}]*)\}")
HEAD = re.compile(r"\\(?:chapter|(?:sub)*section|(?:sub)?paragraph|title)\*?\{([^{}]*)\}")
COMMAND = re.compile(r"(?<![\w\\])\\[A-Za-z]+\*?\{([^{}]*)\}")
SIGN = re.compile(r"(?<![\w:\\])\\([A-Za-z]+)(?![A-Za-z{])")
# Pandoc's rule, by which "$5 and $10" is money
MATH = re.compile(
    r"\$\$\s*(.+?)\s*\$\$|(?<![\w\\$])\$(?=[^\s$])([^$\n]*?)(?<=[^\s\\])\$(?!\d)", re.DOTALL
)
BRACKETS = re.compile(r"\\[()\[\]]")
KEPT = "\ue000"  # an asterisk of arithmetic; `symbols` drops such signs of the text's own
TIMES = re.compile(r"(?<=[\w)\]])\*+(?=[\w(\[])|(?<=\d)( ?)\*(?= ?\d)|(?<=\S )\*+(?=\s)")
MONEY = re.compile(r"\d[^\\]*\s[^\W\d_]{2}")  # "5 and 10" is no formula
MORE_THAN = re.compile(r"(?m)^(\s*)>(?=\s*\d+(?![.)\d]))")
RULE_LINE = re.compile(r"(?m)^[ \t]*([-*_=~+#])([ \t]*\1){2,}[ \t]*$")
WIKI = re.compile(r"(?m)^\s*(={2,6})\s*(.+?)\s*\1\s*$|'{2,5}(?=\S)(.+?)(?<=\S)'{2,5}")
LEFT_STARS = re.compile(r"(?<![\w)\s*])\*+(?!\*)|(?<=\s)\*+(?=[^\s\d*])")
EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|~~)(?=\S)(.+?)(?<=\S)\1(?!\w)")
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
MARKDOWN.disable(["code", "list", "html_block", "html_inline", "reference", "autolink"])


def lines(text: str) -> list[str]:
    """Return the words of a text, line by line, without marks of any of these notations."""
    text = from_json(symbols(text.translate(TYPOGRAPHY).replace("\r", "\n")))
    text = RULE_LINE.sub("\n", without_latex(without_tags(text)))
    text = WIKI.sub(lambda found: found[2] or found[3], text)
    text = TIMES.sub(lambda found: found[0].replace("*", KEPT), text)
    text = MORE_THAN.sub(r"\1\\>", text)
    found = "\n".join(words_of(MARKDOWN.parse(text))).replace("`", "")
    return [unmarked(line).replace(KEPT, "*") for line in found.split("\n")]


def symbols(text: str) -> str:
    """Return a text with arrows in ASCII and plain letters, without bullets, emoji, ornaments."""
    text = TASK.sub(lambda found: f"{found[1]}{'☐' if found[2] == ' ' else '☑'} ", text)
    both = all(any(sign in text for sign in kind) for kind in (YES, NO))
    text = KEYCAP.sub(r"\n\1. ", text)
    return "".join(symbol(sign, said=both) for sign in text)


def symbol(sign: str, *, said: bool) -> str:
    """Return a sign as it is shown; `said`: marks for yes and no differ, so they become words."""
    if sign < "\u0100" and sign != "·":
        return sign
    name, kind = unicodedata.name(sign, ""), unicodedata.category(sign)
    if said and sign in YES + NO:
        return "yes " if sign in YES else "no "
    is_shape = kind == "So" and any(shape in name for shape in SHAPES)
    if is_shape or sign in BULLETS + YES + NO:
        found = "\n- "
    elif "ARROW" in name and kind in {"So", "Sm"}:
        found = arrow(name) or sign
    elif name.startswith(("MATHEMATICAL ", "FULLWIDTH ")):
        found = unicodedata.normalize("NFKC", sign)
    elif kind == "No" and "CIRCLED" in name:
        found = f"\n{unicodedata.numeric(sign):.0f}. "
    else:
        found = " " if kind in {"So", "Sk", "Cs", "Co", "Cn"} else sign
    return found


def arrow(name: str) -> str:
    """Return an arrow's ASCII form by its Unicode name; '' for those without one."""
    if "LEFT RIGHT" in name:
        return "<->"
    stem = "=" if "DOUBLE" in name else "-"
    return f"{stem}>" if "RIGHT" in name else f"<{stem}" if "LEFT" in name else ""


def from_json(text: str) -> str:
    """Return the values of a JSON document, each on a line with its name; other texts unchanged."""
    inner = re.sub(r"^\s*```\w*\n(.*)\n```\s*$", r"\1", text, flags=re.DOTALL).strip()
    if inner[:1] not in {"{", "["}:
        return text
    try:
        return "\n\n".join(values(json.loads(inner)))
    except (ValueError, RecursionError):
        return text


def values(node: Any) -> Iterator[str]:
    """Return what a JSON value says, line by line."""
    if isinstance(node, dict):
        for name, value in node.items():
            found = list(values(value))
            yield from [f"{name}: {found[0]}", *found[1:]] if found else [name]
    elif isinstance(node, list):
        for value in node:
            yield from values(value)
    else:
        yield node if isinstance(node, str) else json.dumps(node)


class Words(HTMLParser):
    """Collects the words of HTML; tags of blocks become line breaks."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_starttag(self, tag: str, _attrs: object) -> None:
        """End the line before a block; list items keep a mark that goes with the lists'."""
        if tag in {"td", "th"}:
            self.found.append(" | ")
        elif tag not in INLINE_TAGS:
            self.found.append("\n- " if tag == "li" else "\n\n")

    def handle_endtag(self, tag: str) -> None:
        """End the line after a block."""
        if tag not in INLINE_TAGS and tag not in {"td", "th"}:
            self.found.append(" |\n\n" if tag == "tr" else "\n\n")

    def handle_data(self, data: str) -> None:
        """Keep words."""
        self.found.append(data)

    def handle_comment(self, data: str) -> None:
        """Keep words that HTML would hide."""
        self.found.append(data)


def without_tags(text: str) -> str:
    """Return a text without HTML and BBCode; `a<b and c>d` is a comparison, so it stays."""
    before = ""
    while before != text:
        before, text = text, BBCODE.sub(r"\2", text)
    closed = {found[2].lower() for found in TAG.finditer(text) if found[1]}
    tags = {
        found.start()
        for found in TAG.finditer(text)
        if found[1] or found[0].endswith("/>") or found[2].lower() in {*closed, *VOID}
    }
    comment = {found.start() for found in re.finditer(r"<!--(?=.*?-->)", text, re.DOTALL)}
    reader = Words()
    reader.feed(
        "".join(
            "&lt;" if sign == "<" and at not in tags | comment else sign
            for at, sign in enumerate(text)
        )
    )
    reader.close()
    return "".join(reader.found)


def without_latex(text: str) -> str:
    """Return a text without LaTeX's commands and marks of formulas, which keep their words."""
    if "\\" not in text and "$" not in text:
        return text
    text = HEAD.sub(r"\n\n\1\n\n", FRACTION.sub(r"(\1)/(\2)", ENVIRONMENT.sub("\n\n", text)))
    text = re.sub(r"\\\\(?=\s|$)", "\n", BRACKETS.sub(" ", text))
    before = ""
    while before != text:
        before, text = text, COMMAND.sub(r"\1", text)
    text = SIGN.sub(lambda found: LATEX_SIGNS.get(found[1], found[1]), text)
    return MATH.sub(formula, text)


def formula(found: re.Match[str]) -> str:
    """Return what stands between dollar signs, or all of it if it is an amount of money."""
    inner = found[1] or found[2] or ""
    return found[0] if MONEY.match(inner) else re.sub(r"([_^])\{(\w+)\}", r"\1\2", inner)


def words_of(tokens: list[Token]) -> Iterator[str]:
    """Return the words of Markdown's blocks, one line each; a table's row is one line."""
    table: list[list[str]] | None = None
    for token in tokens:
        if token.type == "table_open":
            table = []
        elif token.type == "tr_open" and table is not None:
            table.append([])
        elif token.type == "table_close" and table is not None:
            yield from rows(table)
            table = None
        elif token.type == "inline":
            said = spoken(token.children or [])
            if table is None:
                yield said
            else:
                table[-1].append(said.strip())
        elif token.type == "fence":
            yield token.content


def rows(table: list[list[str]]) -> Iterator[str]:
    """Return a table's rows, without numbers of rows and a head that says nothing of its own."""
    numbers = [str(at) for at in range(1, len(table))]
    if [row[0] for row in table[1:]] == numbers:
        table = [row[1:] for row in table]
    head, *body = table
    for row in body if all(is_label(cell) for cell in head) else table:
        yield ", ".join(filter(None, row))


def spoken(tokens: list[Token]) -> str:
    """Return the words of a paragraph."""
    return "".join(
        "\n" if token.type in {"softbreak", "hardbreak"} else token.content for token in tokens
    )


def unmarked(line: str) -> str:
    """Return a line without marks that Markdown leaves, in single blanks."""
    before = ""
    while before != line:
        before, line = line, LEFT_STARS.sub("", EMPHASIS.sub(r"\2", line))
    if line.strip().startswith("|") and line.strip().endswith("|"):
        line = ", ".join(cell.strip() for cell in line.split("|") if cell.strip())
    quoted = re.fullmatch(r"\s*\"([^\"]+)\"\s*", line)
    return " ".join((quoted[1] if quoted else line).split())
