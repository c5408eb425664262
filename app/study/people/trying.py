"""Try a study as several test players at once: who they are, where they are, moving them."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from app.store.db import Store
from app.study.design import arms, testlink
from app.study.design.spec import StudySpec
from app.study.people.treatments import of_player
from app.study.play import ahead, enrol, players, steps
from app.study.play.arrival import Arrival, arrive
from app.study.play.commands import Table
from app.study.tickets import new_ticket

FEWEST, MOST = 2, 4
OWN_PARAMETER = "participant"
CONSENT = "consent"
AT_CONSENT = (CONSENT, "Consent page")
NOT_YET = "given at consent"


@dataclass(frozen=True, slots=True)
class Seat:
    """One test player.

    `url`: the page to show; `steps`: (address, label) of every step; `treatment`: theirs in words,
    or '' if the study has none, or if their link has no ID, so that no one knows who they are.
    """

    who: str
    url: str
    here: str
    steps: tuple[tuple[str, str], ...]
    treatment: str


def new_names(number: int) -> list[str]:
    """Return new random ids of test players."""
    return [secrets.token_hex(5) for _ in range(min(max(number, FEWEST), MOST))]


def query_of(parameters: Sequence[str], test: str, who: str) -> dict[str, str]:
    """Return the parameters of a test player's link."""
    name = OWN_PARAMETER if OWN_PARAMETER in parameters else next(iter(parameters), "")
    return {testlink.FIELD: test, **({name: who} if name else {})}


def seat(db: Connection, slug: str, test: str, who: str, now: datetime) -> Seat:
    """Return where a test player is. Raises TestLinkError."""
    spec, arrival, query, token = find(db, slug, test, who, now)
    if token is None:
        link = "&".join(f"{name}={value}" for name, value in query.items())
        choices = (AT_CONSENT, *planned(spec)) if arrival.external_id else ()
        return Seat(who, f"/s/{slug}?{link}", CONSENT, choices, waiting(spec) if choices else "")
    player = players.load(db, token)
    path = [(step.path, label_of(player, step)) for step in player.progress.steps]
    ended = player.has_ended
    here = "" if ended else player.present.path
    return Seat(who, f"/p/{token}", here, (AT_CONSENT, *path), of_player(player))


def waiting(spec: StudySpec) -> str:
    """Return what stands in place of the treatment of someone who has not consented."""
    return "" if spec.between == arms.NONE else NOT_YET


def planned(spec: StudySpec) -> list[tuple[str, str]]:
    """Return (address, label) of the steps that are known before anyone has been given worlds."""
    asked = spec.questions
    here: dict[steps.Kind, bool] = {
        steps.INSTRUCTIONS: True,
        steps.BEFORE: bool(asked.before),
        steps.PRACTICE: spec.options.practice,
        steps.CHECK: bool(asked.comprehension),
    }
    path = [(steps.PATHS[kind], str(steps.LABELS[kind])) for kind, there in here.items() if there]
    for number in range(1, spec.per_player + 1):
        path.append((ahead.WORLD.format(number), f"World {number} of {spec.per_player}"))
        if spec.rule_form.when == "block":
            label = f"World {number} of {spec.per_player} · rule"
            path.append((f"{ahead.WORLD.format(number)}/rule", label))
    if asked.after or asked.comment:
        path.append((steps.PATHS[steps.AFTER], str(steps.LABELS[steps.AFTER])))
    return [*path, (steps.PATHS[steps.DEBRIEF], str(steps.LABELS[steps.DEBRIEF]))]


def find(
    db: Connection, slug: str, test: str, who: str, now: datetime
) -> tuple[StudySpec, Arrival, dict[str, str], str | None]:
    """Return a test player's design, arrival, link parameters, and token if they have consented."""
    study, _ = arrive(db, slug, {testlink.FIELD: test}, now)
    query = query_of(study.spec.options.id_parameters, test, who)
    study, arrival = arrive(db, slug, query, now)
    return study.spec, arrival, query, enrol.known_token(db, study, arrival)


def label_of(player: players.Player, step: steps.Step) -> str:
    """Return a step in words."""
    return steps.where(player.progress, step) or steps.LABELS[step.kind]


def jump(table: Table, slug: str, test: str, who: str, target: str, now: datetime) -> str:
    """Bring a test player to a step; return their id, a new one if the step was behind them.

    Raises TestLinkError, NotTestError, NoStepError.
    """
    if target == CONSENT:
        return new_names(1)[0]
    for name in (who, *new_names(1)):
        token = consented(table.store, table, slug, test, name, now)
        if ahead.move(table, token, target, now):
            return name
    raise ahead.NoStepError


def consented(store: Store, table: Table, slug: str, test: str, who: str, now: datetime) -> str:
    """Return a test player's token; agree for them if they have not."""
    with store.read() as db:
        _, arrival, _, token = find(db, slug, test, who, now)
    return token or enrol.agree(store, table.library, slug, arrival, new_ticket(), now)
