"""Database types that pages may use without knowing the tables: the store and a row."""

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.db import Store

__all__ = ["AnyRow", "Connection", "Store"]
