"""hjstudy doctor: is this server ready for a study?"""

import sys

import typer

from app.cli.common import AsJson, show

WORDS = {"ok": "ok", "warning": "WARNING", "problem": "PROBLEM"}


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor")(doctor)


def doctor(*, json: AsJson = False) -> None:
    """Check whether a server is ready for a study. Exits with 1 on a problem."""
    from app import logs
    from app.settings import load_settings, names_in
    from app.store.db import Store
    from app.study.doctor import Place, examine

    settings = load_settings()
    logs.set_up(settings)
    files = (settings.id_key_path, settings.signing_key_path)
    proxies = tuple(names_in(settings.trusted_proxies))
    secure = bool(settings.secure_cookies)
    models = settings.model_endpoints, settings.model_prices
    place = Place(settings.data_dir, settings.base_url, secure, files, proxies, *models)
    store = Store(settings.database_url, write_timeout_s=settings.write_timeout_s)
    try:
        found = list(examine(store, place))
    finally:
        store.dispose()
    if json:
        show([one._asdict() for one in found])
    else:
        for one in found:
            typer.echo(f"{WORDS[one.state]:8} {one.name}: {one.text}")
    if any(one.state == "problem" for one in found):
        sys.exit(1)
