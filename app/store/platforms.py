"""What a recruitment platform says of its people, kept apart from our own states."""

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from app.store.base import Moment, table_of, text_field


class PlatformRecord(SQLModel, table=True):
    """One person's newest state on the platform, from its CSV."""

    __tablename__ = "platform_record"
    __table_args__ = (sa.UniqueConstraint("study_id", "platform", "external_id"),)

    id: int | None = Field(default=None, primary_key=True)
    study_id: int = Field(foreign_key="study.id", index=True)
    platform: str = Field(max_length=32)
    external_id: str = Field(max_length=128)
    external_session: str = text_field("submission id there", default="")
    state: str = Field(max_length=32, description="returned, timed out, approved, ... as there")
    code: str = text_field("completion code entered there", default="")
    started: str = text_field("as written in the file", default="")
    completed: str = text_field("as written in the file", default="")
    imported_at: Moment = Field(description="server clock, UTC")


class Secret(SQLModel, table=True):
    """A secret this database made for itself, such as the key that signs test links."""

    name: str = Field(primary_key=True, max_length=32)
    value: str = Field(max_length=128)


platform_record = table_of(PlatformRecord)
secret = table_of(Secret)
