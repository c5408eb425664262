"""The researcher's view of a study: counts, where people are, one player's transcript."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.languages.amounts import money
from app.scoring.plays import efficiency
from app.store.base import AnyRow
from app.store.design import studies
from app.store.people import manual_actions, sent_bonuses
from app.store.play import (
    answers,
    episodes,
    explanations,
    participants,
    problems,
    progress,
    spots,
    turns,
)
from app.store.play.spots import Spots
from app.study.design.library import Library
from app.study.design.spec import StudySpec, parse_spec
from app.study.design.studies import hides_outcomes
from app.study.design.variant_page import grid
from app.study.people import recruitment, treatments
from app.study.people.answers import asked_facts, direct_facts
from app.study.people.folding import folded
from app.study.play import last_page, players, steps
from app.study.play.rule_form import answers_of
from app.study.play.transcript import lines_of
from app.study.times import moment, moment_of_ms


class NoParticipantError(StudyError):
    """There is no participant with that id."""

    code = "participant/none"

    def __init__(self) -> None:
        super().__init__("There is no participant with this ID.")


@dataclass(frozen=True, slots=True)
class Person:
    """One row in the list of people."""

    public_id: str
    state: str
    is_test: bool
    step: str
    turns: int
    last_seen: str
    treatment: str


def people(db: Connection, study_id: int) -> list[Person]:
    """Return everyone in a study, newest first, with the page they are at."""
    rows = progress.of_study(db, study_id)
    here = spots.of_active(db, study_id)
    texts = {one: studies.design_text(db, one) for one in {row.design_id for row in rows}}
    specs = {one: parse_spec(text) for one, text in texts.items()}
    done, given = answers.phases_done(db, study_id), treatments.given(db, study_id, specs)
    found = [
        Person(
            public_id=row.public_id,
            state=row.state,
            is_test=row.is_test,
            step=step_text(row, here.get(row.id), specs[row.design_id], done),
            turns=row.turns or 0,
            last_seen=moment_of_ms(row.last_ms) or moment(row.consented_at or row.created_at),
            treatment=given.get(row.id, ""),
        )
        for row in rows
    ]
    return found[::-1]


def step_text(row: AnyRow, here: Spots | None, spec: StudySpec, done: set[tuple[int, str]]) -> str:
    """Return where a person under way is, in a few words; '' for all others."""
    return "" if here is None else page_text(row, here, spec, done)


def page_text(row: AnyRow, here: Spots, spec: StudySpec, done: set[tuple[int, str]]) -> str:
    """Return the page a participant is at, or was at when they left.

    Args:
        row: the participant's row.
        here: their spots.
        spec: their design.
        done: (participant id, phase) of the pages of questions they have answered.
    """
    own = [phase for phase in ("before", "comprehension") if (row.id, phase) in done]
    return last_page.in_words(last_page.stop_of(row, spec, own, here))


def counts(db: Connection, study_id: int) -> dict[str, int]:
    """Return the number of people by state, without test participants."""
    return progress.state_counts(db, study_id)


def participant(db: Connection, library: Library, public_id: str) -> dict[str, Any]:
    """Return everything about one player for the page. Raises NoParticipantError."""
    bare = participants.by_public_id(db, public_id)
    if bare is None:
        raise NoParticipantError
    row = progress.by_token(db, bare.token)
    if row is None:
        raise NoParticipantError
    player = players.load_row(db, row, parse_spec(row.spec))
    written = explanations.of_participant(db, player.id)
    practice = next((one for one in player.episodes if players.is_practice(one)), None)
    blocks = [block_facts(db, library, player, block, written) for block in player.blocks]
    practised = None if practice is None else episode_facts(db, practice, "Practice")
    is_hidden = hides_outcomes(player.spec, row.study_state)
    is_open = any(one.state == "open" for one in player.episodes)
    if is_hidden:
        for block in blocks:
            block["episodes"] = [without_outcome(one) for one in block["episodes"]]
        practised = None if practised is None else without_outcome(practised)
    return {
        "public_id": row.public_id,
        "replay_url": f"/admin/participants/{row.public_id}/replay"
        if is_open or (player.episodes and not is_hidden)
        else "",
        "is_hidden": is_hidden,
        "state": row.state,
        "slug": row.slug,
        "study_id": row.study_id,
        "study": player.spec.title or row.slug,
        "step": steps.where(player.progress, player.present) or player.present.kind,
        "facts": [
            *treatments.as_fact(player),
            *facts(row, recruitment.codes_of(player.spec.codes)),
        ],
        "blocks": blocks,
        "problems": folded(
            (
                {"at": moment(one.created_at), "text": f"{one.page}: {one.text}"}
                for one in problems.of_person(db, player.id)
            ),
            ("at",),
        ),
        "questions": asked_facts(db, player),
        "practice": practised,
    }


def slug_of(db: Connection, public_id: str) -> str:
    """Return the address of a participant's study, or ''."""
    row = participants.by_public_id(db, public_id)
    return "" if row is None else studies.slug_of(db, row.study_id) or ""


def facts(row: AnyRow, codes: dict[str, str]) -> list[tuple[str, str]]:
    """Return the facts at the top of a participant's page; `codes`: of those who end early."""
    return [
        ("Arrival", str(row.arrival)),
        ("Design version", str(row.design_version)),
        ("Group", row.tag or "none"),
        ("Consented", moment(row.consented_at)),
        ("Finished", moment(row.finished_at)),
        ("Ended", f"{moment(row.ended_at)} {row.end_reason}".strip()),
        ("Seat", row.seat or "none"),
        ("Returns", f"{row.resume_count}, longest time away {row.longest_gap_s // 60} minutes"),
        ("Code", row.code or codes.get(row.state, "")),
        ("Test", "yes" if row.is_test else "no"),
        ("Excluded", row.excluded or "no"),
        ("Erased", moment(row.erased_at)),
    ]


def block_facts(
    db: Connection, library: Library, player: players.Player, block: AnyRow, written: Any
) -> dict[str, Any]:
    """Return one block: its grid with the rule, its episodes, its explanations."""
    variant = library.variant(db, block.variant_hash)
    own = [one for one in player.episodes if one.block_id == block.id]
    stated = answers.direct_of(db, player.id) if block.format == "direct" else None
    return {
        "title": f"World {block.position + 1}: {block.cell}",
        "grid": grid(variant),
        "episodes": [
            episode_facts(db, one, f"Guardian {one.position + 1}: {one.entity}")
            if stated is None
            else direct_facts(one, stated.get(one.id))
            for one in own
        ],
        "explanations": [
            {"after": after_text(one.after), "answers": answers_of(one)}
            for one in written
            if one.block_id == block.id
        ],
    }


def after_text(after: int) -> str:
    """Return in words when an explanation was asked for."""
    return "after the world" if after == steps.AFTER_BLOCK else f"after guardian {after + 1}"


def episode_facts(db: Connection, row: AnyRow, title: str) -> dict[str, Any]:
    """Return one episode with its turns."""
    stored = turns.of_episode(db, row.id)
    lines = [
        {
            "seq": turn.seq,
            "at": moment_of_ms(turn.received_ms),
            "raw": turn.raw,
            "understood": f"{turn.verb} {turn.argument}".strip() + f" ({turn.parse_status})",
            "message": line.message,
            "kind": line.kind,
        }
        for turn, line in zip(stored, lines_of(stored), strict=True)
    ]
    counts = row.actions_used, row.ref_length, row.n_tries
    score = efficiency(*counts, won=row.state == "won", scored=row.kind == episodes.MAIN)
    return {
        "title": title,
        "state": row.state,
        "actions_used": len(stored),
        "norm_eff": None if score is None else f"{score:.3f}",
        "right": None,
        "lines": folded(lines, ("seq", "at")),
    }


def without_outcome(episode: dict[str, Any]) -> dict[str, Any]:
    """Return an episode as shown while outcomes are hidden: if it has ended, only that fact.

    Its turns, and even their number, would reveal the outcome.
    """
    if episode["state"] == "open":
        return episode
    nothing: dict[str, Any] = {"actions_used": None, "norm_eff": None, "right": None, "lines": []}
    return {**episode, **nothing, "state": "over"}


def overview(db: Connection, *, archived: bool = False) -> list[dict[str, Any]]:
    """Return one row per study for the list of studies, or of archived ones."""
    counted, rows = progress.counts_by_study(db), []
    for row in studies.listed(db):
        if (row.archived_at is not None) != archived:
            continue
        number = counted.get(row.id, {})
        rows.append(
            {
                "slug": row.slug,
                "title": row.title,
                "kind": row.kind,
                "state": row.state,
                "started": sum(number.values()) - number.get("no_consent", 0),
                "active": number.get("active", 0),
                "finished": number.get("finished", 0),
                "declined": number.get("no_consent", 0),
            }
        )
    return rows


def hand_facts(db: Connection, public_id: str) -> dict[str, Any]:
    """Return a participant's episodes and the log of manual actions."""
    row = participants.by_public_id(db, public_id)
    if row is None:
        raise NoParticipantError
    plays, sent = episodes.episodes_of(db, row.id), sent_bonuses.cents_of(db, row.id)
    currency = parse_spec(studies.design_text(db, row.design_id)).payment.currency
    return {
        "episodes": [
            {"id": one.id, "title": f"World {one.block_position + 1}: {one.entity}"}
            for one in plays
            if one.kind == episodes.MAIN
        ],
        "log": folded(
            (
                {
                    "at": moment(one.at),
                    "name": one.name or "command line",
                    "action": one.action,
                    "reason": one.reason,
                    "amount": money(currency, sent[one.id]) if one.id in sent else "",
                }
                for one in manual_actions.actions_of(db, row.id)
            ),
            ("at",),
        ),
    }
