"""Certificates as JSON, as `variant certify` prints them and as stored with each variant."""

import json
from itertools import takewhile
from typing import Any

from app.game.certify import Certificate, certificate_to_dict, certify
from app.game.expectation import floors, prior_knowing_words
from app.game.model import Variant
from app.game.practice import practice_variant
from app.game.say import engine_name, is_worded_here
from app.game.variant import from_json

NONE = "{}"  # for the practice, whose rule players are told
LONGEST = 80  # characters of a value to show


def certificate_dict(variant: Variant, certificate: Certificate | None = None) -> dict[str, Any]:
    """Return the certificate document of interface.md, in the variant's own words.

    `floors`: bot -> expected ECSR over the variant's gen cells (a float; no hash depends on it).
    """
    found = certificate or certify(variant)
    expected = {name: float(value) for name, value in floors(variant).items()}
    return {**certificate_to_dict(variant, found), "floors": expected}


def certificate_json(variant: Variant, certificate: Certificate | None = None) -> str:
    """Return the certificate document as JSON text."""
    return as_stored(certificate_dict(variant, certificate))


def as_stored(found: dict[str, Any]) -> str:
    """Return a certificate document as JSON text, as it is stored."""
    return json.dumps(found, sort_keys=True, ensure_ascii=False)


def certificate_problem(content: str, stored: str) -> tuple[str, str] | None:
    """Return the stored and expected text where a certificate differs from a new proof.

    None: they agree, or the variant comes from another engine version. Certificates that were
    stored when the bot `prior` still knew what each word stands for keep that figure.
    `content`: canonical JSON of the variant.
    """
    variant = from_json(content)
    if not is_worded_here(engine_name(variant), variant.engine_version):
        return None
    if variant == practice_variant():
        return None if stored == NONE else first_difference(stored, NONE)
    found = certificate_dict(variant)
    expected = as_stored(found)
    if stored == expected:
        return None
    if variant.built:
        return first_difference(stored, expected)
    found["floors"]["prior"] = float(prior_knowing_words(variant))
    return None if stored == as_stored(found) else first_difference(stored, expected)


def first_difference(stored: str, expected: str) -> tuple[str, str]:
    """Return the first entry that differs in two unequal certificates, from both of them."""
    try:
        there, wanted = json.loads(stored), json.loads(expected)
        for name in sorted({*there, *wanted}):
            pair = tuple(f"{name}: {one.get(name, 'missing')}"[:LONGEST] for one in (there, wanted))
            if there.get(name) != wanted.get(name):
                return pair[0], pair[1]
    except (ValueError, TypeError, AttributeError):
        pass
    equal = (one == other for one, other in zip(stored, expected, strict=False))
    at = sum(takewhile(bool, equal))
    return f"character {at}: {stored[at:][:LONGEST]}", f"character {at}: {expected[at:][:LONGEST]}"
