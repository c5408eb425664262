"""Exports for researchers: single tables, or a bundle of all in a folder or ZIP file.

Everything is streamed from one snapshot, and the manifest is written last. IDs are the random
public ones; no column is for tokens, completion codes or platform IDs. Test participants and
practice episodes are left out unless included.
"""

import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from app.progress import Track, untracked
from app.store.db import Store
from app.store.export.dump import Scope
from app.store.play import participants
from app.study import id_key
from app.study.csv_text import harmless_cell
from app.study.design import studies
from app.study.design.studies import StudyView
from app.study.export import atomic_output, coarse, deidentify
from app.study.export.bundle import (
    Bundle,
    ExportedFile,
    ExportError,
    Options,
    check_counts,
    file_name,
)
from app.study.export.coarse import EXACT, Coarse
from app.study.export.columns import EXPORT_COLUMNS, TABLES
from app.study.export.encode import FORMATS, encoded, time_text
from app.study.export.rows import rows_of
from app.study.export.source import Source
from app.study.export.zipping import zipped


def stream_csv(
    store: Store,
    slug: str,
    table: str,
    flavour: str,
    *,
    include_test: bool = False,
    include_practice: bool = False,
) -> Iterator[bytes]:
    """Stream one table as a file in one of FORMATS. Raises NoStudyError at the first chunk."""
    with store.read() as db:
        study = studies.find(db, slug)
        scope = Scope(study.id, include_test=include_test, include_practice=include_practice)
        yield from encoded(rows_of(Source(db, study, scope), table), table, flavour)


@contextmanager
def opened(
    store: Store, slug: str, now: datetime, options: Options, track: Track = untracked
) -> Iterator[Bundle]:
    """Open a bundle on one snapshot. Raises NoStudyError, ExportError (no such format)."""
    if options.flavour not in FORMATS:
        raise ExportError(f"format: '{options.flavour}' is not one of {', '.join(FORMATS)}.")
    if not options.shareable and not options.coarse.is_plain:
        raise ExportError(coarse.ONLY_SHAREABLE)
    with store.read() as db:
        study = studies.find(db, slug)
        scope = Scope(
            study.id,
            include_test=options.include_test,
            include_practice=options.include_practice,
            is_shuffled=options.coarse.shuffled,
        )
        key = id_key.read(store)
        source = Source(
            db,
            study,
            scope,
            shareable=options.shareable,
            with_prompts=options.with_prompts,
            key=key,
            track=track,
        )
        coarse.check(source, options.coarse)
        yield Bundle(source, now, options, store.signing_key_path)


def number_of_tests(store: Store, slug: str) -> int:
    """Return how many test participants a study has. Raises NoStudyError."""
    with store.read() as db:
        return participants.number_of_tests(db, studies.find(db, slug).id)


def preview(db: Connection, study: StudyView, key: bytes, coarser: Coarse) -> dict[str, Any]:
    """Return the de-identification report of a shareable bundle. Raises CoarseError."""
    scope = Scope(
        study.id, include_test=False, include_practice=False, is_shuffled=coarser.shuffled
    )
    source = Source(db, study, scope, shareable=True, key=key)
    coarse.check(source, coarser)
    return deidentify.preview(source, coarser)


def export(
    store: Store,
    slug: str,
    out: Path,
    now: datetime,
    *,
    flavour: str = "csv",
    include_test: bool = False,
    include_practice: bool = False,
    shareable: bool = False,
    times: str = EXACT,
    coarsen: Sequence[str] = (),
    shuffle: bool = False,
    with_prompts: bool = False,
    track: Track = untracked,
) -> dict[str, Any]:
    """Write a bundle to the folder `out`, or to a ZIP file if it ends in .zip; return the manifest.

    The new bundle replaces an earlier one when it is complete; any other content is refused.
    `times`, `coarsen` and `shuffle`: see `coarse.read`. Raises NoStudyError, ExportError,
    CoarseError.
    """
    coarser = coarse.read(times, coarsen, shuffled=shuffle)
    options = Options(
        flavour, include_test, include_practice, shareable, coarser, with_prompts=with_prompts
    )
    with opened(store, slug, now, options, track) as bundle, naming_place(out):
        if out.suffix == ".zip":
            write_zip(bundle, out, now)
        else:
            write_folder(bundle, out)
        return bundle.manifest


def stream_zip(store: Store, slug: str, now: datetime, options: Options) -> Iterator[bytes]:
    """Stream a bundle as a ZIP file. Raises NoStudyError, ExportError at the first chunk.

    An incomplete one has no table of contents, so it cannot be opened.
    """
    with opened(store, slug, now, options) as bundle:
        yield from zipped(bundle.parts(), now)


@contextmanager
def naming_place(out: Path) -> Iterator[None]:
    """Turn file errors of the system into ExportError."""
    try:
        yield
    except (OSError, zipfile.LargeZipFile) as error:
        raise ExportError(
            f"out: cannot write to {out}: {getattr(error, 'strerror', error)}."
        ) from error


def write_folder(bundle: Bundle, out: Path) -> None:
    """Write the parts as files, the manifest last, to a folder that then replaces `out`."""
    with atomic_output.whole(out) as folder:
        for name, chunks in bundle.parts():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            with path.open("wb") as file:
                file.writelines(chunks)


def write_zip(bundle: Bundle, out: Path, now: datetime) -> None:
    """Write the parts to a ZIP file, which gets its name when complete."""
    with atomic_output.whole_file(out) as partial, partial.open("wb") as file:
        file.writelines(zipped(bundle.parts(), now))


__all__ = [
    "EXPORT_COLUMNS",
    "FORMATS",
    "TABLES",
    "ExportError",
    "ExportedFile",
    "Options",
    "check_counts",
    "export",
    "file_name",
    "harmless_cell",
    "preview",
    "stream_csv",
    "stream_zip",
    "time_text",
]
