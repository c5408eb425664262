"""What a study link says about the person who opens it: platform ids, group, test design."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import Connection

from app.errors import StudyError
from app.languages.text import phrase
from app.store import keys
from app.study.design import testlink
from app.study.design.spec import StudySpec
from app.study.design.spec_parts import ENTRY_PARAMETER, GROUP_PARAMETER, Options
from app.study.design.studies import StudyView, find
from app.study.play import prolific_token, signed_links
from app.study.play.parameters import Parameters
from app.study.play.placeholders import PlaceholderError, fold, is_placeholder
from app.study.play.prolific_token import KeySet, TokenError

MAX_ID = 128
SIGNED_FOR = timedelta(hours=24)
NOT_ACCEPTED = "assignmentidnotavailable"
Query = Mapping[str, str] | Iterable[tuple[str, str]]


class BadIdError(StudyError):
    """A platform id in the link is too long or contains unusual characters."""

    code = "enrol/bad_id"

    def __init__(self) -> None:
        super().__init__(
            phrase(
                "We cannot read the ID in this link. Please open the link again from the page "
                "where you found the study."
            )
        )


class IdNeededError(StudyError):
    """The study admits only people whose link carries an id."""

    code = "enrol/id_needed"

    def __init__(self) -> None:
        super().__init__(
            phrase(
                "This link carries no participant ID, and this study needs one. Please open the "
                "study from the platform where you found it, or use your personal link."
            )
        )


class SignatureNeededError(StudyError):
    """The study admits only people whose link is signed."""

    code = "enrol/signature_needed"

    def __init__(self) -> None:
        super().__init__(
            phrase(
                "This study can only be entered through a personal, signed link. Please use the "
                "link from your invitation, complete and unchanged, or open the study from the "
                "platform where you found it."
            )
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
    parameter: str = ""  # that carried the id
    is_signed: bool = False  # by us or by Prolific, so no one made the id up


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
        parameter=name,
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


def arrive(
    db: Connection, slug: str, query: Query, now: datetime, prolific: KeySet | None = None
) -> tuple[StudyView, Arrival]:
    """Return the study that a link leads to, and what the link says about the person.

    `prolific`: the keys that check Prolific's signed links, if the server has them.
    Raises NoStudyError, TestLinkError, BadIdError, PlaceholderError, EntryLinkError, TokenError,
    IdNeededError, SignatureNeededError.
    """
    value = Parameters(query).get(testlink.FIELD)
    if value:
        study = testlink.study_of(db, slug, value, now)
        return study, read_arrival(study.spec, query, (study.version, study.revision))
    study = find(db, slug)
    arrival = read_signed(db, study, query, now, prolific)
    needed = study.spec.people.require
    if needed == "signature" and not arrival.is_signed:
        raise SignatureNeededError
    if needed == "id" and not arrival.external_id:
        raise IdNeededError
    return study, arrival


def read_signed(
    db: Connection, study: StudyView, query: Query, now: datetime, prolific: KeySet | None
) -> Arrival:
    """Read a link, and check its signature if it has one."""
    given = Parameters(query)
    token, value = given.get(prolific_token.FIELD), given.get(ENTRY_PARAMETER)
    if token:
        if prolific is None:
            raise TokenError(
                phrase(
                    "Prolific's signed link cannot be checked here, because "
                    "HJSTUDY_PROLIFIC_KEYS is not set."
                )
            )
        found = read_arrival(study.spec, prolific.read(token, now))
        if not found.external_id:
            raise TokenError(
                phrase("Prolific's signed link carries no ID under a name that the study reads.")
            )
        tag = read_arrival(study.spec, [(GROUP_PARAMETER, given.get(GROUP_PARAMETER))]).group
        return replace(found, is_signed=True, group=found.group or tag)
    found = read_arrival(study.spec, query)
    if value:
        key = (keys.value_of(db, signed_links.KEY) or "").encode()
        who = (found.parameter, found.external_id, given.get(GROUP_PARAMETER))
        signed_links.check(key, study.slug, *who, value, now)
        return replace(found, is_signed=True)
    return found


def as_link(arrival: Arrival, key: bytes, study: StudyView, now: datetime) -> list[tuple[str, str]]:
    """Return the parameters of a person whose link was signed elsewhere, signed by us for a day.

    So they can read the consent page for longer than the first signature lasts.
    """
    options, expires = study.spec.options, now + SIGNED_FOR
    who = (arrival.parameter, arrival.external_id, arrival.group)
    pairs = [
        (arrival.parameter, arrival.external_id),
        (options.study_parameter, arrival.external_study),
        (options.session_parameter, arrival.external_session),
        (GROUP_PARAMETER, arrival.group),
        (ENTRY_PARAMETER, signed_links.sign(key, study.slug, *who, expires)),
    ]
    return [(name, value) for name, value in pairs if value]
