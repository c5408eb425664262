"""A folder or file that takes its place when it is whole: an earlier bundle is replaced, not mixed.

While it is written it stands beside its place as `NAME.partial-` and eight hex digits; the bundle
that it replaces is `NAME.former-...` for the moment between two renames. What a killed export left
under such a name goes with the next one; a bundle that it had already put aside comes back.
"""

import hashlib
import json
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from app.study.export.bundle import ExportError

MANIFEST = "manifest.json"
PARTIAL, FORMER = "partial", "former"
OURS = re.compile(rf"\.({PARTIAL}|{FORMER})-[0-9a-f]{{8}}")
ADVICE = "Choose an empty folder, or one that does not exist yet; nothing here was touched."


@contextmanager
def whole(out: Path) -> Iterator[Path]:
    """Yield an empty folder to write to; it becomes `out` when the block ends without an error.

    `out` does not exist, is empty, or holds an earlier bundle and nothing else; it stays as it was
    until the end. Raises ExportError: anything else is in it, or another export to the same place
    began meanwhile. Raises OSError.
    """
    out = out.resolve()
    out.parent.mkdir(parents=True, exist_ok=True)
    clear_up(out)
    check_free(out)
    partial = beside(out, PARTIAL)
    partial.mkdir()
    try:
        if out.exists():
            shutil.copymode(out, partial)
        with naming_overtaker(partial, out):
            yield partial
            check_free(out)  # somebody may have put a file there meanwhile
            exchange(partial, out)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


@contextmanager
def whole_file(out: Path) -> Iterator[Path]:
    """Yield a file to write to; it becomes `out` when the block ends without an error.

    Raises ExportError: another export to the same place began meanwhile. Raises OSError.
    """
    out = out.resolve()
    out.parent.mkdir(parents=True, exist_ok=True)
    clear_up(out)
    partial = beside(out, PARTIAL)
    try:
        with naming_overtaker(partial, out):
            yield partial
            partial.replace(out)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def naming_overtaker(partial: Path, out: Path) -> Iterator[None]:
    """Say why what was being written is gone: a later export cleared up. Raises ExportError."""
    try:
        yield
    except FileNotFoundError as error:
        if partial.exists():
            raise
        raise ExportError(
            f"out: another export to {out} began while this one ran, and took its place. "
            "Nothing of this one was written."
        ) from error


def beside(out: Path, kind: str) -> Path:
    """Return a name beside `out` that no other export has."""
    return out.with_name(f"{out.name}.{kind}-{secrets.token_hex(4)}")


def clear_up(out: Path) -> None:
    """Remove what a killed export left beside `out`; bring back a bundle that it put aside."""
    for path in sorted(out.parent.iterdir()):
        rest = path.name.removeprefix(out.name)
        found = OURS.fullmatch(rest) if rest != path.name else None
        if found is None:
            continue
        if found[1] == FORMER and not out.exists():
            path.rename(out)
        elif path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def exchange(partial: Path, out: Path) -> None:
    """Put a folder in the place of another. What is old stays, or comes back, if that fails."""
    if not out.exists():
        partial.rename(out)
        return
    former = beside(out, FORMER)
    out.rename(former)
    try:
        partial.rename(out)
    finally:
        if not out.exists():
            former.rename(out)
    shutil.rmtree(former)


def check_free(out: Path) -> None:
    """Check that a folder may be replaced: nothing but a bundle is in it. Raises ExportError."""
    if not out.exists():
        return
    if out.is_mount() or Path.cwd().is_relative_to(out):
        raise ExportError(
            f"out: {out} cannot be replaced as a whole: a disk begins there, or you are in it. "
            "Name a folder below it."
        )
    hashes = manifest_of(out)
    paths = (path for path in out.rglob("*") if path.is_symlink() or not path.is_dir())
    for name in sorted(path.relative_to(out).as_posix() for path in paths):
        if name not in hashes:
            raise ExportError(f"out: {out} holds {name}, which no export wrote there. {ADVICE}")
    for name, sha256 in hashes.items():
        path = out / name
        if sha256 and path.is_file() and sha256_of(path) != sha256:
            raise ExportError(f"out: {name} was changed after its export to {out}. {ADVICE}")


def manifest_of(out: Path) -> Mapping[str, str]:
    """Return file -> sha256 of the bundle in a folder, '' for the manifest; empty without one."""
    try:
        found = json.loads((out / MANIFEST).read_text("utf-8"))
        listed = [*found["files"], *found.get("other_files", ())]
        return {str(one["name"]): str(one["sha256"]) for one in listed} | {MANIFEST: ""}
    except (FileNotFoundError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def sha256_of(path: Path) -> str:
    """Return the hash of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
