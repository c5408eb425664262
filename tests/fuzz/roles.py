"""Which route a form belongs to, and which roles may not send it, as the tables of routes say."""

import re

from app.study.rights import Role, rights_of
from app.web.access import NEEDS
from tests.web.test_access import TABLE

OUTSIDER = ""  # a researcher who is a member of no study
FIELD = re.compile(r"\{\w+\}")
ROUTES = sorted(
    (row.removeprefix("POST ") for row in TABLE if row.startswith("POST ")),
    key=lambda path: len(FIELD.findall(path)),
)


def route_of(action):
    """Return the route that a form's address belongs to, or None."""
    path = action.partition("?")[0]
    return next((one for one in ROUTES if re.fullmatch(FIELD.sub("[^/]+", one), path)), None)


def without_right(action):
    """Return the roles that may not send a form to an address; none if every researcher may."""
    route = route_of(action)
    needed = NEEDS.get(f"POST {route}", ())
    if not needed:
        return []
    return [role for role in (OUTSIDER, *Role) if rights_of(role).isdisjoint(needed)]
