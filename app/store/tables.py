"""Every table in one place: importing this module fills `metadata`."""

from sqlmodel import SQLModel

from app.store import health, jobs, keys, tickets, uploads
from app.store.design import designs, members, studies, variants
from app.store.export import releases
from app.store.models import agent_keys, api_requests, calls, plays, results, runs
from app.store.people import (
    accounts,
    audit,
    deletions,
    id_hashes,
    logins,
    manual_actions,
    platforms,
    sent_bonuses,
)
from app.store.play import (
    answers,
    clock_readings,
    episodes,
    events,
    explanations,
    paces,
    participants,
    problems,
    process_data,
    seats,
    turns,
)
from app.store.rating import (
    adjudications,
    guesses,
    handovers,
    items,
    judges,
    opinions,
    pauses,
    ratings,
    rounds,
    samples,
)

MODULES = (
    accounts,
    adjudications,
    agent_keys,
    answers,
    api_requests,
    audit,
    calls,
    clock_readings,
    deletions,
    designs,
    episodes,
    events,
    explanations,
    guesses,
    handovers,
    health,
    id_hashes,
    items,
    jobs,
    judges,
    keys,
    logins,
    manual_actions,
    members,
    opinions,
    paces,
    participants,
    pauses,
    platforms,
    plays,
    problems,
    process_data,
    ratings,
    releases,
    results,
    rounds,
    runs,
    samples,
    seats,
    sent_bonuses,
    studies,
    tickets,
    turns,
    uploads,
    variants,
)

metadata = SQLModel.metadata
