"""A page of given size: plain text, one style sheet and one script."""

import os

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

HEAD = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bare</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/bare.css">
</head><body><main><h1>Bare</h1>"""
TAIL = '</main><script src="/bare.js" defer></script></body></html>'  # where our scripts are
PARAGRAPH = "<p>The quick brown fox jumps over the lazy dog, and over the fence behind it.</p>\n"


def filled(start: str, piece: str, size: int) -> bytes:
    """Return text of exactly this many bytes."""
    missing = max(0, size - len(start))
    return (start + piece * (missing // len(piece)) + " " * (missing % len(piece))).encode()


def create_app() -> Starlette:
    """Return the app. BENCH_BARE_SIZES: bytes of page, style sheet and script, comma-separated."""
    page, style, script = map(int, os.environ["BENCH_BARE_SIZES"].split(","))
    comment = "/* filler text that the browser downloads, reads and then ignores entirely */\n"
    html = filled(HEAD, PARAGRAPH, page - len(TAIL)) + TAIL.encode()
    css = filled("body { margin: 2rem }\n", comment, style)
    js = filled("'use strict';\n", comment, script)

    def get_page(_request: Request) -> Response:
        return Response(html, media_type="text/html; charset=utf-8")

    def get_style(_request: Request) -> Response:
        return Response(css, media_type="text/css")

    def get_script(_request: Request) -> Response:
        return Response(js, media_type="text/javascript")

    return Starlette(
        routes=[
            Route("/", get_page),
            Route("/bare.css", get_style),
            Route("/bare.js", get_script),
        ]
    )
