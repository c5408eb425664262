"""What pages may hold of the database without knowing its tables: the store, and a row as read."""

from app.store.base import AnyRow
from app.store.db import Store

__all__ = ["AnyRow", "Store"]
