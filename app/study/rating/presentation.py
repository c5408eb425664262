"""How raters see an explanation: in one form for every author, so that form identifies no one.

What was written stays as it is in `rating_item.text`; a round stores the version of this form when
it opens, or '' if its raters saw the texts as written. Any change needs a new version.
"""

import re

from app.study.rating import earlier_forms
from app.study.rating.labels import unlabelled
from app.study.rating.plain_text import lines
from app.study.rating.player_items import EMPTY, NOT_KNOWN

AS_WRITTEN, VERSION = "", "5"
FOURTH = "4"  # keeps marks on both sides of words, such as Org's /words/
EARLIER = (earlier_forms.FIRST, earlier_forms.SECOND, earlier_forms.THIRD)
PASSES = 8  # marks within marks
MARK = re.compile(r"^([-*+]+\s+)+|^[-*_=\s]{3,}$|^[^\w\s\"'()\[\]<>=+$-]+(\s+|$)")
COUNTS = {
    "number": (r"\d{1,2}", [str(n) for n in range(1, 101)]),
    "letter": ("[A-Za-z]", [*"abcdefghijklmnopqrstuvwxyz", ""]),
    "roman": (
        "[IVXivx]{1,4}",
        ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "_"],
    ),
}
# A sign on both sides of words; `a/b`, `x == y` and `c=d` have words or blanks beside it.
PAIR = re.compile(
    r"(?<![^\s(\"'])([/=~+^|:!%&]{1,3})(?=[\w\"'(])(.+?)(?<=[\w\"').!?])\1(?![^\s.,;:!?)\"'])"
)
WORD = re.compile(r"\w")
END = re.compile(r"[.!?][\"')\]]*$")
SENTENCE = re.compile(r"(^|[.!?][\"')\]]*\s+)([^\W\d_])")


def shown(text: str, version: str) -> str:
    """Return a text as raters of a round with that version of the form see it."""
    return text if version == AS_WRITTEN else neutral(text, version)


def neutral(text: str, version: str = VERSION) -> str:
    """Return one paragraph of sentences, without labels, markup, symbols and line breaks.

    Words, their order, numbers and other signs stay. '' stays ''. A text of headings alone keeps
    them.
    """
    if version in EARLIER:
        return earlier_forms.neutral(text, version)
    found = one_paragraph(text, version)
    for _ in range(PASSES):
        before, found = found, one_paragraph(found, version)
        if before == found:
            break
    return found


def one_paragraph(text: str, version: str) -> str:
    """Return a text without the outermost of its marks, in one paragraph."""
    plain = [line for line in lines(text) if line]
    if version != FOURTH:
        plain = [PAIR.sub(r"\2", line) for line in plain]
    if not any(map(WORD.search, plain)):
        return " ".join(text.split())
    kept = [line for line in map(bare, uncounted(plain)) if line and line != EMPTY]
    kept = uncounted(kept) or plain
    if len(kept) > 1 and kept[0].rstrip(".") == NOT_KNOWN.rstrip("."):
        kept = kept[1:]  # people can tick it beside a text, models cannot
    joined = " ".join(line if END.search(line) else closed(line) for line in kept if line)
    return SENTENCE.sub(lambda found: found[1] + found[2].upper(), joined)


def bare(line: str) -> str:
    """Return a line without list marks and labels; '' if it has nothing else."""
    return MARK.sub("", unlabelled(MARK.sub("", line)))


def uncounted(kept: list[str]) -> list[str]:
    """Return lines without their numbers and letters, where these count 1, 2, 3 or a, b, c."""
    for pattern, series in COUNTS.values():
        mark = re.compile(rf"(^|[.;:,!?]\s+)(?:\(({pattern})\)|({pattern})[.)])\s+")
        found = [(one[2] or one[3]).lower() for line in kept for one in mark.finditer(line)]
        at_start = any(map(mark.match, kept))
        if counts(found, series) and (len(found) > 1 or (at_start and found == ["1"])):
            kept = [mark.sub(r"\1", line) for line in kept]
    return kept


def counts(found: list[str], series: list[str]) -> bool:
    """Return whether values begin a series and each begins it again or follows an earlier one."""
    known = {series[0]}
    for value in found:
        if value not in known:
            return False
        known.add(series[series.index(value) + 1])
    return bool(found)


def closed(line: str) -> str:
    """Return a line with a full stop instead of a comma, colon or nothing at its end."""
    return f"{line.rstrip(' ,;:-')}." if line.rstrip(" ,;:-") else ""
