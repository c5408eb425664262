"""Amounts of money that players read."""

from app.languages.text import Text


class Amount(Text):
    """An amount of money; `currency` is its code, such as GBP."""

    currency: str
    cents: int


def money(currency: str, cents: int) -> Amount:
    """Return an amount, such as `GBP 4.00`."""
    text = Amount(f"{currency} {cents / 100:.2f}")
    text.currency, text.cents = currency, cents
    return text
