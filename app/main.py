"""create_app: wires settings, store, templates, routes and guards together; nothing else."""

import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio.to_thread
from fastapi import FastAPI

from app import logs
from app.settings import Settings, load_settings
from app.store.db import Store
from app.study.play.commands import Table
from app.web import errors, pages, routes, static_files
from app.web.deps import Server
from app.web.guard import Guard, policy

HAND_OVER_S = 0.001


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the application, ready to serve."""
    settings = settings or load_settings()
    logs.set_up(settings)
    store = Store(
        settings.database_url,
        write_timeout_s=settings.write_timeout_s,
        threads=settings.threads,
    )

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = settings.threads
        if settings.htmx_source == "local":
            pages.local_htmx()  # say at the start, in words, if the package is missing
        yield
        store.dispose()

    app = FastAPI(
        title="hjstudy",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    env = pages.make_environment(settings.htmx_source)
    app.state.server = Server(settings, store, Table(store), env)
    for router in routes.ROUTERS:
        app.include_router(router)
    # Only files are compressed: a page holds a token beside what people type, and compressing
    # both together would let the length tell of the token.
    app.mount("/static", static_files.PreparedFiles(), name="static")
    errors.install(app)
    script = "" if settings.htmx_source == "local" else f" {pages.HTMX_URL}"
    app.add_middleware(
        Guard,
        csp=policy(script),
        body_limit=settings.body_limit_bytes,
        upload_limit=settings.upload_limit_bytes,
        secure=settings.secure_cookies,
    )
    return app


def served_app(settings: Settings | None = None) -> FastAPI:
    """Return the application of a process that does nothing but serve it.

    It answers at an even pace: what is loaded by now stays until the end, and the garbage collector
    need not go through it, which stops every answer for a tenth of a second; and a thread that
    works for long (a monitor's look, an export) hands over after a millisecond, not after five, as
    a command's thread waits its turn at each step of its transaction.
    """
    app = create_app(settings)
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(HAND_OVER_S)
    return app
