"""The languages that a study can choose, and their catalogues (gettext, `catalogues/*.po`).

A language is offered only if its catalogue is complete; a test checks that. Catalogues are read
from their sources when a page first needs them, so nothing has to be compiled.
"""

import io
from dataclasses import dataclass
from functools import cached_property, lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib import resources
from typing import Any

from app.languages.amounts import Amount
from app.languages.moments import Moment
from app.languages.text import Number, Text, filled

ENGLISH = "en"


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its code in study files, its own name, `lang` and `dir` of its pages."""

    code: str
    name: str
    tag: str
    direction: str = "ltr"


LANGUAGES = {
    one.code: one
    for one in (
        Language(ENGLISH, "English", "en-GB"),
        Language("de", "Deutsch", "de"),
        Language("ar", "العربية", "ar", "rtl"),
    )
}


class Speech:
    """Puts sentences into one language."""

    def __init__(self, language: Language, translations: NullTranslations) -> None:
        self.language, self._translations = language, translations
        self.is_english = language.code == ENGLISH

    @cached_property
    def _numbers(self) -> Any:
        from babel import Locale, dates, numbers  # noqa: PLC0415 - English pages need no Babel

        return Locale.parse(self.language.code), dates, numbers

    def say(self, text: str) -> str:
        """Return a sentence in this language; a string that is no `Text` stays as it is."""
        if self.is_english or not isinstance(text, Text):
            return text
        if isinstance(text, Moment | Amount):
            return self._formatted(text)
        if text.parts:
            return text.separator.join(self.say(part) for part in text.parts)
        words = self.message(text.message, text.plural, text.values.get("n", 1))
        return filled(words, {name: self.value(v) for name, v in text.values.items()})

    def _formatted(self, text: Moment | Amount) -> str:
        """Return a time or an amount of money as this language writes it."""
        locale, dates, numbers = self._numbers
        if isinstance(text, Amount):
            number = numbers.format_decimal(text.cents / 100, "#,##0.00", locale=locale)
            return f"{number} {text.currency}"
        day = dates.format_date(text.at, "long", locale=locale)
        together = str(locale.datetime_formats["medium"])  # such as `{1}, {0}`
        return together.format(f"{text.at:%H:%M}", day)

    def message(self, message: str, plural: str = "", n: int = 1) -> str:
        """Return a message in this language, with the names of its values still in braces."""
        if plural:
            return self._translations.ngettext(message, plural, n)
        return self._translations.gettext(message) if message else ""

    def value(self, value: Any) -> Any:
        """Return a value as this language writes it."""
        if isinstance(value, Number) and self.is_english:
            return f"{value:,}"
        if isinstance(value, Number):
            locale, _, numbers = self._numbers
            return numbers.format_decimal(int(value), locale=locale)
        return self.say(value) if isinstance(value, str) else value


@lru_cache(maxsize=len(LANGUAGES))
def speech(code: str) -> Speech:
    """Return what puts sentences into a language; English if it is unknown."""
    language = LANGUAGES.get(code, LANGUAGES[ENGLISH])
    if language.code == ENGLISH:
        return Speech(language, NullTranslations())
    return Speech(language, translations_of(language.code))


def translations_of(code: str) -> NullTranslations:
    """Read a language's catalogue."""
    from babel.messages.mofile import write_mo  # noqa: PLC0415 - English pages need no Babel
    from babel.messages.pofile import read_po  # noqa: PLC0415

    source = resources.files("app.languages").joinpath("catalogues", f"{code}.po").read_bytes()
    compiled = io.BytesIO()
    write_mo(compiled, read_po(io.BytesIO(source), locale=code))
    compiled.seek(0)
    return GNUTranslations(compiled)
