"""Scripts, styles and images: minified and compressed once at startup, then kept in memory."""

import gzip
import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import rcssmin
import rjsmin
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, PathLike, StaticFiles
from starlette.types import Scope

from app import paths

STATIC = paths.folder("static")
YEAR = "public, max-age=31536000, immutable"
MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
MINIFIERS: dict[str, Callable[[str], str]] = {".css": rcssmin.cssmin, ".js": rjsmin.jsmin}


@dataclass(frozen=True, slots=True)
class ServedFile:
    """A file as it is sent."""

    media_type: str
    plain: bytes
    gzipped: bytes
    digest: str

    def response(self, request: Headers) -> Response:
        """Return the file, compressed if the client accepts that."""
        vary = {"Vary": "Accept-Encoding"}
        if "gzip" not in request.get("accept-encoding", ""):
            headers = {"ETag": f'"{self.digest}"', **vary}
            return Response(self.plain, media_type=self.media_type, headers=headers)
        headers = {"ETag": f'"{self.digest}-gzip"', "Content-Encoding": "gzip", **vary}
        return Response(self.gzipped, media_type=self.media_type, headers=headers)


def prepare(path: Path) -> ServedFile:
    """Minify and compress a source file."""
    minify = MINIFIERS.get(path.suffix, str)
    plain = minify(path.read_text(encoding="utf-8")).encode()
    digest = hashlib.sha256(plain).hexdigest()[:12]
    return ServedFile(MEDIA_TYPES[path.suffix], plain, gzip.compress(plain, mtime=0), digest)


@lru_cache(maxsize=1)
def served_files() -> dict[str, ServedFile]:
    """Return every static file by name."""
    return {path.name: prepare(path) for path in sorted(STATIC.iterdir())}


def asset(name: str) -> str:
    """Return a static file's address with a hash of its content, so browsers can cache it."""
    return f"/static/{name}?v={served_files()[name].digest}"


class PreparedFiles(StaticFiles):
    """Find files as Starlette does, but send the prepared versions.

    Browsers may cache a file permanently if its address contains the hash of its content.
    """

    def __init__(self) -> None:
        super().__init__(directory=STATIC)
        served_files()  # before the first request, not during it

    def file_response(
        self,
        full_path: PathLike,
        stat_result: os.stat_result,  # noqa: ARG002 - part of the overridden signature
        scope: Scope,
        status_code: int = 200,  # noqa: ARG002 - as above
    ) -> Response:
        """Return the prepared file, or 304 if the browser already has it."""
        asked = Headers(scope=scope)
        answer = served_files()[Path(full_path).name].response(asked)
        has_hash = b"v=" in scope.get("query_string", b"")
        answer.headers["Cache-Control"] = YEAR if has_hash else "no-cache"
        if self.is_not_modified(answer.headers, asked):
            return NotModifiedResponse(answer.headers)
        return answer
