"""What a study link says about the person who opens it: platform ids, group, test design."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from app.errors import StudyError
from app.study.design import testlink
from app.study.design.spec import StudySpec
from app.study.design.spec_parts import GROUP_PARAMETER, Options
from app.study.design.studies import StudyView, find
from app.study.play.parameters import Parameters
from app.study.play.placeholders import PlaceholderError, fold, is_placeholder

MAX_ID = 128
NOT_ACCEPTED = "assignmentidnotavailable"
Query = Mapping[str, str] | Iterable[tuple[str, str]]


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


def read_arrival(spec: StudySpec, query: Query, design: tuple[int, int] | None = None) -> Arrival:
    """Read a person's platform ids from the query string. Raises BadIdError, PlaceholderError.

    `design`: version and revision from a test link. People who use one are test participants and
    never mixed up with real ones, even under the same id.
    """
    given = Parameters(query)
    options, is_test = spec.options, design is not None
    tag = given.get(GROUP_PARAMETER)
    plain = Arrival(group=tag if tag in spec.people.groups else "", is_test=is_test, design=design)
    name = id_parameter(options, given)
    if not name:
        return plain
    found = replace(
        plain,
        platform=f"{'test-' if is_test else ''}{name.lower()}"[:32],
        external_id=given.get(name),
        external_study=filled_in(given.get(options.study_parameter)),
        external_session=filled_in(given.get(options.session_parameter)),
    )
    ids = (found.external_id, found.external_study, found.external_session)
    if any(len(text) > MAX_ID or not text.isprintable() for text in ids):
        raise BadIdError
    return found


def id_parameter(options: Options, given: Parameters) -> str:
    """Return the first parameter with an id; '' = the link has none. Raises PlaceholderError."""
    names = [name for name in options.id_parameters if name in given]
    for name in names:
        if not is_placeholder(given.get(name), options.id_parameters):
            return name
    for value in given.values():
        if fold(value) == NOT_ACCEPTED:  # MTurk's preview names no worker
            raise PlaceholderError(options.session_parameter, value)
    if names:
        raise PlaceholderError(names[0], given.get(names[0]))
    return ""


def filled_in(value: str) -> str:
    """Return a study's or session's id on the platform, or '' if it was left unfilled."""
    return "" if is_placeholder(value) else value


def arrive(db: Connection, slug: str, query: Query, now: datetime) -> tuple[StudyView, Arrival]:
    """Return the study that a link leads to, and what the link says about the person."""
    value = Parameters(query).get(testlink.FIELD)
    if not value:
        study = find(db, slug)
        return study, read_arrival(study.spec, query)
    study = testlink.study_of(db, slug, value, now)
    return study, read_arrival(study.spec, query, (study.version, study.revision))
