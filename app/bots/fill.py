"""Fill in the form of any page: something sensible in each field, other choices at each try."""

from collections.abc import Mapping

from app.bots.page import Form

NUMBERS = ("50", "1", "0", "18", "100")


def fill(form: Form, number: int, words: str, hints: Mapping[str, str]) -> dict[str, str]:
    """Return the fields to send for a form.

    Args:
        form: as the page shows it.
        number: 0 = first try; later tries choose differently where there is no hint.
        words: the text for text fields.
        hints: field name -> right answer.
    """
    sent = dict(form.fields)
    for name, attributes in form.typed.items():
        numeric = attributes.get("type") == "number" or attributes.get("inputmode") == "numeric"
        sent[name] = NUMBERS[number % len(NUMBERS)] if numeric else words
    spread = number
    for name, choice in form.choices.items():
        options = [option for option in choice.options if option]
        if options:
            sent[name] = options[spread % len(options)]
            spread //= len(options)
    sent |= {name: value for name, value in form.ticks.items() if name in form.must}
    sent |= {name: value for name, value in hints.items() if name in form.names()}
    if form.buttons:
        name, value = form.buttons[0]
        sent[name] = value
    return sent
