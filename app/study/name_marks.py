"""Words of a text that may be names of people or places. A help for readers; it proves nothing.

Marked are words with a capital letter inside a sentence that the study's own texts do not use, what
follows "my name is", handles (@ada), and, however they are spelt, common given and family names.
The lists of names (of the US census, in zxcvbn, and MORE_NAMES) lack many. Ordinary words may be
marked. Words of the study's texts count as names only if they are on a list, because they may name
its researchers.
"""

import codecs
import re
import unicodedata
from collections.abc import Collection, Iterator
from functools import cache
from itertools import chain

from app.study.characters import as_latin, bare, visible
from app.study.more_names import MORE_NAMES
from app.study.readings import decoded

SHORTEST = 3  # letters of a name on the list
HIDDEN = 5  # letters of a name that is written backwards, in ROT13, or with digits for letters
CAPITAL_NOUNS = {"de"}  # languages in which capital letters say nothing
SAID = re.compile(
    r"(?:\bmy name(?: is|\u2019s|'s)|\bi am called|\bcall me|\bi live in|\bich hei(?:ß|ss)e|"
    r"\bmein name ist|\bich wohne in|\bاسمي|\bأسكن في)\s+((?:[^\W\d_]+[ -]?){1,2})",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|[-'\u2019](?=[^\W\d_]))*")
INSIDE = re.compile(r"[,;)\]]*[ \t]+[(\[]?")  # between two words of a sentence
ORDINARY = {
    *("i", "i'm", "i'd", "i'll", "i've", "ok", "mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    *("english", "prolific", "mturk", "google", "chrome", "firefox", "safari", "android"),
    *("don't", "guess"),  # on the lists
}


SPACED = re.compile(r"(?<!\w)[^\W\d_]([ .\-_])[^\W\d_](?:\1[^\W\d_])+(?!\w)")  # E r i k a
HANDLE = re.compile(r"(?<![\w@.])@[ ]?([^\W\d_][\w.]{2,})")
GLUED = re.compile(r"[-'\u2019]|(?<=[a-z])(?=[A-Z])")  # Anna-Lena, MustermannErika
WITH_DIGITS = re.compile(r"(?=[\w$]*\d)(?:\w|\$(?=\w))*[^\W\d_]\w*")
DIGIT = re.compile(r"\d")
LETTER_FOR = str.maketrans("01345789$", "oieastbgs")
GENITIVE = re.compile("(?<=..)s$")
MOST_KNOWN = 10_000  # words that are looked up once
FREQUENT = 5_000  # English words that end in s are no genitives


def words_of(text: str) -> Iterator[str]:
    """Yield the words of a text in small letters."""
    for found in WORD.finditer(unicodedata.normalize("NFC", text)):
        yield found[0].casefold().replace("\u2019", "'")


@cache
def common_names() -> frozenset[str]:
    """Return common given and family names, folded; zxcvbn lists no ordinary words among them."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # noqa: PLC0415 - large, and rarely needed

    lists = (FREQUENCY_LISTS[name] for name in ("female_names", "male_names", "surnames"))
    known = frozenset(name for names in lists for name in names if len(name) >= SHORTEST)
    return known | MORE_NAMES


@cache
def frequent_words() -> frozenset[str]:
    """Return the most frequent English words, of which some would be a name without their s."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # noqa: PLC0415 - large, and rarely needed

    return frozenset(list(FREQUENCY_LISTS["english_wikipedia"])[:FREQUENT])


@cache
def hidden_names() -> frozenset[str]:
    """Return common names backwards and in ROT13, without what is an English word."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # noqa: PLC0415 - large, and rarely needed

    long = [name for name in common_names() if len(name) >= HIDDEN and name.isascii()]
    turned = {name[::-1] for name in long} | {codecs.encode(name, "rot13") for name in long}
    return frozenset(turned - common_names() - set(FREQUENCY_LISTS["english_wikipedia"]))


def folded(text: str) -> str:
    """Return a text in small letters without accents and invisible characters."""
    return bare(text).casefold()


def is_common_name(word: str) -> bool:
    """Tell whether a word is a common name, or its genitive.

    `ue` may stand for `ü`, letters of other scripts for Latin ones, and names may be joined.
    """
    whole = {folded(word), folded(as_latin(word))}
    if not hidden_names().isdisjoint(whole):
        return True
    parts = {folded(as_latin(part)) for part in GLUED.split(word)} | {
        part for one in whole for part in GLUED.split(one)
    }
    parts |= {GENITIVE.sub("", part) for part in parts if part not in frequent_words()}
    return bool(common_names() & (parts | {umlauts(part) for part in parts}))


def umlauts(word: str) -> str:
    """Return a folded word with a, o, u for ae, oe, ue."""
    return re.sub("([aou])e", r"\1", word)


class NameMarker:
    """Finds words that may be names in texts of one study."""

    def __init__(
        self, own_words: Collection[str] = (), language: str = "en", said: Collection[str] = ()
    ) -> None:
        """`own_words`: of the game, in small letters; no names. `said`: of the study's texts."""
        self._game = ORDINARY.union(own_words)
        self._known = self._game.union(said)
        self._looks_at_capitals = language not in CAPITAL_NOUNS
        self._listed: dict[str, bool] = {}  # word -> whether it is on a list of names

    def marks(self, text: str) -> list[str]:
        """Return the words that may be names, each once, in the order in which they occur."""
        return list(dict.fromkeys(chain.from_iterable(map(self._marks, decoded(text)))))

    def _marks(self, text: str) -> list[str]:
        """Return the words of a decoded text that may be names."""
        text = visible(unicodedata.normalize("NFC", text))
        words = list(WORD.finditer(text))
        odd = {at for found in SAID.finditer(text) for at in word_starts(found)}
        if self._looks_at_capitals:
            odd |= set(self._odd(text, words))
        odd |= {word.start() for word in words if self._is_listed(word[0])}
        spelt = [one[0] for one in SPACED.finditer(text) if self._is_listed(letters(one[0]))]
        return [word[0] for word in words if word.start() in odd] + spelt + self._disguised(text)

    def _disguised(self, text: str) -> list[str]:
        """Return handles, and names with digits for letters."""
        found = []
        if "@" in text:
            found = [one[0] for one in HANDLE.finditer(text) if self._is_no_word(one[1])]
        for one in WITH_DIGITS.finditer(text) if DIGIT.search(text) else ():
            word = one[0].rstrip("0123456789")
            read = word.casefold().translate(LETTER_FOR)
            if read != word.casefold() and len(read) >= HIDDEN and self._is_listed(read):
                found.append(one[0])
        return found

    def _is_no_word(self, handle: str) -> bool:
        """Return whether what follows an @ is neither of the game nor an ordinary word."""
        plain = next(words_of(handle), "")
        return plain not in self._known and plain not in frequent_words()

    def _is_listed(self, word: str) -> bool:
        found = self._listed.get(word)
        if found is None:
            if len(self._listed) >= MOST_KNOWN:
                self._listed.clear()
            found = self._listed[word] = self._look_up(word)
        return found

    def _look_up(self, word: str) -> bool:
        plain = next(words_of(word), "")
        is_of_game = plain in self._game or GENITIVE.sub("", plain) in self._game
        return not is_of_game and is_common_name(word)

    def _odd(self, text: str, words: list[re.Match[str]]) -> Iterator[int]:
        """Yield where words start that have a capital letter for no reason that is known."""
        before = [None, *words][:-1]
        after = [*words, None][1:]
        for last, word, following in zip(before, words, after, strict=True):
            if not self._is_unknown(word[0]):
                continue
            is_inside = last and INSIDE.fullmatch(text[last.end() : word.start()])
            # "Erika Mustermann" at the start of a sentence
            is_first = following and text[word.end() : following.start()] == " "
            if is_inside or (is_first and following and self._is_unknown(following[0])):
                yield word.start()

    def _is_unknown(self, word: str) -> bool:
        is_name_like = word[0].isupper() and not word.isupper() and len(word) > 1
        return is_name_like and next(words_of(word)) not in self._known


def letters(text: str) -> str:
    """Return the letters of a text without what stands between them."""
    return "".join(filter(str.isalpha, text))


def word_starts(found: re.Match[str]) -> Iterator[int]:
    """Yield where the words of a match's group start in the text."""
    return (found.start(1) + word.start() for word in WORD.finditer(found[1]))
