"""Timestamps (RFC 3161) of signed manifests, checked with the program `openssl`.

A timestamp service signs the digest of a file and its own time, so the file existed then.
"""

import re
import shutil
import subprocess
from pathlib import Path

from app.errors import StudyError

TIME = re.compile(r"^Time stamp: (.+)$", re.MULTILINE)
PATIENCE_S = 60


class TimestampError(StudyError):
    """A timestamp does not fit its file, or cannot be checked; the message says why."""

    code = "manifest/timestamp"


def check(file: Path, stamp: Path, authorities: Path) -> str:
    """Return the time at which a service saw the file, as it states it. Raises TimestampError.

    Args: stamp: the service's answer. authorities: certificates (PEM) of those we trust.
    """
    given = ("-data", file, "-in", stamp, "-CAfile", authorities)
    for path in (file, stamp, authorities):
        if not path.is_file():
            raise TimestampError(f"{path}: there is no such file.")
    done = openssl("-verify", *map(str, given))
    if done.returncode:
        why = reason(done.stderr)
        raise TimestampError(f"{stamp} is not a valid timestamp of {file}: {why}.")
    shown = openssl("-reply", "-in", str(stamp), "-text")
    found = TIME.search(shown.stdout)
    if found is None:
        raise TimestampError(f"{stamp} states no time.")
    return found[1]


def openssl(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `openssl ts`."""
    program = shutil.which("openssl")
    if program is None:
        raise TimestampError("Install the program openssl to check timestamps.")
    command = [program, "ts", *arguments]
    try:
        return subprocess.run(  # noqa: S603 - fixed options; the rest are files
            command, capture_output=True, text=True, check=False, timeout=PATIENCE_S
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise TimestampError(f"openssl could not run: {error}.") from error


def reason(errors: str) -> str:
    """Return openssl's own words for what is wrong: the last part of its last error."""
    parts = [line.split(":") for line in errors.splitlines() if "error:" in line]
    words = [part[5] for part in parts if len(part) > 5]  # noqa: PLR2004 - id, code, lib, func, why
    return words[0] if words else "openssl refuses it"
