"""Every table in one place: importing this module fills `metadata`."""

from sqlmodel import SQLModel

from app.store import (
    accounts,
    answers,
    designs,
    episodes,
    events,
    explanations,
    participants,
    platforms,
    seats,
    studies,
    tickets,
    turns,
    variants,
)

MODULES = (
    accounts,
    answers,
    designs,
    episodes,
    events,
    explanations,
    participants,
    platforms,
    seats,
    studies,
    tickets,
    turns,
    variants,
)

metadata = SQLModel.metadata
