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
from app.study.play import Table
from app.web import (
    account,
    adjudication,
    admin,
    agreement,
    annotators,
    comprehension,
    design,
    designboard,
    designfile,
    direct,
    entry,
    errors,
    explain,
    exports,
    game,
    hands,
    health,
    leave,
    modelresults,
    newstudy,
    pages,
    playback,
    player,
    process,
    questions,
    rate,
    rating,
    ratingfiles,
    ratingrounds,
    recruit,
    report,
    static_files,
    variants,
    watch,
)
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
    for part in (
        game,  # first: a command is most of what is asked, and routes are tried in order
        health,
        entry,
        player,
        process,
        leave,
        explain,
        questions,
        comprehension,
        direct,
        account,
        exports,  # before admin: its POST takes any word
        admin,
        recruit,
        annotators,
        rate,
        rating,
        ratingfiles,
        ratingrounds,
        agreement,
        adjudication,
        report,
        modelresults,
        hands,
        newstudy,
        designfile,  # before design: its page is no section
        design,
        designboard,
        variants,
        watch,
        playback,
    ):
        app.include_router(part.router)
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
