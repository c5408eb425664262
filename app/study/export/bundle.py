"""A bundle: a study's tables as a Psych-DS dataset, file by file, the manifest last."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from app import __version__
from app.errors import StudyError
from app.store.export import dump
from app.study import code_version
from app.study.export import anchors, codebook, deidentify, describe, parity, remaining, signing
from app.study.export.coarse import Coarse, Coarsener
from app.study.export.columns import EXPORT_COLUMNS, FORMAT_VERSION, TABLES
from app.study.export.encode import SUFFIX, encoded, time_text
from app.study.export.release import FIELDS
from app.study.export.rows import count_of, rows_of
from app.study.export.source import Source

Part = tuple[str, Iterator[bytes]]  # name in the bundle, chunks of the content
PARITY = Path(__file__).parents[2] / "parity"
RECOMPUTE = {"recompute.py": "report.py", "recompute.R": "report.R"}  # name -> its source
PROGRAMS = {  # those that read a flavour; the Excel one changes text, so no report is made of it
    "csv": tuple(RECOMPUTE),
    "jsonl": ("recompute.py",),
    "excel": (),
}
NOT_IN_A_KEYWORD = re.compile(r"[^A-Za-z0-9]")
MANIFEST = "manifest.json"
SIGNED = "documentation/signed-manifest.json"  # full bundles only: its digests confirm guesses
IGNORED = f"{MANIFEST}\n"  # files for Psych-DS validators to ignore
STATES = ("unreviewed", "released", "withheld")


class ExportError(StudyError):
    """The export is not possible as requested, or differs from the database."""

    code = "export/failed"


@dataclass(frozen=True, slots=True)
class Options:
    """The options of an export.

    `shareable`: leave out free text that is not released. `coarse`: only for shareable ones.
    `with_prompts`: a shareable one has models' prompts and answers (a judge's never).
    """

    flavour: str = "csv"
    include_test: bool = False
    include_practice: bool = False
    shareable: bool = False
    coarse: Coarse = field(default_factory=Coarse)
    with_prompts: bool = False


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """One table of an export. `name`: its path in the bundle."""

    table: str
    name: str
    rows: int
    bytes: int
    sha256: str


def file_name(slug: str, table: str, flavour: str) -> str:
    """Return a table's file name for Psych-DS, which allows only letters and digits in values."""
    study, level = (NOT_IN_A_KEYWORD.sub("", name) for name in (slug, table))
    return f"study-{study}_level-{level}_data{SUFFIX[flavour]}"


class Watched:
    """Chunks of a file, counted and hashed as they pass."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks, self._sha = chunks, hashlib.sha256()
        self.bytes = 0

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            self._sha.update(chunk)
            self.bytes += len(chunk)
            yield chunk

    @property
    def sha256(self) -> str:
        """Return the hash of all chunks so far."""
        return self._sha.hexdigest()


class Counted:
    """Rows, counted as they pass, with the decisions about their texts."""

    def __init__(self, rows: Iterable[list[Any]], table: str) -> None:
        self._rows, self.count = rows, 0
        self.states: Counter[str] = Counter()
        names = [column.name for column in EXPORT_COLUMNS[table]]
        self._place = names.index("release") if table in FIELDS else None

    def __iter__(self) -> Iterator[list[Any]]:
        for row in self._rows:
            self.count += 1
            if self._place is not None:
                self.states[row[self._place]] += 1
            yield row


def check_counts(source: Source, files: Sequence[ExportedFile]) -> None:
    """Compare the number of rows written with the database. Raises ExportError."""
    for file in files:
        counted = count_of(source, file.table)
        if counted is not None and counted != file.rows:
            raise ExportError(
                f"{file.name} has {file.rows} rows, but the database counts {counted}. "
                "No manifest was written; please report this."
            )


class Bundle:
    """The parts of one export. Read each part to its end before the next."""

    def __init__(
        self, source: Source, now: datetime, options: Options, signing_key_path: Path
    ) -> None:
        self.source, self.now, self.options = source, now, options
        self.signing_key_path = signing_key_path
        self.files: list[ExportedFile] = []
        self.others: list[dict[str, Any]] = []
        self.texts: dict[str, dict[str, int]] = {}
        self.manifest: dict[str, Any] = {}
        self._coarsener = Coarsener(source, options.coarse)
        self._findings = (  # only the report of a shareable bundle needs them
            deidentify.Findings(source) if options.shareable else None
        )
        self._words = parity.Words()

    def parts(self) -> Iterator[Part]:
        """Yield every file of the bundle: tables, descriptions, the manifest."""
        for table in TABLES:
            yield from self.table(table)
        check_counts(self.source, self.files)
        for name, text in self.papers():
            yield from self.paper(name, text)
        self.manifest |= self.facts()
        text = json.dumps(self.manifest, indent=2, ensure_ascii=False) + "\n"
        yield MANIFEST, iter([text.encode()])

    def table(self, table: str) -> Iterator[Part]:
        """Yield one table and, in CSV format, the description of its columns."""
        name = "data/" + file_name(self.source.study.slug, table, self.options.flavour)
        tracked = self.source.track(
            rows_of(self.source, table), f"Writing the table {table}", count_of(self.source, table)
        )
        changed = self._coarsener.rows(table, self._words.rows(table, tracked))
        seen = changed if self._findings is None else self._findings.rows(table, changed)
        rows = Counted(seen, table)
        chunks = Watched(encoded(rows, table, self.options.flavour))
        yield name, iter(chunks)
        self.files.append(ExportedFile(table, name, rows.count, chunks.bytes, chunks.sha256))
        if table in FIELDS:
            self.texts[table] = {state: rows.states[state] for state in STATES}
        if self.options.flavour == "csv":
            sidecar = describe.as_json(describe.sidecar(table))
            yield from self.paper(name.removesuffix(".csv") + ".json", sidecar)

    def paper(self, name: str, text: str) -> Iterator[Part]:
        """Yield a small file and note its hash."""
        data = text.encode()
        sha = hashlib.sha256(data).hexdigest()
        self.others.append({"name": name, "bytes": len(data), "sha256": sha})
        yield name, iter([data])

    def papers(self) -> Iterator[tuple[str, str]]:
        """Yield (name, text) of the files that describe the tables."""
        study, facts = self.source.study, self.facts()
        yield "documentation/codebook.csv", codebook.as_csv()
        yield "documentation/codebook.json", describe.as_json(codebook.document())
        versions = {name: facts[name] for name in ("study", "format_version", "code_version")}
        certificate = parity.certificate(self._words, versions)
        yield "documentation/parity-certificate.json", describe.as_json(certificate)
        about = list[str]()
        if self._findings is not None:
            found = self._findings.facts(self.options.coarse)
            about = remaining.sentences(found)
            yield "documentation/deidentification.json", describe.as_json(found)
            yield "documentation/deidentification.md", remaining.markdown(found)
        else:
            key = signing.own_key(self.signing_key_path)
            signed = anchors.document(self.source.db, study, key, self.now)
            yield SIGNED, anchors.as_text(signed)
        yield "README.md", describe.readme(study, facts, about)
        yield "CHANGES.md", describe.changes(facts)
        for name in PROGRAMS[self.options.flavour]:
            yield f"analysis/{name}", (PARITY / RECOMPUTE[name]).read_text("utf-8")
        yield ".psychds-ignore", IGNORED
        yield "dataset_description.json", describe.as_json(describe.dataset(study, facts))

    def facts(self) -> dict[str, Any]:
        """Return the manifest's facts on everything written so far."""
        study, options = self.source.study, self.options
        return {
            "format_version": FORMAT_VERSION,
            "code_version": __version__,
            **code_version.git_state(),
            "schema_revision": dump.schema_revision(self.source.db),
            "study": study.slug,
            "study_kind": study.kind,
            "design_version": study.version,
            "main_rv": study.spec.options.main_rv,
            "format": options.flavour,
            "include_test": options.include_test,
            "include_practice": options.include_practice,
            "shareable": options.shareable,
            "coarse": asdict(options.coarse),
            "with_prompts": options.with_prompts or not options.shareable,
            "free_text": self.texts,
            "exported_at": time_text(self.now),
            "files": [asdict(file) for file in self.files],
            "other_files": list(self.others),
        }
