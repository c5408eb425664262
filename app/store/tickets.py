"""Form tokens: the same ticket again returns the first result, so nothing is doubled."""

from sqlmodel import Field, SQLModel

from app.store.base import Moment, table_of, text_field


class Ticket(SQLModel, table=True):
    """One accepted form post. Rows are never updated."""

    ticket: str = Field(primary_key=True, max_length=64, description="random, made by the page")
    owner: str = Field(max_length=64, description="who posted: participant, account or study")
    result: str = text_field("what the first post led to, JSON")
    created_at: Moment = Field(description="server clock, UTC")


class Problem(SQLModel, table=True):
    """A player's 'Report a problem'."""

    id: int | None = Field(default=None, primary_key=True)
    participant_id: int | None = Field(default=None, foreign_key="participant.id", index=True)
    page: str = Field(max_length=128, description="the step the report came from")
    text: str = text_field("as typed")
    created_at: Moment = Field(description="server clock, UTC")


ticket = table_of(Ticket)
problem = table_of(Problem)
