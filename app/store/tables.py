"""Every table in one place: importing this module fills `metadata`."""

from sqlmodel import SQLModel

from app.store import models, tickets
from app.store.design import designs, studies, variants
from app.store.export import releases
from app.store.people import accounts, platforms
from app.store.play import answers, episodes, events, explanations, participants, seats, turns
from app.store.rating import adjudications, items, judges, ratings, rounds, samples

MODULES = (
    accounts,
    adjudications,
    answers,
    designs,
    episodes,
    events,
    explanations,
    items,
    judges,
    models,
    participants,
    platforms,
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
