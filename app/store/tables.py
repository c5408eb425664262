"""Every table in one place: importing this module fills `metadata`."""

from sqlmodel import SQLModel

from app.store import (
    accounts,
    episodes,
    explanations,
    participants,
    studies,
    tickets,
    turns,
    variants,
)

MODULES = (accounts, episodes, explanations, participants, studies, tickets, turns, variants)

metadata = SQLModel.metadata
