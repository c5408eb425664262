"""The parameters of a study link, as links really arrive: any case, `&amp;` for `&`."""

from collections.abc import Iterable, Mapping

ENTITY = "amp;"  # what is left of `&amp;` in a link that was copied from HTML


def fold_name(name: str) -> str:
    """Return a parameter's name in the form used for comparison."""
    name = name.strip().casefold()
    while name.startswith(ENTITY):
        name = name.removeprefix(ENTITY)
    return name


class Parameters:
    """Looks parameters up by name; of several with one name, the last with a value counts."""

    def __init__(self, pairs: Mapping[str, str] | Iterable[tuple[str, str]]) -> None:
        """Take the query of an address or the fields of a form."""
        listed = list(pairs.items()) if isinstance(pairs, Mapping) else list(pairs)
        self._exact = {name: value.strip() for name, value in listed if value.strip()}
        self._folded = {fold_name(name): value for name, value in self._exact.items()}
        self._named = {fold_name(name) for name, _ in listed}

    def get(self, name: str) -> str:
        """Return a parameter's value without spaces around it, or ''."""
        return self._exact.get(name, "") or self._folded.get(fold_name(name), "")

    def __contains__(self, name: str) -> bool:
        """Tell whether a parameter is there, even if it is empty."""
        return fold_name(name) in self._named

    def values(self) -> list[str]:
        """Return all values that are not empty."""
        return list(self._exact.values())
