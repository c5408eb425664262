"""create_app: wires settings, store, templates, routes and guards together, nothing else."""

import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio.to_thread
from fastapi import FastAPI

from app import logs
from app.settings import Settings, load_settings, names_in
from app.store.db import Store
from app.study.agreement.cache import desk
from app.study.keys import Keys
from app.study.play.commands import Table
from app.study.play.prolific_token import KeySet
from app.study.pulse import Pulse
from app.web import api, errors, page_above, pages, routes, static_files
from app.web.body_clock import BodyClock
from app.web.deps import Server
from app.web.guard import Guard, policy
from app.web.models.agent_api import PREFIX
from app.web.oidc import Provider
from app.web.peer import Peer
from app.web.rates import Rates
from app.web.report import reports
from app.web.runner import Runner
from app.web.telemetry import FASTAPI_OFF, spans_to

HAND_OVER_S = 0.001
NEW_OBJECTS = 20_000  # between two looks for garbage; some hundred requests' worth


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the application, ready to serve."""
    settings = settings or load_settings()
    logs.set_up(settings)
    spans = spans_to(settings.otlp_endpoint)
    store = Store(
        settings.database_url,
        write_timeout_s=settings.write_timeout_s,
        threads=settings.threads,
        id_key_path=settings.id_key_path,
        signing_key_path=settings.signing_key_path,
    )

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = settings.threads
        if settings.htmx_source == "local":
            pages.local_htmx()  # reports a missing package at the start
        yield
        app.state.server.runner.stop()
        store.dispose()
        if spans is not None:
            await anyio.to_thread.run_sync(spans.end)

    app = FastAPI(
        title="hjstudy",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        telemetry=FASTAPI_OFF,
        redirect_slashes=False,  # the guard does it, without repeating a forged host
    )
    runner = Runner(settings, store)
    env = pages.make_environment(settings.htmx_source)
    parts = (Table(store), env, Pulse(store), Keys(store), runner, prolific_keys(settings))
    provider = Provider(settings) if settings.oidc_issuer else None
    app.state.server = Server(settings, store, *parts, provider=provider, rates=Rates(store))
    app.state.server.built.extend((reports.forget, desk.forget))
    routes.include(app)
    # Only files are compressed: a page holds a token next to what people typed, and compressing
    # both together would leak the token through the length.
    app.mount("/static", static_files.PreparedFiles(), name="static")
    app.mount(PREFIX, api.make_api(app.state.server), name="api")
    errors.install(app)
    page_above.install(app)
    script = "" if settings.htmx_source == "local" else f" {pages.HTMX_URL}"
    counts = app.state.server.counts
    app.add_middleware(Guard, csp=policy(script), settings=settings, counts=counts, spans=spans)
    app.add_middleware(BodyClock, timeout_s=settings.body_timeout_s)
    app.add_middleware(Peer, trusted_hosts=names_in(settings.trusted_proxies))  # the outermost
    return app


def prolific_keys(settings: Settings) -> KeySet | None:
    """Return the keys that check Prolific's signed links, or None. Raises KeySetError."""
    path = settings.prolific_keys
    return None if path is None else KeySet(path, settings.base_url)


def served_app(settings: Settings | None = None) -> FastAPI:
    """Return the application for a process that does nothing but serve it.

    Three measures keep response times even and short. Everything loaded by now is hidden from the
    garbage collector, which would otherwise stop all answers for a tenth of a second. It looks for
    garbage less often than by default, because a request leaves little that it has to find. And a
    busy thread (a monitor, an export) yields after one millisecond instead of five, because a
    command's thread waits for its turn at each step of its transaction.
    """
    app = create_app(settings)
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
    sys.setswitchinterval(HAND_OVER_S)
    return app
