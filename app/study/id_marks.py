"""How IDs are found in texts: normalised pieces of an ID, compared with the pieces of a text.

A text is split into words of letters and digits, and the words are joined. An ID is found in any
case, with any spaces or punctuation between its characters. Long pieces count anywhere; short
ones only inside one word or from the start of a word to the end of a word, because they would
otherwise occur in every text. The pieces of deleted IDs are known only by their keyed hashes.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import NamedTuple

from app.study.characters import as_latin, bare
from app.study.readings import decoded

ANYWHERE, WORD, EDGES = "any", "word", "edges"  # where a piece counts
SHORTEST = 4  # characters of an ID; shorter ones would occur in every text
SHORTEST_NAME = 3  # letters of a part of an e-mail address
SHORTEST_NUMBER = 6  # digits of a part
LEAST_NUMBER = 10 ** (SHORTEST_NUMBER - 1)  # the smallest whole number with as many digits
LONG = 6  # characters from which a piece counts anywhere
PIECE = 12  # characters of an ID that are enough to recognise it
WORDS = re.compile(r"[^\W_]+")
ORDINARY = {"the", "and", "for", "mail", "info", "user", "test", "student", "participant", "study"}
# No one's ID, but in the form of one: digits among letters, such as 5f3c9a1b2d4e; or a UUID.
FORM_LENGTH, FORM_DIGITS, FORM_RUNS = 12, 3, 4
VERY_LONG = 20  # characters for which fewer runs of letters or digits are enough
RUNS = re.compile(r"[0-9]+|[a-z]+")
UMLAUT = re.compile("([aou])e", re.IGNORECASE)
AS_DIGITS = str.maketrans("oil", "011")
SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


class Piece(NamedTuple):
    """A normalised piece of an ID. `place`: ANYWHERE, WORD or EDGES."""

    place: str
    text: str


class HashedPiece(NamedTuple):
    """A stored piece of a deleted ID: where it counts, its length and its keyed hash."""

    place: str
    size: int
    digest: str


def listed(external_id: str, external_session: str, code: str) -> set[str]:
    """Return what to look for of a person on a platform's list.

    People enter anything as their code there ("none"), so only one with a digit counts.
    """
    is_code = len(code) >= LONG and any(map(str.isdigit, code))
    return {one for one in (external_id, external_session, code if is_code else "") if one}


def words_of(text: str) -> list[str]:
    """Return the words of letters and digits, without accents and differences of case."""
    return WORDS.findall(bare(text).casefold())


def readings(text: str) -> Iterator[list[str]]:
    """Yield the words of a text: as they are, decoded, and with Latin letters for similar ones."""
    for one in decoded(text):
        plain, latin = bare(one), similar(one)
        yield WORDS.findall(plain.casefold())
        if latin != plain:
            yield WORDS.findall(latin.casefold())


def with_digits(words: list[str]) -> list[str]:
    """Return words with 0 and 1 for the letters that look like them, in words with a digit."""
    return [word if word.isalpha() else word.translate(AS_DIGITS) for word in words]


def similar(text: str) -> str:
    """Return a bare text with Latin letters for similar ones, also for those that NFKD changes."""
    return text if text.isascii() else as_latin(bare(as_latin(text)))


def has_form_in(texts: Iterable[list[str]]) -> bool:
    """Return whether one of the words of a text's readings has the form of an ID."""
    return any(has_form(word) for words in texts for word in words if len(word) >= FORM_LENGTH)


def has_form(word: str) -> bool:
    """Return whether a word of small letters and digits has the form of an ID."""
    if len(word) < FORM_LENGTH or not word.isascii() or word.isalpha():
        return False
    digits = sum(map(str.isdigit, word))
    least = FORM_RUNS - 1 if len(word) >= VERY_LONG else FORM_RUNS
    return digits >= FORM_DIGITS and len(RUNS.findall(word)) >= least


def pieces_of(identifier: str) -> set[Piece]:
    """Return the pieces by which an ID or an e-mail address is recognised."""
    return {piece for one in spellings(identifier) for piece in pieces_as_written(one)}


def spellings(identifier: str) -> Iterator[str]:
    """Yield an ID, also with similar Latin letters, and a name in it with `ue` for `ü` or `u`."""
    yield identifier
    if not identifier.isascii():
        yield similar(identifier)
        yield unicodedata.normalize("NFC", identifier).translate(SPELT_OUT)
    elif not any(map(str.isdigit, identifier)):
        yield UMLAUT.sub(r"\1", identifier)


def pieces_as_written(identifier: str) -> set[Piece]:
    """Return the pieces of an ID, and the beginning of a long one read backwards."""
    whole = "".join(words_of(identifier))
    local, is_email = identifier.rpartition("@")[::2] if "@" in identifier else ("", "")
    parts = words_of(local if is_email else identifier)
    shortest = SHORTEST_NAME if is_email else SHORTEST
    found = set(placed(whole)) if len(whole) >= SHORTEST else set()
    if len(whole) >= PIECE:
        found.add(Piece(ANYWHERE, whole[: -PIECE - 1 : -1]))
    if is_email and len("".join(parts)) >= SHORTEST:
        found |= set(placed("".join(parts)))
    for part in parts:
        least = SHORTEST_NUMBER if part.isdigit() else shortest
        if part != whole and len(part) >= least and part not in ORDINARY:
            found.add(Piece(EDGES if len(part) < LONG else ANYWHERE, part[:PIECE]))
    return found


def placed(whole: str) -> Iterator[Piece]:
    """Yield the pieces of a whole ID: every run of PIECE characters, or all of a shorter one."""
    if len(whole) < LONG:
        yield from (Piece(place, whole) for place in (WORD, EDGES))
        return
    size = min(len(whole), PIECE)
    for at in range(len(whole) - size + 1):
        yield Piece(ANYWHERE, whole[at : at + size])


def windows(words: list[str], place: str, size: int) -> Iterator[str]:
    """Yield the pieces of a text's words that count in a place and have a length."""
    if place == WORD:
        for word in words:
            for here in range(len(word) - size + 1):
                yield word[here : here + size]
        return
    joined = "".join(words)
    if place == ANYWHERE:
        for here in range(len(joined) - size + 1):
            yield joined[here : here + size]
        return
    edges, at = {0}, 0
    for word in words:
        at += len(word)
        edges.add(at)
    for here in edges:
        if here + size in edges:
            yield joined[here : here + size]


def hashed(key: bytes, piece: Piece) -> HashedPiece:
    """Return what is stored of a piece."""
    text = f"{piece.place}/{piece.text}".encode()
    digest = blake2b(text, key=key, digest_size=16).hexdigest()
    return HashedPiece(piece.place, len(piece.text), digest)


class Finder:
    """Finds IDs in texts. `hashes`: of deleted IDs, made with `key`."""

    def __init__(
        self,
        ids: Collection[str] = (),
        key: bytes = b"",
        hashes: Collection[HashedPiece] = (),
    ) -> None:
        self._key = key
        plain = defaultdict[tuple[str, int], set[str]](set)
        secret = defaultdict[tuple[str, int], set[bytes]](set)
        for piece in {piece for one in ids for piece in pieces_of(one)}:
            plain[piece.place, len(piece.text)].add(piece.text)
        for one in hashes:
            secret[one.place, one.size].add(bytes.fromhex(one.digest))
        self._plain: Mapping[tuple[str, int], set[str]] = plain
        self._secret: Mapping[tuple[str, int], set[bytes]] = secret

    def finds(self, text: str, least: int = 0) -> bool:
        """Return whether a text holds an ID; only pieces of at least `least` characters count."""
        return any(self._finds_spelt(words, least) for words in readings(text))

    def identifies(self, text: str) -> bool:
        """Return whether a text holds an ID, or a word in the form of one, whoever's it is."""
        read = list(readings(text))
        if any(self._finds_spelt(words, 0) for words in read) or has_form_in(read):
            return True
        return UUID.search(bare(text)) is not None

    def _finds_spelt(self, words: list[str], least: int) -> bool:
        """Look for IDs in words as they are, and with digits for letters that look like them."""
        if self._finds(words, least):
            return True
        spelt = with_digits(words)
        return spelt != words and self._finds(spelt, least)

    def _finds(self, words: list[str], least: int) -> bool:
        for (place, size), known in self._plain.items():
            if size >= least and not known.isdisjoint(windows(words, place, size)):
                return True
        for (place, size), digests in self._secret.items():
            if size >= least and not digests.isdisjoint(self._hashed(words, place, size)):
                return True
        return False

    def _hashed(self, words: list[str], place: str, size: int) -> Iterator[bytes]:
        """Yield the digests of the pieces of a text, as `hashed` makes them."""
        begin = blake2b(f"{place}/".encode(), key=self._key, digest_size=16).copy
        for window in windows(words, place, size):
            digest = begin()
            digest.update(window.encode())
            yield digest.digest()

    def finds_number(self, number: int) -> bool:
        """Return whether a whole number holds the digits of an ID, leading zeros aside.

        Numbers below LEAST_NUMBER hold none, because shorter IDs would occur in them by chance.
        """
        if number < LEAST_NUMBER:
            return False
        text, sizes = str(number), {size for _, size in (*self._plain, *self._secret)}
        with_zeros = (text.zfill(size) for size in sizes if size > len(text))
        return self.finds(text, SHORTEST_NUMBER) or any(
            self.finds(one, len(one)) for one in with_zeros
        )
