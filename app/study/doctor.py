"""What `hjstudy doctor` checks: whether a server is ready for a study, and what to do if not."""

import ipaddress
import shutil
import socket
import ssl
import stat
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, NamedTuple

import httpx

from app.addresses import is_local
from app.errors import HjstudyError
from app.paths import how_to_add
from app.store import health, migrate
from app.store.db import Store
from app.store.design import studies as study_rows
from app.store.models import runs
from app.store.play import checkup
from app.study import clock_check
from app.study.design import reference, sources, studies
from app.study.design.library import Library
from app.study.models import endpoints, prices

State = Literal["ok", "warning", "problem"]
GIB = 2**30
LITTLE, TOO_LITTLE = 2 * GIB, GIB // 4  # free bytes
SLOW_S = 0.5
WAIT_S = 5.0
SILENT = timedelta(days=7)
EXPIRES = timedelta(days=14)
HTTPS = 443


class Finding(NamedTuple):
    """The result of one check, with a sentence about it."""

    name: str
    state: State
    text: str


class Place(NamedTuple):
    """A server's own settings, as far as they matter here."""

    data_dir: Path
    base_url: str
    secure_cookies: bool
    key_files: tuple[Path, ...]
    trusted_proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    model_endpoints: str = ""
    model_prices: Path | None = None


def examine(store: Store, place: Place) -> Iterator[Finding]:
    """Run every check in turn. A check that fails is a problem, and the others go on."""
    looks: tuple[tuple[str, Callable[[], Finding]], ...] = (
        ("tables", lambda: tables(store)),
        ("writing", lambda: writing(store)),
        ("clock", lambda: clock(store)),
        ("disk", lambda: disk(place.data_dir, *beside(store))),
        ("keys", lambda: keys(place.key_files)),
        ("settings", lambda: settings(place)),
        ("reference", lambda: reference_package(store)),
        ("models", lambda: models_package(store, place.model_endpoints)),
        ("prices", lambda: model_prices(place.model_prices)),
        ("seats", lambda: seats(store, datetime.now(UTC))),
        ("data", lambda: data(store)),
        ("address", lambda: address(place)),
        ("certificate", lambda: certificate(place.base_url, datetime.now(UTC))),
    )
    for name, look in looks:
        try:
            yield look()
        except (HjstudyError, OSError) as error:
            yield Finding(name, "problem", getattr(error, "message", str(error)))


def tables(store: Store) -> Finding:
    """Compare the database's tables with this version's."""
    url = store.url.render_as_string(hide_password=False)
    found, newest = migrate.revision(url), migrate.head()
    if found == newest:
        return Finding("tables", "ok", f"The database has the newest tables ({newest}).")
    text = f"The database is at {found or 'no revision'}, not at {newest}. Run `hjstudy migrate`."
    return Finding("tables", "problem", text)


def writing(store: Store) -> Finding:
    """Write one row, as the health check does."""
    began = time.monotonic()
    with store.write() as db:
        health.put(db, datetime.now(UTC))
    took = time.monotonic() - began
    text = f"A write to the database took {took * 1000:.0f} ms."
    return Finding("writing", "warning" if took > SLOW_S else "ok", text)


def clock(store: Store) -> Finding:
    """Compare this machine's clock with the database's, with what is stored, and with its boot."""
    state, text = clock_check.check(store, datetime.now(UTC))
    return Finding("clock", state, text)


def beside(store: Store) -> tuple[Path, ...]:
    """Return the folder of a SQLite file, which may lie on another disk than the data folder."""
    return (Path(str(store.url.database)).parent,) if store.is_sqlite else ()


def disk(*folders: Path) -> Finding:
    """Check the free space where the server writes; tell the least of several folders."""
    whole = [one.absolute() for one in folders]
    there = [next(up for up in (one, *one.parents) if up.exists()) for one in whole]
    free, name = min((shutil.disk_usage(one).free, one) for one in there)
    text = f"{free / GIB:.1f} GiB are free in {name}."
    if free >= LITTLE:
        return Finding("disk", "ok", text)
    return Finding(
        "disk",
        "problem" if free < TOO_LITTLE else "warning",
        f"{text} Make room: without it, nothing can be stored.",
    )


def keys(files: tuple[Path, ...]) -> Finding:
    """Check that only the owner can read the key files."""
    found = [path for path in files if path.exists()]
    for path in found:
        mode = path.stat().st_mode
        if mode & (stat.S_IRWXG | stat.S_IRWXO):
            text = f"Others can read {path}. Run: chmod 600 {path}"
            return Finding("keys", "problem", text)
        path.read_bytes()
    names = ", ".join(path.name for path in found) or "none yet"
    return Finding("keys", "ok", f"Only the owner can read the key files ({names}).")


def settings(place: Place) -> Finding:
    """Look for settings that contradict each other."""
    if not place.data_dir.is_absolute():
        text = f"HJSTUDY_DATA_DIR is {place.data_dir}, which depends on where commands are started."
        return Finding("settings", "warning", f"{text} Set it to an absolute path.")
    if any(ipaddress.ip_network(one, strict=False).prefixlen == 0 for one in place.trusted_proxies):
        text = (
            "HJSTUDY_TRUSTED_PROXIES trusts every client, so anyone can choose their own address."
        )
        return Finding("settings", "problem", f"{text} List your proxies only.")
    if place.secure_cookies and place.base_url.startswith("http:"):
        text = (
            "HJSTUDY_SECURE_COOKIES is true, but HJSTUDY_BASE_URL is not https: no one can log in."
        )
        return Finding("settings", "problem", text)
    return Finding("settings", "ok", "The settings are consistent.")


def reference_package(store: Store) -> Finding:
    """Check that variants of the authors' package can be played in the studies that are open."""
    library, lacking = Library(), dict[str, str]()
    with store.read() as db:
        for slug in (one.slug for one in study_rows.listed(db) if one.state == "open"):
            study = studies.find(db, slug)
            theirs = [one for one in study.spec.cells() if one.source == sources.REFERENCE]
            for cell in theirs:
                why = reference.missing(library.variant(db, study.hashes[cell.key]))
                lacking |= {slug: why} if why else {}
    if not lacking:
        return Finding("reference", "ok", "Every open study has the packages that it needs.")
    names, (why, *_) = ", ".join(lacking), lacking.values()
    return Finding("reference", "problem", f"No one can play in {names}. {why}")


def models_package(store: Store, known: str) -> Finding:
    """Check that this server can ask models, if it has a reason to."""
    asked = len(endpoints.read(known))
    with store.read() as db:
        left = runs.number_open(db)
    if endpoints.can_ask() or not (asked or left):
        return Finding("models", "ok", "The package that asks models is installed, or not needed.")
    text = f"Model runs that are not finished: {left}. Endpoints for models: {asked}."
    fix = f"Install the package openai: {how_to_add('models')}"
    return Finding("models", "warning", f"{text} {fix}")


def model_prices(path: Path | None) -> Finding:
    """Check that the price file can be read, if there is one."""
    if path is None:
        return Finding("prices", "ok", "There is no price file, so runs of pages show no cost.")
    return Finding("prices", "ok", f"Models with a price: {len(prices.read_prices(path))}.")


def seats(store: Store, now: datetime) -> Finding:
    """Look for seats that should be free."""
    with store.read() as db:
        gone, silent = checkup.seats_of_the_gone(db), checkup.silent(db, now - SILENT)
    if gone:
        text = f"Participants who hold seats although their part is over: {gone}."
        return Finding("seats", "problem", f"{text} Run `hjstudy verify` and report it.")
    if silent:
        text = (
            f"Active participants who hold seats and sent nothing for {SILENT.days} days: {silent}."
        )
        return Finding("seats", "warning", f"{text} Keep `hjstudy sweep --every 5` running.")
    return Finding("seats", "ok", "No seat is held by someone who has been away for a week.")


def data(store: Store) -> Finding:
    """Look for people who finished without having played."""
    with store.read() as db:
        empty = checkup.finished_without_data(db)
    if empty:
        text = f"Participants who finished without an action or an answer: {empty}."
        return Finding("data", "problem", f"{text} Check them before you pay or analyse.")
    return Finding("data", "ok", "Everyone who finished has data.")


def certificate(url: str, now: datetime) -> Finding:
    """Check when the certificate of the public address expires."""
    target = httpx.URL(url)
    if target.scheme != "https":
        return Finding("certificate", "ok", "Not needed: the public address is not https.")
    place = (target.host, target.port or HTTPS)
    with (
        socket.create_connection(place, timeout=WAIT_S) as plain,
        ssl.create_default_context().wrap_socket(plain, server_hostname=target.host) as secure,
    ):
        found = dict(secure.getpeercert() or {})
    return expiry(
        datetime.fromtimestamp(ssl.cert_time_to_seconds(str(found["notAfter"])), UTC), now
    )


def expiry(end: datetime, now: datetime) -> Finding:
    """Judge when a certificate expires."""
    text = f"The certificate is valid until {end:%Y-%m-%d}."
    if end - now > EXPIRES:
        return Finding("certificate", "ok", text)
    return Finding("certificate", "warning", f"{text} Check that it is renewed.")


def proxy(url: str, answer: httpx.Response) -> Finding | None:
    """Say what is wrong with what the proxy passes on, or None."""
    seen = answer.headers.get("x-proxy", "")
    if seen == "ignored":
        text = "The server ignores what your proxy says about clients. Add the proxy's address to"
        return Finding("address", "problem", f"{url}: {text} HJSTUDY_TRUSTED_PROXIES.")
    if seen == "none" and url.startswith("https:"):
        text = "The proxy does not pass on clients' addresses. Let it send X-Forwarded-For."
        return Finding("address", "warning", f"{url}: {text}")
    return None


def address(place: Place) -> Finding:
    """Judge the public address, which is opened unless only this machine can do that."""
    if not is_local(place.base_url):
        return opened(place)
    text = f"{place.base_url} can be opened on this machine only. Set HJSTUDY_BASE_URL for a study."
    return Finding("address", "warning", text)


def opened(place: Place) -> Finding:
    """Open the health check under the public address, as a browser would."""
    url = place.base_url
    try:
        answer = httpx.get(f"{url}/healthz", timeout=WAIT_S)
        answers = answer.status_code == httpx.codes.OK and answer.json() == {"ok": True}
    except (httpx.HTTPError, ValueError) as error:
        return Finding("address", "problem", f"{url} cannot be opened: {error}.")
    if not answers:
        text = f"{url}/healthz answered {answer.status_code}. Is hjstudy running behind the proxy?"
        return Finding("address", "problem", text)
    return proxy(url, answer) or tls(place, answer)


def tls(place: Place, answer: httpx.Response) -> Finding:
    """Judge whether browsers reach the public address with TLS only."""
    url = place.base_url
    if not url.startswith("https:"):
        return Finding(
            "address", "warning", f"{url} answers, but without TLS: passwords can be read."
        )
    if "strict-transport-security" not in answer.headers or not place.secure_cookies:
        text = (
            f"{url} answers, but browsers may return without TLS. Set HJSTUDY_SECURE_COOKIES=true."
        )
        return Finding("address", "warning", text)
    return Finding("address", "ok", f"{url} answers, with TLS.")
