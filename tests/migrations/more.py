"""Adds ratings, a model's run and a member to a database of earlier code.

`python tests/migrations/more.py DATABASE_URL`, with the code and the tests of that time in
PYTHONPATH. Fails where that code had no models, roles or rounds yet; see old.py.
"""

import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from app.main import create_app
from app.models.asker import Endpoint
from app.settings import Settings
from app.study.people import accounts
from app.study.tickets import new_ticket
from tests.models import played
from tests.own_forms import logged_in
from tests.rating_desk import Desk

SLUG, RATERS = "old", ("ann", "bob")
# what the run says that it sends, which the tests of that time did not send
vars(played)["Endpoint"] = partial(Endpoint, parameters={"temperature": 1.0})


def rate_all(desk):
    """Let both annotators rate all items of a round, and correct the first."""
    desk.models(4, seed=2)
    desk.judge({"m0": 1, "m1": 2})
    desk.open(RATERS)
    for number, name in enumerate(RATERS):
        browser = desk.browser(name)
        places = desk.places(name)
        for one in [*places, places[0]]:
            value = str((number + places.index(one)) % 3)
            browser.get(f"/rate/item/{one.token}").send("revision", value=value, comment="")
    desk.close(1)


def main(url):
    """Fill the study of old.py."""
    settings = Settings(database_url=url, data_dir=Path(url.partition("///")[2]).parent / "data")
    app = create_app(settings)
    try:
        owner = logged_in(app, settings, "owner", "researcher")
        played.play(app.state.server.store, SLUG, explains="none")
        rate_all(Desk(app, settings, SLUG))
        accounts.add(app.state.server.store, "vera", "researcher", datetime.now(UTC))
        added = owner.post(
            f"/admin/studies/{SLUG}/members",
            data={"name": "vera", "role": "viewer", "ticket": new_ticket()},
        )
        assert added.status_code < 400, added.text
    finally:
        app.state.server.store.dispose()


if __name__ == "__main__":
    main(sys.argv[1])
