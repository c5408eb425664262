"""The parity certificate: did people and models get the same words, and the same metrics?

Words are compared by their SHA-256, episode by episode. The metrics' code is hashed too: both
sides of a report are scored by it.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from app.study.export.columns import EXPORT_COLUMNS

METRICS = ("efficiency", "plays", "rv")  # modules of app.scoring that turn results into scores
SEEN = ("episode", "model_run", "model_episode", "model_result")
SAME, OTHER, UNPROVED, APART = (*("same words", "other words", "not proved", "no shared episode"),)
Row = Mapping[str, Any]
Key = tuple[str, int, str]  # variant, index of its episode, format


class Side(NamedTuple):
    """A model compared with people: how many episodes they share, and in which words.

    `words_people`, `words_model`: a digest over the words of all shared episodes (see `digest`).
    """

    label: str
    source: str
    run: int | None
    design_version: int | None
    episodes: int
    shared: int
    same: int
    other: int
    unknown: int
    words_people: str
    words_model: str

    @property
    def verdict(self) -> str:
        """Return what is proved, in words."""
        if not self.shared:
            return APART
        if self.same == self.shared:
            return SAME
        return OTHER if self.other else UNPROVED


class Words:
    """What the rows of an export say about the words of each episode, on both sides."""

    def __init__(self) -> None:
        self.people: dict[Key, set[str]] = defaultdict(set)
        self.models: dict[str, dict[Key, str]] = defaultdict(dict)
        self.sources: dict[str, str] = {}
        self.runs: dict[str, tuple[int, int]] = {}
        self.versions: set[int] = set()
        self.languages: set[str] = set()

    def rows(self, table: str, rows: Iterable[list[Any]]) -> Iterator[list[Any]]:
        """Yield the rows of a table, and note what is in them."""
        if table not in SEEN:
            yield from rows
            return
        names = [column.name for column in EXPORT_COLUMNS[table]]
        for row in rows:
            self.see(table, dict(zip(names, row, strict=True)))
            yield row

    def see(self, table: str, row: Row) -> None:
        """Note one row."""
        if table == "model_run":
            self.runs[row["label"]] = int(row["run"]), int(row["design_version"])
        elif table == "model_episode":
            self.models[row["label"]][key_of(row)] = row["words_hash"] or ""
        elif table == "model_result":
            self.sources[row["model"]] = row.get("source") or ""
            place = {**row, "variant_episode": int(row["episode_index"]) - 1}
            self.models[row["model"]].setdefault(key_of(place), "")
        elif row["kind"] == "main" and not row.get("is_test"):
            self.people[key_of(row)].add(row.get("words_hash") or "")
            if row.get("design_version") is not None:
                self.versions.add(int(row["design_version"]))
            if row.get("language"):
                self.languages.add(row["language"])

    def sides(self) -> list[Side]:
        """Return every model, in order of its name."""
        return [self.side(label) for label in sorted(self.models)]

    def side(self, label: str) -> Side:
        """Return one model compared with people."""
        own = self.models[label]
        run, version = self.runs.get(label, (None, None))
        shared = sorted(key for key in own if key in self.people)
        proved = [key for key in shared if own[key] and "" not in self.people[key]]
        same = sum(self.people[key] == {own[key]} for key in proved)
        counts = len(own), len(shared), same, len(proved) - same, len(shared) - len(proved)
        digests = (
            digest(sorted(self.people[key]) for key in shared),
            digest([own[key]] for key in shared),
        )
        return Side(label, self.sources.get(label, ""), run, version, *counts, *digests)

    def listed(self) -> list[dict[str, Any]]:
        """Return each episode that both sides have, with the hashes of its words."""
        shared = {key for own in self.models.values() for key in own if key in self.people}
        return [
            {
                **dict(zip(("variant_hash", "variant_episode", "format"), key, strict=True)),
                "participants": sorted(self.people[key]),
                "models": {
                    label: self.models[label][key]
                    for label in sorted(self.models)
                    if key in self.models[label]
                },
            }
            for key in sorted(shared)
        ]


def key_of(row: Row) -> Key:
    """Return what names an episode of a variant."""
    return row["variant_hash"] or "", int(row["variant_episode"]), row["format"] or ""


def digest(words: Iterable[Sequence[str]]) -> str:
    """Return the SHA-256 of the hashes of episodes' words, a line each; '' if one is not known.

    Args: words: the hashes of each episode, in order of variant, index and format; more than one
        if some people got other words than others. None at all = '' too.
    """
    known = list(words)
    if not known or not all(map(all, known)):
        return ""
    lines = "\n".join(" ".join(hashes) for hashes in known)
    return hashlib.sha256(lines.encode()).hexdigest()


def of_tables(tables: Mapping[str, Sequence[Row]]) -> Words:
    """Return what an export's tables say."""
    words = Words()
    for table in SEEN:
        for row in tables.get(table, ()):
            words.see(table, row)
    return words


@cache
def metric_files() -> Mapping[str, str]:
    """Return the SHA-256 of each file with the metrics' code."""
    folder = files("app.scoring")
    texts = {f"{name}.py": (folder / f"{name}.py").read_bytes() for name in METRICS}
    return {name: hashlib.sha256(text).hexdigest() for name, text in texts.items()}


def metric_code() -> str:
    """Return one SHA-256 of the metrics' code."""
    return hashlib.sha256("".join(metric_files().values()).encode()).hexdigest()


def certificate(words: Words, facts: Row) -> dict[str, Any]:
    """Return the certificate as one document. `facts`: study and versions to print."""
    sides = words.sides()
    return {
        **facts,
        "same": bool(sides) and all(one.verdict == SAME for one in sides),
        "metric_code": {"sha256": metric_code(), "files": dict(metric_files())},
        "participants": {
            "episodes": len(words.people),
            "design_versions": sorted(words.versions),
            "languages": sorted(words.languages),
        },
        "models": [{**one._asdict(), "verdict": one.verdict} for one in sides],
        "words": words.listed(),
    }
