"""Our outcomes compared with a recruitment platform's list: whom to pay, ask or check.

The platform's state is stored separately (table platform_record) and never changes ours.
Attention and comprehension checks never reject anyone by themselves.
"""

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.store.base import AnyRow
from app.store.people import platforms
from app.study.csv_text import csv_of
from app.study.design.spec_parts import ENTRY_PARAMETER, GROUP_PARAMETER, Codes, Options
from app.study.keys import Keys
from app.study.people.platform_list import meaning
from app.study.play import signed_links
from app.study.times import moment

OWN_PARAMETER, PROLIFIC_PARAMETER, MTURK_PARAMETER = "participant", "PROLIFIC_PID", "workerId"
QUEUES = {
    "pay": "Finished here, awaiting review there with the right code: approve.",
    "finished_timed_out": "Finished here, but timed out or returned there: pay manually.",
    "ask_to_return": "Awaiting review there, but not finished here: ask for a return.",
    "unknown_code": "Awaiting review there with an unknown code or ID: ask the person.",
    "other_code": "Awaiting review there with the code of another outcome, such as that for "
    "finishing after a failed check: ask the person.",
    "pay_in_part": "Screened out or stopped by a technical problem, with that code: pay for time.",
    "no_code": "Finished here, awaiting review there without a code: check, then approve.",
    "approved_unfinished": "Approved there, but not finished here: at most pay for time is due.",
    "unknown_state": "The status there is not known to this server: look it up on the platform.",
    "running": "Still under way, here or there: wait. Whoever has timed out there may still finish "
    "here: then pay manually. To end it now, open their page and use Manual actions.",
    "settled": "Finished and approved, or ended on both sides: only a bonus can still be due.",
    "only_here": "Known here, but not in the platform's file: upload a newer list. If they are not "
    "in it either, pay them by payments.csv.",
}
CODELESS = {"", "nocode", "no code", "no_code"}  # values that mean no code was entered
CODED = ("no_consent", "screened_out", "failed_check", "withdrawn", "technical")
PAID_UNFINISHED = {"screened_out", "technical"}  # paid for their time although they did not finish


class NoParameterError(StudyError):
    """The design reads no id from the link, so all personal links would be the same."""

    code = "recruit/no_parameter"

    def __init__(self) -> None:
        super().__init__(
            "This design reads no ID from the link. In the design, name the parameter that has it."
        )


def parameter(options: Options, usual: str) -> str:
    """Return the name of the link parameter with a person's id: `usual`, or the first.

    Raises NoParameterError if this design reads no id.
    """
    names = options.id_parameters
    if not names:
        raise NoParameterError
    return usual if usual in names else names[0]


def prolific_query(options: Options) -> str:
    """Return the query of the link for Prolific: our names, their placeholders; '' = no ids."""
    if not options.id_parameters:
        return ""
    person = parameter(options, PROLIFIC_PARAMETER)
    names = (person, options.study_parameter, options.session_parameter)
    there = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
    pairs = (f"{ours}={{{{%{theirs}%}}}}" for ours, theirs in zip(names, there, strict=True))
    return "?" + "&".join(pairs)


def with_group(query: str, group: str) -> str:
    """Return a query with the group that its people are tagged with; '' = none."""
    return f"{query}&{GROUP_PARAMETER}={group}" if query and group else query


def prolific_link(link: str, options: Options, group: str = "") -> str:
    """Return the link for Prolific, perhaps of a group; '' if the design reads no ids."""
    query = with_group(prolific_query(options), group)
    return f"{link}{query}" if query else ""


def links_of(link: str, options: Options, groups: Sequence[str]) -> list[tuple[str, str]]:
    """Return (for whom, link) for each platform that passes IDs in the link, and each group."""
    found = list[tuple[str, str]]()
    for group in ("", *groups):
        ending = f", group {group}" if group else ""
        if group:
            found.append((f"Plain link{ending}", group_link(link, group)))
        if prolific := prolific_link(link, options, group):
            found.append((f"Prolific: paste this as the study’s address{ending}", prolific))
        if MTURK_PARAMETER in options.id_parameters:
            query = with_group(f"?{MTURK_PARAMETER}=...", group)
            words = f"MTurk: the page of your HIT puts the worker’s ID for the dots{ending}"
            found.append((words, f"{link}{query}"))
    return found


def group_link(link: str, group: str) -> str:
    """Return the plain link for a group; '' = for everyone."""
    return f"{link}?{GROUP_PARAMETER}={group}" if group else link


Signer = Callable[[str, str, str], str]  # (parameter, id, group) -> value of `entry`


def signer(keys: Keys, slug: str, expires: datetime | None) -> Signer:
    """Return what signs the links of a study; `expires` None = never."""
    key = keys.signing(signed_links.KEY)

    def sign(name: str, one: str, group: str) -> str:
        return signed_links.sign(key, slug, name, one, group, expires)

    return sign


def personal_links(
    link: str, options: Options, count: int, group: str = "", sign: Signer | None = None
) -> str:
    """Return a CSV of personal links with ids that cannot be guessed.

    Args:
        link: the study's address.
        options: of the study; they name the parameter with the id.
        count: how many.
        group: tag for the people who get these links; '' = none.
        sign: signs each link; None = plain links.

    Raises NoParameterError if all the links would be the same.
    """
    name, tail = parameter(options, OWN_PARAMETER), f"&{GROUP_PARAMETER}={group}" if group else ""
    rows = [("participant", "link")]
    for one in (secrets.token_hex(8) for _ in range(count)):
        seal = "" if sign is None else f"&{ENTRY_PARAMETER}={sign(name, one, group)}"
        rows.append((one, f"{link}?{name}={one}{tail}{seal}"))
    return csv_of(rows)


@dataclass(frozen=True, slots=True)
class Match:
    """One person, as we and the platform see them."""

    queue: str
    public_id: str
    external_id: str
    ours: str
    theirs: str
    our_code: str
    their_code: str


def fold(text: str) -> str:
    """Return a code in the form used for comparison."""
    return " ".join(text.strip().casefold().split())


def queue_of(ours: str, theirs: str, our_code: str, their_code: str, chosen: str = "") -> str:
    """Return the queue of one person.

    Args:
        ours: our outcome state; '' = we do not know them.
        theirs: the platform's state; '' = not in its file.
        our_code: the code we showed ('' = none).
        their_code: the code entered there ('' = none).
        chosen: what the platform's state means, if we do not know it; '' = nothing was chosen.
    """
    if not theirs:
        return "running" if ours == "active" else "only_here"
    there = meaning(theirs) or chosen
    if there == "waiting":
        entered = fold(their_code)
        known = entered in CODELESS or entered == fold(our_code)
        return waiting_queue(ours, known=known, entered=entered not in CODELESS)
    if there == "approved":
        return "settled" if ours == "finished" else "approved_unfinished"
    if there == "gone":
        return gone_queue(ours)
    return "running" if there == "running" else "unknown_state"


def has_gone(theirs: AnyRow) -> bool:
    """Tell whether a person returned, timed out or was rejected on the platform."""
    return (meaning(str(theirs.state)) or str(theirs.meaning)) == "gone"


def gone_queue(ours: str) -> str:
    """Return the queue of a person who ended on the platform without approval."""
    if ours == "active":
        return "running"  # they keep their seat here, and may still finish
    return "finished_timed_out" if ours == "finished" else "settled"


def waiting_queue(ours: str, *, known: bool, entered: bool) -> str:
    """Return the queue of a person who awaits review on the platform.

    Args:
        ours: our outcome state; '' = we do not know them.
        known: whether the code entered there, if any, is the one we showed.
        entered: whether a code was entered.
    """
    if not ours or not known:
        return "unknown_code"
    if ours == "finished":
        return "pay" if entered else "no_code"
    if entered and ours in PAID_UNFINISHED:
        return "pay_in_part"
    return "running" if ours == "active" else "ask_to_return"


def newest_list(db: Connection, study_id: int, codes: dict[str, str]) -> tuple[str, list[Match]]:
    """Return the newest list's time and everyone in their queue; nothing before the first list."""
    read_at = platforms.newest(db, study_id)
    return ("", []) if read_at is None else (moment(read_at), reconcile(db, study_id, codes))


def reconcile(db: Connection, study_id: int, codes: dict[str, str]) -> list[Match]:
    """Return everyone with their queue; `codes`: static code of each outcome, '' = none."""
    ours = {row.external_id: row for row in platforms.people(db, study_id)}
    theirs = {row.external_id: row for row in platforms.records(db, study_id)}
    found = [match(one, ours.get(one), theirs.get(one), codes) for one in sorted({*ours, *theirs})]
    order = list(QUEUES)
    return sorted(found, key=lambda one: order.index(one.queue))


def match(
    external_id: str, ours: AnyRow | None, theirs: AnyRow | None, codes: dict[str, str]
) -> Match:
    """Return one person as we and the platform see them."""
    state = "" if ours is None else str(ours.state)
    code = "" if ours is None else str(ours.code or codes.get(state, ""))
    finished = ours is not None and ours.finished_at is not None  # even if they left afterwards
    there = "" if theirs is None else str(theirs.state)
    entered = "" if theirs is None else str(theirs.code)
    chosen = "" if theirs is None else str(theirs.meaning)
    queue = queue_of("finished" if finished else state, there, code, entered, chosen)
    others = {fold(one) for one in codes.values() if one}
    if queue == "unknown_code" and ours is not None and fold(entered) in others:
        queue = "other_code"
    public = "" if ours is None else str(ours.public_id)
    return Match(queue, public, external_id, state, there, code, entered)


MOST_SHOWN = 100  # people of a queue on the page; the download has all


def table(matches: Iterable[Match]) -> list[dict[str, Any]]:
    """Return the non-empty queues with their first people and their number, for the page."""
    people = dict[str, list[Match]]()
    for one in matches:
        people.setdefault(one.queue, []).append(one)
    return [
        {"name": name, "what": what, "number": len(own), "people": own[:MOST_SHOWN]}
        for name, what in QUEUES.items()
        if (own := people.get(name))
    ]


def codes_of(codes: Codes) -> dict[str, str]:
    """Return the static code of each outcome that can have one; '' = none."""
    return {state: codes.of(state) for state in ("finished", *CODED)}


def codes_to_copy(codes: Codes) -> list[tuple[str, str]]:
    """Return the outcomes that have a code, in words, and the code; '' = each person's own."""
    found = codes_of(codes) | ({"finished": ""} if codes.kind == "personal" else {})
    return [
        (state.replace("_", " "), code)
        for state, code in found.items()
        if code or state == "finished"
    ]


def queues_csv(db: Connection, study_id: int, codes: dict[str, str], *, raw: bool = False) -> str:
    """Return everyone with their queue as CSV."""
    people = reconcile(db, study_id, codes)
    names = Match.__slots__
    rows = ([getattr(one, name) for name in names] for one in people)
    head = ["participant_id" if name == "public_id" else name for name in names]  # as in payments
    return csv_of([head, *rows], raw=raw)
