"""Play: entry, consent, steps, seats, clocks, the game, forms, questions, the end."""

from app.store.play import events as _events  # noqa: F401 - every change of people's rows is logged
