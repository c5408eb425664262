"""A certificate as JSON: the document of `variant certify`, stored with each variant."""

import json
from typing import Any

from app.game.certify import Certificate, certificate_to_dict, certify
from app.game.expectation import floors
from app.game.model import Variant


def certificate_dict(variant: Variant, certificate: Certificate | None = None) -> dict[str, Any]:
    """Return the certificate document of interface.md, in the variant's own words.

    `floors`: bot -> expected ECSR over the variant's gen cells (a float: no hash stands on it).
    """
    found = certificate or certify(variant)
    expected = {name: float(value) for name, value in floors(variant).items()}
    return {**certificate_to_dict(variant, found), "floors": expected}


def certificate_json(variant: Variant, certificate: Certificate | None = None) -> str:
    """Return the certificate document as JSON text."""
    return json.dumps(certificate_dict(variant, certificate), sort_keys=True, ensure_ascii=False)
