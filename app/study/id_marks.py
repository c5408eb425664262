"""How IDs are found in texts: normalised pieces of an ID, compared with the pieces of a text.

A text is split into words of letters and digits, and the words are joined. An ID is found in any
case, with any spaces or punctuation between its characters. Long pieces count anywhere; short
ones only inside one word or from the start of a word to the end of a word, because they would
otherwise occur in every text. The pieces of deleted IDs are known only by their keyed hashes.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator
from hashlib import blake2b
from typing import NamedTuple

ANYWHERE, WORD, EDGES = "any", "word", "edges"  # where a piece counts
SHORTEST = 4  # characters of an ID; shorter ones would occur in every text
SHORTEST_NAME = 3  # letters of a part of an e-mail address
SHORTEST_NUMBER = 6  # digits of a part
LEAST_NUMBER = 10 ** (SHORTEST_NUMBER - 1)  # the smallest whole number with as many digits
LONG = 6  # characters from which a piece counts anywhere
PIECE = 16  # characters of an ID that are enough to recognise it
WORDS = re.compile(r"[^\W_]+")
ORDINARY = {"the", "and", "for", "mail", "info", "user", "test", "student", "participant", "study"}

AT = r"\s*(?:@|[\[({<]\s*at\s*[\])}>])\s*"
DOT = r"\s*(?:\.|[\[({<]\s*dot\s*[\])}>])\s*"
SPOKEN = r"\s+at\s+[\w-]+(?:\s+dot\s+[\w-]+)+"
EMAIL = re.compile(rf"[\w.+-]+(?:{AT}[\w-]+(?:{DOT}[\w-]+)+|{SPOKEN})", re.IGNORECASE)


class Piece(NamedTuple):
    """A normalised piece of an ID. `place`: ANYWHERE, WORD or EDGES."""

    place: str
    text: str


class HashedPiece(NamedTuple):
    """A stored piece of a deleted ID: where it counts, its length and its keyed hash."""

    place: str
    size: int
    digest: str


def words_of(text: str) -> list[str]:
    """Return the words of letters and digits, without accents and differences of case."""
    bare = unicodedata.normalize("NFKD", text).casefold()
    return WORDS.findall("".join(one for one in bare if not unicodedata.combining(one)))


def holds_email(text: str) -> bool:
    """Return whether a text has something in the form of an e-mail address, spelt out or not."""
    return EMAIL.search(unicodedata.normalize("NFKC", text)) is not None


def pieces_of(identifier: str) -> set[Piece]:
    """Return the pieces by which an ID or an e-mail address is recognised."""
    whole = "".join(words_of(identifier))
    local, is_email = identifier.rpartition("@")[::2] if "@" in identifier else ("", "")
    parts = words_of(local if is_email else identifier)
    shortest = SHORTEST_NAME if is_email else SHORTEST
    found = set(placed(whole)) if len(whole) >= SHORTEST else set()
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


def windows(text: str, wanted: Collection[tuple[str, int]]) -> Iterator[Piece]:
    """Yield the pieces of a text that have a wanted place and length."""
    words = words_of(text)
    joined, starts, ends, at = "".join(words), set[int](), set[int](), 0
    for word in words:
        starts.add(at)
        at += len(word)
        ends.add(at)
    for place, size in wanted:
        if place == WORD:
            for word in words:
                for here in range(len(word) - size + 1):
                    yield Piece(WORD, word[here : here + size])
        else:
            for here in range(len(joined) - size + 1):
                if place == ANYWHERE or (here in starts and here + size in ends):
                    yield Piece(place, joined[here : here + size])


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
        self._pieces = {piece for one in ids for piece in pieces_of(one)}
        self._key, self._hashes = key, frozenset(hashes)
        self._wanted = sorted({(one.place, len(one.text)) for one in self._pieces})
        self._wanted_hashes = sorted({(one.place, one.size) for one in self._hashes})

    def finds(self, text: str, least: int = 0) -> bool:
        """Return whether a text holds an ID; only pieces of at least `least` characters count."""
        wanted = [one for one in self._wanted if one[1] >= least]
        if any(piece in self._pieces for piece in windows(text, wanted)):
            return True
        hashes = [one for one in self._wanted_hashes if one[1] >= least]
        return any(hashed(self._key, piece) in self._hashes for piece in windows(text, hashes))

    def finds_number(self, number: int) -> bool:
        """Return whether a whole number holds the digits of an ID, leading zeros aside.

        Numbers below LEAST_NUMBER hold none, because shorter IDs would occur in them by chance.
        """
        if number < LEAST_NUMBER:
            return False
        text, sizes = str(number), {size for _, size in (*self._wanted, *self._wanted_hashes)}
        with_zeros = (text.zfill(size) for size in sizes if size > len(text))
        return self.finds(text, SHORTEST_NUMBER) or any(
            self.finds(one, len(one)) for one in with_zeros
        )
