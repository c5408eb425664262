"""The first three forms in which raters saw texts, for the rounds that opened with them.

They know lists of headings and of Markdown's marks. FIRST keeps list marks that follow a label,
SECOND knows English headings only.
"""

import re
from collections.abc import Iterable

from app.study.rating.player_items import EMPTY, NOT_KNOWN, PARTS

FIRST, SECOND, THIRD = "1", "2", "3"
TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′´", "'"),
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("\u00a0\u2007\u2009\u202f\t", " "),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", ""),
        "…": "...",
        "→": "->",
    }
)
FENCE = re.compile(r"^\s*(```|~~~).*$")
RULE_LINE = re.compile(r"^\s*([-*_=]\s*){3,}$|^\s*\|?[\s:|-]*--[\s:|-]*\|?\s*$")
MARK = re.compile(r"^\s*(#{1,6}\s+|>\s?|[-*+•‣◦]\s+|\(?\d{1,2}[.)]\s+)+")
LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|~~|`+)(?=\S)(.+?)(?<=\S)\1(?!\w)")
HEADINGS = (
    *(label for label, _ in PARTS),
    *("final answer", "answer", "explanation", "hypothesis", "rule", "the rule", "hidden rule"),
    *("summary", "input", "inputs", "output", "outputs", "how", "structure", "traits", "reasoning"),
)
GERMAN = (
    *("Welche Merkmale wichtig sind", "Was sie bestimmen", "Wie sie es bestimmen", "Regel"),
    *("die Regel", "verborgene Regel", "die verborgene Regel", "versteckte Regel", "Antwort"),
    *("endgültige Antwort", "Erklärung", "Hypothese", "Zusammenfassung", "Eingabe", "Eingaben"),
    *("Ausgabe", "Ausgaben", "wie", "Struktur", "Merkmale", "Begründung"),
)
ARABIC = (
    *("السمات المهمة", "ما الذي تحدده", "كيف تحدده", "القاعدة", "قاعدة", "القاعدة الخفية"),
    *("الإجابة", "الجواب", "الإجابة النهائية", "الشرح", "التفسير", "الفرضية", "الملخص"),
    *("المدخلات", "المخرجات", "كيف", "البنية", "السمات", "التعليل"),
)


def labels(names: Iterable[str]) -> re.Pattern[str]:
    """Return what finds a heading at the start of a line."""
    return re.compile(rf"^({'|'.join(map(re.escape, names))})(\s*:\s*|\s*$)", re.IGNORECASE)


LABEL = labels((*HEADINGS, *GERMAN, *ARABIC))
ENGLISH_LABEL = labels(HEADINGS)
END = re.compile(r"[.!?][\"')\]]*$")
SENTENCE = re.compile(r"(^|[.!?][\"')\]]*\s+)([^\W\d_])")


def neutral(text: str, version: str) -> str:
    """Return one paragraph of sentences, without labels, Markdown, line breaks and typography.

    Words, their order, numbers and other signs stay. '' stays ''. A text of headings alone keeps
    them.
    """
    lines = [plain_line(line, version) for line in text.translate(TYPOGRAPHY).splitlines()]
    kept = [line for line in lines if line and line != EMPTY] or [" ".join(text.split())]
    if len(kept) > 1 and kept[0] == NOT_KNOWN:
        kept = kept[1:]  # people can tick it beside a text, models cannot
    joined = " ".join(line if END.search(line) else closed(line) for line in kept if line)
    return SENTENCE.sub(lambda found: found[1] + found[2].upper(), joined)


def plain_line(line: str, version: str) -> str:
    """Return a line's words without its marks; '' if it has none."""
    if FENCE.match(line) or RULE_LINE.match(line):
        return ""
    line = LINK.sub(r"\1", MARK.sub("", line))
    before = ""
    while before != line:
        before, line = line, EMPHASIS.sub(r"\2", line)
    if line.count("|") > 1:
        line = ", ".join(cell.strip() for cell in line.split("|") if cell.strip())
    label = ENGLISH_LABEL if version in {FIRST, SECOND} else LABEL
    unlabelled = label.sub("", " ".join(line.split()))
    return unlabelled if version == FIRST else MARK.sub("", unlabelled)


def closed(line: str) -> str:
    """Return a line with a full stop instead of a comma, colon or nothing at its end."""
    return f"{line.rstrip(' ,;:-')}."
