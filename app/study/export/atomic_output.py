"""Write a folder or file atomically: it replaces an earlier bundle when complete, and never mixes.

While incomplete, it is next to its target as `NAME.partial-` and eight hex digits. Between two
renames, the bundle that it replaces is `NAME.former-...`. The next export removes what a killed
export left under such names, and restores a bundle that was already moved aside.
"""

import hashlib
import json
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from app.study.export.bundle import MANIFEST, ExportError

PARTIAL, FORMER = "partial", "former"
OURS = re.compile(rf"\.({PARTIAL}|{FORMER})-[0-9a-f]{{8}}")
ADVICE = "Choose an empty or new folder. Nothing was changed."


@contextmanager
def whole(out: Path) -> Iterator[Path]:
    """Yield an empty folder to write to; it becomes `out` when the block ends without an error.

    `out` must not exist, be empty, or contain only an earlier bundle; it is not changed before the
    end. Raises ExportError if it contains anything else, or if another export to the same place
    started in the meantime. Raises OSError.
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
            check_free(out)  # a file may have been added in the meantime
            exchange(partial, out)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


@contextmanager
def whole_file(out: Path) -> Iterator[Path]:
    """Yield a file to write to; it becomes `out` when the block ends without an error.

    Raises ExportError if another export to the same place started meanwhile. Raises OSError.
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
    """Raise ExportError, because a later export removed the incomplete output."""
    try:
        yield
    except FileNotFoundError as error:
        if partial.exists():
            raise
        raise ExportError(
            f"out: another export to {out} started while this one was running. "
            "This export wrote nothing."
        ) from error


def beside(out: Path, kind: str) -> Path:
    """Return an unused name next to `out`."""
    return out.with_name(f"{out.name}.{kind}-{secrets.token_hex(4)}")


def clear_up(out: Path) -> None:
    """Remove what a killed export left next to `out`; restore a bundle that it moved aside."""
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
    """Replace a folder with another. If that fails, the old one is kept or restored."""
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
    """Check that a folder contains nothing but a bundle. Raises ExportError."""
    if not out.exists():
        return
    if out.is_mount() or Path.cwd().is_relative_to(out):
        raise ExportError(
            f"out: {out} cannot be replaced, because it is a mount point, the current folder or "
            "a folder above it. Choose a folder inside it."
        )
    hashes = manifest_of(out)
    paths = (path for path in out.rglob("*") if path.is_symlink() or not path.is_dir())
    for name in sorted(path.relative_to(out).as_posix() for path in paths):
        if name not in hashes:
            raise ExportError(f"out: {out} contains {name}, which is not from an export. {ADVICE}")
    for name, sha256 in hashes.items():
        path = out / name
        if sha256 and path.is_file() and sha256_of(path) != sha256:
            raise ExportError(f"out: {name} in {out} was changed after the export. {ADVICE}")


def manifest_of(out: Path) -> Mapping[str, str]:
    """Return file -> sha256 of the bundle in a folder ('' for the manifest); empty without one."""
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
