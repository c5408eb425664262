"""Signed tickets of consent pages."""

from datetime import timedelta

import pytest

from app.study.play import entry_ticket
from app.study.tickets import TICKET, TicketError, new_ticket
from tests.study.conftest import NOW

KEY = b"a key"


def test_own_ticket_is_accepted_for_a_day_and_fits_the_stored_form():
    ticket = entry_ticket.make(KEY, "s", NOW)
    assert TICKET.fullmatch(ticket)
    entry_ticket.check(KEY, "s", ticket, NOW + timedelta(hours=23))
    with pytest.raises(entry_ticket.OldTicketError):
        entry_ticket.check(KEY, "s", ticket, NOW + timedelta(hours=25))


def test_ticket_of_another_study_key_or_hand_is_refused():
    ticket = entry_ticket.make(KEY, "s", NOW)
    changed = ("B" if ticket[0] == "A" else "A") + ticket[1:]
    for slug, key, value in [
        ("t", KEY, ticket),
        ("s", b"another key", ticket),
        ("s", KEY, changed),
        ("s", KEY, ticket[:-1]),
        ("s", KEY, ticket + "AAAA"),
        ("s", KEY, new_ticket()),
        ("s", KEY, ""),
        ("s", KEY, "ä" * 36),
    ]:
        with pytest.raises(TicketError):
            entry_ticket.check(key, slug, value, NOW)
