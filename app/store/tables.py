"""Every table in one place: importing this module fills `metadata`."""

from sqlmodel import SQLModel

from app.store import (
    accounts,
    adjudications,
    answers,
    designs,
    episodes,
    events,
    explanations,
    items,
    judges,
    modelresults,
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
    modelresults,
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
