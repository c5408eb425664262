"""Checklist: whether the consent text is the researcher's own, complete, and true of the design."""

import re

from app.languages.amounts import money
from app.study.design.check_item import FINE, LOOK, RECRUITING, Check
from app.study.design.default_texts import is_default
from app.study.design.promises import amounts_in, is_foreign, paid, promised
from app.study.design.spec import StudySpec

TITLE, PATH = "Consent text", "texts.consent"
ADVICE = "Replace it with the text that your ethics board approved."
# `[name of the institution]`, but not a Markdown link or a footnote such as [1]
GAP = re.compile(
    r"\[[^\]\[\n]*[^\W\d][^\]\[\n]*\](?![(\[:])|<[a-z][a-z -]* (?:name|here|contact|institution)>"
    r"|\{[a-z_ ]+\}|\b(?:X{3,}|TODO|TBD|Lorem ipsum)\b|_{3,}"
)
MINUTES = re.compile(
    r"(?<![\d.,])(\d{1,3})\s?-?(?:min\b|minute|minuten|دقيقة|دقائق)", re.IGNORECASE
)
MOST_NAMED = 5


def consent(spec: StudySpec) -> Check:
    """Check that the consent text is the researcher's own, and fits the design."""
    text = spec.texts.consent
    if is_default("consent", text):
        found = (
            "This is the built-in text. It does not say who runs the study, at which institution, "
            "who approved it, or who will see the data."
        )
        return built_in(spec, "consent", TITLE, found, ADVICE)
    if problems := [*numbers_off(spec, text)]:
        advice = "Change the text, or the section of the design that it contradicts."
        return Check("consent", LOOK, TITLE, " ".join(problems), advice, PATH)
    return Check("consent", FINE, TITLE, "You wrote your own.")


def debrief(spec: StudySpec) -> list[Check]:
    """Check that the debrief is the researcher's own; [] if it is."""
    text = spec.texts.debrief
    if text and not is_default("debrief", text):
        return []
    found = (
        "This is the built-in text. It does not say what your study is about, or where its results "
        "can be read."
        if text
        else "Players read nothing at the end but their code."
    )
    advice = "Write what your ethics board asks for."
    return [built_in(spec, "debrief", "Debrief", found, advice)]


def built_in(spec: StudySpec, name: str, title: str, found: str, advice: str) -> Check:
    """Return the item for a text that no one has written yet; only people need their own."""
    if spec.kind not in RECRUITING:
        return Check(name, FINE, title, found)
    return Check(name, LOOK, title, found, advice, f"texts.{name}")


def numbers_off(spec: StudySpec, text: str) -> list[str]:
    """Return where a text names other minutes or more money than the design has."""
    own, minutes = spec.payment.currency, spec.texts.minutes
    due, found = paid(spec), []
    named = {int(one) for one in MINUTES.findall(text)}
    if named and minutes not in named:
        listed = ", ".join(map(str, sorted(named)))
        found.append(f"It names {listed} minutes, but the page says about {minutes}.")
    amounts = amounts_in(text)
    most = max((promised(one, minutes) for one in amounts), default=0)
    if any(is_foreign(one, own) for one in amounts):
        found.append(f"It names another currency than {own}.")
    elif most > due.high:
        pays = money(own, due.high)
        found.append(f"It names {money(own, most)}, but the pay section pays at most {pays}.")
    return found


def gaps(spec: StudySpec) -> list[Check]:
    """Look for places in the texts that are still to be filled in; [] if there are none."""
    texts = spec.texts
    for name in ("consent", "instructions", "debrief", "contact", "pay"):
        if found := list(dict.fromkeys(one[0] for one in GAP.finditer(getattr(texts, name)))):
            words = ", ".join(found[:MOST_NAMED]) + (" …" if len(found) > MOST_NAMED else "")
            said = f"Players would read these places as they are: {words}."
            return [
                Check("gaps", LOOK, "Places to fill in", said, "Fill them in.", f"texts.{name}")
            ]
    return []
