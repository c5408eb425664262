"""Files with keys: made once, readable by their owner only."""

import os
from pathlib import Path


def make_once(path: Path, content: bytes) -> None:
    """Write a file unless another process was first. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(opened, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
