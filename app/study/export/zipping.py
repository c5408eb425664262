"""A ZIP file made while it is sent, without holding any part of it in memory."""

import io
import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime

LEVEL = 6  # compression level


class Pipe(io.RawIOBase):
    """Target of the zip module: it cannot seek, and hands out what was written so far."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting = bytearray()

    def writable(self) -> bool:
        """Return True: this is a writable file."""
        return True

    def write(self, data: object) -> int:
        """Keep bytes until they are taken."""
        piece = memoryview(data)  # type: ignore[arg-type]
        self._waiting += piece
        return piece.nbytes

    def take(self) -> bytes:
        """Return everything written since the last call."""
        found = bytes(self._waiting)
        self._waiting.clear()
        return found


def zipped(parts: Iterable[tuple[str, Iterable[bytes]]], now: datetime) -> Iterator[bytes]:
    """Yield the bytes of a ZIP file from (name, chunks of the content), also for large files.

    `now` is the time of all entries: the same parts at the same time give the same bytes.
    """
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        for name, chunks in parts:
            entry = zipfile.ZipInfo(name, now.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            with archive.open(entry, "w", force_zip64=True) as file:
                for chunk in chunks:
                    file.write(chunk)
                    if piece := pipe.take():
                        yield piece
    yield pipe.take()
