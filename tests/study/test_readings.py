"""IDs, e-mail addresses, names and telephone numbers are found in the same encodings."""

import base64
import html
import time
from urllib.parse import quote

import pytest

from app.study.id_marks import Finder, hashed, pieces_of
from app.study.mail_marks import holds_email
from app.study.name_marks import NameMarker
from app.study.phone_marks import holds_phone
from app.study.readings import decoded

KEY = b"k" * 32
ID, SHORT, UMLAUT = "5f3c9a1b2d4e6f7a8b9c0d1e", "CQ7ZZ41X", "jörg.müller-lüdenscheidt"
KNOWN = (ID, SHORT, UMLAUT)
FINDERS = (
    Finder(KNOWN),
    Finder((), KEY, [hashed(KEY, piece) for one in KNOWN for piece in pieces_of(one)]),
)
FINDS = {
    "stored ID": (FINDERS[0].finds, KNOWN),
    "deleted ID": (FINDERS[1].finds, KNOWN),
    "e-mail address": (holds_email, ("gudrun@uni-y.example", "öz@uni.example")),
    "telephone number": (holds_phone, ("+49 171 5550199", "0171/555-0199", "01715550199")),
    "name": (NameMarker().marks, ("erika", "Erika Mustermann", "jürgen müller")),
}


def base(text):
    return base64.b64encode(text.encode()).decode()


ENCODINGS = {
    "as it is": str,
    "address": quote,
    "every byte of an address": lambda text: "".join(f"%{one:02X}" for one in text.encode()),
    "address, twice": lambda text: quote("".join(f"%{one:02X}" for one in text.encode())),
    "HTML": lambda text: "".join(f"&#{ord(one)};" for one in text),
    "HTML, hexadecimal": lambda text: "".join(f"&#x{ord(one):x};" for one in text),
    "named HTML": lambda text: html.escape(text).replace("@", "&commat;").replace("ü", "&uuml;"),
    "base64": base,
    "base64 without the end": lambda text: base(text).rstrip("="),
    "base64 for addresses": lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
    "base64 after a dash": lambda text: f"group-{base(text)}",
    "base64, twice": lambda text: base(base(text)),
    "base64 of an address": lambda text: base("".join(f"%{one:02X}" for one in text.encode())),
    "base32": lambda text: base64.b32encode(text.encode()).decode(),
    "base32 in small letters": lambda text: base64.b32encode(text.encode()).decode().lower(),
    "hexadecimal": lambda text: text.encode().hex(),
    "hexadecimal with blanks": lambda text: text.encode().hex(" "),
    "hexadecimal with colons": lambda text: text.encode().hex(":").upper(),
    "bytes": lambda text: "".join(f"\\x{one:02x}" for one in text.encode()),
    "bytes with 0x": lambda text: " ".join(f"0x{one:02x}" for one in text.encode()),
    "quoted-printable": lambda text: "".join(f"={one:02X}" for one in text.encode()),
    "code points": lambda text: "".join(f"\\u{ord(one):04x}" for one in text),
    "code points with U+": lambda text: " ".join(f"U+{ord(one):04X}" for one in text),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("kind", FINDS)
def test_everything_is_found_in_every_encoding(kind, encoding):
    finds, secrets = FINDS[kind]
    typed = [f"see {ENCODINGS[encoding](secret)} there" for secret in secrets]
    assert [text for text in typed if not finds(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        *("", "the guardian looks at the class", "check_location go-to-shop", "100 % & more"),
        *("class A1 = role B2, x=10", "12 34 56 78 90", "IT IS NOT THE CLAN", "GuardianClass"),
        *("sell 0x2 blades", "a\\b", "\\u12", "U+", "%zz", "&nothing;", "unsystematically so"),
    ],
)
def test_ordinary_texts_say_nothing_else(text):
    said = list(decoded(text))
    assert said[0] == text
    assert not any(NameMarker().marks(one) or holds_phone(one) for one in said)


def test_time_grows_with_the_text_only():
    took = []
    for size in (20_000, 80_000):
        began = time.process_time()
        for text in ("%41", "RXJpa2E=", "41 42 ", "\\x41", "U+0041", "&#65;", "aB3-", "=41"):
            assert list(decoded(text * size))
        took.append(time.process_time() - began)
    assert took[1] < 12 * took[0] + 1
