"""Every table in one place: importing this module fills `metadata`."""

from sqlmodel import SQLModel

from app.store import health, keys, models, tickets
from app.store.design import designs, studies, variants
from app.store.export import releases
from app.store.people import accounts, deletions, manual_actions, platforms
from app.store.play import (
    answers,
    episodes,
    explanations,
    paces,
    participants,
    process_data,
    seats,
    turns,
)
from app.store.rating import adjudications, items, judges, ratings, rounds, samples

MODULES = (
    accounts,
    adjudications,
    answers,
    deletions,
    designs,
    episodes,
    explanations,
    health,
    items,
    judges,
    keys,
    manual_actions,
    models,
    paces,
    participants,
    platforms,
    process_data,
    ratings,
    releases,
    rounds,
    samples,
    seats,
    studies,
    tickets,
    turns,
    variants,
)

metadata = SQLModel.metadata
