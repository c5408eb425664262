"""Process data from browsers (named in the consent), and researchers' manual actions."""

from sqlmodel import Field, SQLModel

from app.store.base import Moment, big_int, table_of, text_field


class ProcessEvent(SQLModel, table=True):
    """One observation by the browser's script. Optional; never contains an IP address."""

    __tablename__ = "process_event"

    id: int | None = Field(default=None, primary_key=True)
    participant_id: int = Field(foreign_key="participant.id", index=True)
    page: str = Field(max_length=64, description="the step's path")
    kind: str = Field(max_length=16, description="open, hidden, visible, blur, focus, paste, ...")
    value: int = big_int("meaning depends on kind: milliseconds, characters, pixels", default=0)
    detail: str = Field(default="", max_length=64, description="field, browser family, ...")
    client_ms: int | None = big_int("browser clock, milliseconds since 1970 UTC", default=None)
    received_ms: int = big_int("server clock, same unit")


class HandAction(SQLModel, table=True):
    """A researcher's manual action on one participant. Rows are never updated."""

    __tablename__ = "hand_action"

    id: int | None = Field(default=None, primary_key=True)
    participant_id: int = Field(foreign_key="participant.id", index=True)
    episode_id: int | None = Field(default=None, foreign_key="episode.id")
    account_id: int | None = Field(default=None, foreign_key="account.id")
    action: str = Field(max_length=16, description="extend, unstick, void, exclude, end, note, ...")
    reason: str = text_field("as entered by the researcher")
    at: Moment = Field(description="server clock, UTC")


process_event = table_of(ProcessEvent)
hand_action = table_of(HandAction)
