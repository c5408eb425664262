"""What a study link says about the person who opens it: platform ids, group, test design."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from app.errors import StudyError
from app.study.design import testlink
from app.study.design.spec import StudySpec
from app.study.design.spec_parts import GROUP_PARAMETER
from app.study.design.studies import StudyView, find

MAX_ID = 128


class BadIdError(StudyError):
    """A platform id in the link is too long or contains unusual characters."""

    code = "enrol/bad_id"

    def __init__(self) -> None:
        super().__init__(
            "We cannot read the ID in this link. Please open the link again from the page where "
            "you found the study."
        )


@dataclass(frozen=True, slots=True)
class Arrival:
    """What the link says about the person. `external_id` is '' for a plain link."""

    platform: str = "link"
    external_id: str = ""
    external_study: str = ""
    external_session: str = ""
    group: str = ""  # one of the design's groups, from the link
    is_test: bool = False
    design: tuple[int, int] | None = None  # version and revision, from a test link


def read_arrival(
    spec: StudySpec, query: dict[str, str], design: tuple[int, int] | None = None
) -> Arrival:
    """Read a person's platform ids from the query string. Raises BadIdError.

    `design`: version and revision from a test link. People who use one are test participants and
    never mixed up with real ones, even under the same id.
    """
    options, is_test = spec.options, design is not None
    tag = query.get(GROUP_PARAMETER, "").strip()
    group = tag if tag in spec.people.groups else ""
    for name in options.id_parameters:
        value = query.get(name, "").strip()
        if value:
            found = Arrival(
                platform=f"{'test-' if is_test else ''}{name.lower()}"[:32],
                external_id=value,
                external_study=query.get(options.study_parameter, "").strip(),
                external_session=query.get(options.session_parameter, "").strip(),
                group=group,
                is_test=is_test,
                design=design,
            )
            ids = (found.external_id, found.external_study, found.external_session)
            if any(len(text) > MAX_ID or not text.isprintable() for text in ids):
                raise BadIdError
            return found
    return Arrival(group=group, is_test=is_test, design=design)


def arrive(
    db: Connection, slug: str, query: dict[str, str], now: datetime
) -> tuple[StudyView, Arrival]:
    """Return the study that a link leads to, and what the link says about the person."""
    value = query.get(testlink.FIELD, "")
    if not value:
        study = find(db, slug)
        return study, read_arrival(study.spec, query)
    study = testlink.study_of(db, slug, value, now)
    return study, read_arrival(study.spec, query, (study.version, study.revision))
