"""Addresses: no two routers answer the same one, so the order of routers decides nothing."""

import re
from itertools import combinations

from app.web.routes import OPEN, STAFF

ROUTERS = OPEN + STAFF

PLACE = re.compile(r"{[^}]+}")


def addresses(router):
    """Return (methods, the address with something in each place, its pattern)."""
    return [
        (route.methods, PLACE.sub("something", route.path), route.path_regex)
        for route in router.routes
    ]


def test_routers_never_answer_the_same_address():
    shared = []
    for first, second in combinations(ROUTERS, 2):
        for methods, address, pattern in addresses(first):
            for other_methods, other, other_pattern in addresses(second):
                meets = pattern.match(other) or other_pattern.match(address)
                if meets and methods & other_methods:
                    shared.append((methods, address, other))
    assert shared == []
    assert len(ROUTERS) > 30
