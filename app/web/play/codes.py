"""How a page with a code says what to do with it: a link hands it in, or people do so by hand."""

from typing import Any

from app.languages.text import Text, phrase
from app.study.design.spec_parts import Codes

BY_HAND = phrase("Please paste this code where you found the study.")
BY_LINK = phrase(
    "Please use the button below: it takes you back to where you found the study and submits this "
    "code for you. If that does not work, paste the code there."
)
LINK_AND_HAND = phrase(
    "Please copy this code. The button below takes you back to where you found the study: paste "
    "the code there."
)
IF_ASKED = phrase("If you are asked for a code there, give this one.")
FAILED_BY_LINK = phrase(
    "To do so, you can use the button below: it takes you back to where you found the study, and "
    "says with this code that you did not pass the check."
)
SUBMIT, BACK = phrase("Submit the code"), phrase("Back to where you found the study")


def code_facts(
    codes: Codes, code: str, submit: Text = SUBMIT, *, asks_return: bool = False
) -> dict[str, Any]:
    """Return the code, its link with a label, and what to do with it (`hand_in`).

    Args:
        codes: of the study; its return address may pass the code on, or lack it.
        code: '' = none, and so no link.
        submit: label of a link that passes the code on.
        asks_return: people return the study on the platform, which may ask for a code.
    """
    link = codes.return_link(code)
    passes = bool(link) and codes.passes_on(code)
    if asks_return:
        hand_in = FAILED_BY_LINK if passes else IF_ASKED
    elif passes:
        hand_in = BY_LINK
    else:
        hand_in = LINK_AND_HAND if link else BY_HAND
    label = submit if passes else BACK
    return {"code": code, "return_url": link, "return_label": label, "hand_in": hand_in}
