"""A certificate as JSON: the document of `variant certify`, stored with each variant."""

import json
from fractions import Fraction
from typing import Any

from app.game.bots import floors
from app.game.certify import Certificate, certify, describe_output
from app.game.model import Variant


def number(value: Fraction | float) -> float:
    """Return a fraction as a plain number for JSON (certificates carry no hash)."""
    return float(value)


def certificate_dict(variant: Variant, certificate: Certificate | None = None) -> dict[str, Any]:
    """Return the certificate document of interface.md, in the variant's own words."""
    found = certificate or certify(variant)
    return {
        "unique": found.unique,
        "rules_consistent": found.rules_consistent,
        "cells": [
            {
                "class": variant.classes[cell.cell[0]],
                "role": variant.roles[cell.cell[1]],
                "predictions": [describe_output(variant, output) for output in cell.predictions],
                "truth": describe_output(variant, cell.truth),
            }
            for cell in found.cells
        ],
        "twins": [
            {"predictions": [describe_output(variant, output) for output in twin.predictions]}
            for twin in found.twins
        ],
        "rivals": [
            {
                "form": rival.form,
                "swapped": rival.swapped,
                "predictions": [describe_output(variant, output) for output in rival.predictions],
            }
            for rival in found.rivals
        ],
        "conditions": dict(found.conditions),
        "contextual_bias": number(found.contextual_bias),
        "share_determined": number(found.share_determined),
        "floors": {name: number(value) for name, value in floors(variant).items()},
    }


def certificate_json(variant: Variant, certificate: Certificate | None = None) -> str:
    """Return the certificate document as JSON text."""
    return json.dumps(certificate_dict(variant, certificate), sort_keys=True, ensure_ascii=False)
