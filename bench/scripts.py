"""What players send, made in advance: pages, commands and rule forms of a whole visit."""

from collections.abc import Iterator
from itertools import groupby, islice

from sqlalchemy import Connection

from app.game import world
from app.game.model import Variant
from app.store.base import AnyRow
from app.store.db import Store
from app.store.play import progress
from app.study.design.library import Library
from app.study.play import players
from app.study.tickets import new_ticket
from bench import stage
from bench.pacing import Request, Unit, Work, get, post
from bench.web import failures

COMMAND, PAGE, FORM = "command", "page", "form"
FAILING = 4  # actions of a first attempt that fails
OWN = {"sec-fetch-site": "same-origin"}
RULE = {"inputs": "beast and clan", "output": "the item", "how": "the beast decides"}
SCRIPT = {**OWN, "hx-request": "true"}


def visit(store: Store, library: Library) -> Work:
    """Enrol one more person; return their whole visit, with one failed attempt per guardian."""
    token = stage.enter(store, library)
    work = Work()
    with store.read() as db:
        rows = players.load(db, token).episodes
        for block, episodes in groupby(rows, lambda row: row.block_position):
            for row in episodes:
                work += guardian(db, library, token, row)
            work += rule_form(f"/p/{token}/world/{block + 1}/rule")
    return work


def guardian(db: Connection, library: Library, token: str, row: AnyRow) -> Iterator[Unit]:
    """Yield the page of an episode, and its commands."""
    path = f"/p/{token}/world/{row.block_position + 1}/guardian/{row.position + 1}"
    yield Unit(PAGE, (get(path),))
    variant = library.variant(db, row.variant_hash)
    for seq, line in enumerate(lines(variant, row.variant_episode), start=1):
        yield Unit(COMMAND, (fragment(path, seq, line),))


def lines(variant: Variant, index: int) -> list[str]:
    """Return an attempt that fails and one that succeeds."""
    found = [*islice(failures(variant, index), FAILING), *variant.episodes[index].solutions[0]]
    *_, (_, state, _) = world.replay(world.episode_world(variant, index), found)
    assert state.success
    return found


def fragment(path: str, seq: int, line: str) -> Request:
    """Return a command as htmx sends it: the response is a fragment that names the command."""
    return post(path, typed(seq, line), 200, header=b"\r\nx-seq: %d\r\n" % seq, sent=SCRIPT)


def plain(path: str, seq: int, line: str) -> Request:
    """Return a command as a form without JavaScript sends it: the response is a redirect."""
    return post(path, typed(seq, line), 303, sent=OWN)


def typed(seq: int, line: str) -> dict[str, str]:
    """Return the fields of the command's form."""
    form = {"seq": str(seq), "raw": line, "taps": "0"}
    return form | {"client_ms": "1795780800000", "think_ms": "2412"}


def rule_form(path: str) -> Iterator[Unit]:
    """Yield the page of a rule form, and the form."""
    yield Unit(PAGE, (get(path),))
    form = {"ticket": new_ticket(), **RULE}
    yield Unit(FORM, (post(path, form, 303, sent=OWN),))


def endless(store: Store, library: Library, kind: str, users: int, enough: int) -> list[Work]:
    """Return users with this many units together: failing attempts of one person after another.

    `kind`: command = a fragment, page = a plain form and the whole page after it.
    """
    crowd = [Work() for _ in range(users)]
    for work in crowd:
        while len(work) <= enough / users:
            work.extend(attempts(store, library, kind))
    return crowd


def attempts(store: Store, library: Library, kind: str) -> Iterator[Unit]:
    """Enrol one more person; yield what they send in their first episode, which stays open."""
    token = stage.enter(store, library)
    with store.read() as db:
        row = progress.to_play(db, token, 0, 0)
        assert row is not None
        variant = library.variant(db, row.variant_hash)
    path = f"/p/{token}/world/1/guardian/1"
    for seq, line in enumerate(failures(variant, row.variant_episode), start=1):
        if kind == COMMAND:
            yield Unit(kind, (fragment(path, seq, line),))
        else:
            yield Unit(kind, (plain(path, seq, line), get(path)))
