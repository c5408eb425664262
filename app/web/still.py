"""Parts of pages that never change, such as a world's accounts: rendered once, then kept.

A part depends only on its template, its language, and what its key names. A key must name
everything else that the template reads: a variant by its hash, options one by one.
"""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from app.web.spoken import now_spoken

MOST_KEPT = 1000  # about 10 KB each


class Still:
    """The parts rendered last. Thread-safe; drops the oldest."""

    def __init__(self, env: Environment) -> None:
        self._env, self._lock = env, Lock()
        self._parts: OrderedDict[Hashable, Markup] = OrderedDict()

    def __call__(self, template: str, key: Hashable, **context: Any) -> Markup:
        """Return a part of a page; render it if it is not known yet."""
        whole = (template, now_spoken.get(), key)
        with self._lock:
            known = self._parts.get(whole)
        if known is None:
            known = Markup(self._env.get_template(template).render(context))  # noqa: S704 - ours
            with self._lock:
                self._parts[whole] = known
                if len(self._parts) > MOST_KEPT:
                    self._parts.popitem(last=False)
        return known
