"""Prices of models per million tokens, from a file of the operator or of a command."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.errors import StudyError

MILLION = 1_000_000
SHAPE = '{"MODEL": {"input": 0.25, "output": 2}}, per million tokens'
MOST = 1e9


class PriceFileError(StudyError):
    """The price file cannot be used."""

    code = "models/prices"


@dataclass(frozen=True, slots=True)
class Price:
    """Prices of a model per million tokens, in one currency."""

    input: float = 0.0
    output: float = 0.0

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return what these tokens cost."""
        return (prompt_tokens * self.input + completion_tokens * self.output) / MILLION


def read_prices(path: Path) -> dict[str, Price]:
    """Return every price in a file `{"<model>": {"input": 0.25, "output": 2}}`.

    Raises: PriceFileError: the file cannot be read, or a price in it is not a number from 0.
    """
    try:
        found: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8"))
        return {
            name: Price(amount(one["input"]), amount(one["output"])) for name, one in found.items()
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise PriceFileError(f"{path} is not a file of prices. Its form is {SHAPE}.") from error


def amount(value: Any) -> float:
    """Return an amount of money. Raises ValueError: it is negative, endless or no number."""
    found = float(value)
    if not 0 <= found <= MOST:
        raise ValueError
    return found


def find_price(path: Path, model: str) -> Price | None:
    """Return a model's price, or None if the file has none. Raises PriceFileError."""
    return read_prices(path).get(model)


def read_price(path: Path, model: str) -> Price:
    """Return a model's price. Raises PriceFileError, also if the file has none for the model."""
    found = find_price(path, model)
    if found is None:
        raise PriceFileError(f"{path} has no price for '{model}'. Its form is {SHAPE}.")
    return found
