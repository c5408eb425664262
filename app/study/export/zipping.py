"""A zip file made as it is sent: no part of it is ever held whole."""

import io
import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime

LEVEL = 6  # of compression


class Pipe(io.RawIOBase):
    """What the zip module writes to: it cannot seek, and hands out what has come so far."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting = bytearray()

    def writable(self) -> bool:
        """Tell that it can be written to."""
        return True

    def write(self, data: object) -> int:
        """Keep some bytes until they are taken."""
        piece = memoryview(data)  # type: ignore[arg-type]
        self._waiting += piece
        return piece.nbytes

    def take(self) -> bytes:
        """Return what has come since the last time."""
        found = bytes(self._waiting)
        self._waiting.clear()
        return found


def zipped(parts: Iterable[tuple[str, Iterable[bytes]]], now: datetime) -> Iterator[bytes]:
    """Yield the bytes of a zip file of (name, pieces of the content), large ones too.

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
