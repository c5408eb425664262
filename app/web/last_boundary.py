"""Whether a form with files has arrived to its end.

A form that ends in the middle of a file would otherwise be accepted without that part, and nobody
would close the part's temporary file.
"""

from python_multipart.multipart import parse_options_header

KEPT_BYTES = 1024  # of the end of a body; a boundary has at most 70 characters


class LastBoundary:
    """Watches a body for its last boundary. `kind`: the request's Content-Type."""

    def __init__(self, kind: str) -> None:
        name, options = parse_options_header(kind)
        boundary = options.get(b"boundary", b"")
        self._last = b"\r\n--" + boundary + b"--" if name == b"multipart/form-data" else b""
        self._end = b"\r\n"  # of what has arrived; a form without fields begins with its boundary

    def add(self, piece: bytes) -> None:
        """Take the next piece of the body."""
        if self._last:
            self._end = (self._end + piece[-KEPT_BYTES:])[-KEPT_BYTES:]

    def is_missing(self) -> bool:
        """Tell whether a form with files has not reached its last boundary."""
        return self._last not in self._end
