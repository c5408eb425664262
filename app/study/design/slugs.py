"""Addresses of studies: the free ones, and what is said of one that is taken."""

from sqlalchemy import Connection

from app.store.design import studies
from app.study.taken import free_name, words

MAX_SLUG = 64


def free_slug(db: Connection, slug: str) -> str:
    """Return the address, or the first unused one with a number added."""
    return free_name(slug, set(studies.all_slugs(db)), MAX_SLUG)


def taken_words(db: Connection, slug: str) -> str:
    """Return what is said of an address that is taken."""
    known = set(studies.all_slugs(db))
    return words("address (slug)", slug, known, MAX_SLUG, "another study")
