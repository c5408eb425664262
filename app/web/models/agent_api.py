"""/api/v1: other people's programs play a study, with a key of that study; see app/web/api.py."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.responses import Response

from app.study.design.studies import StudyView
from app.study.models import agent_keys, agent_steps, agents
from app.study.models.agent_keys import BadKeyError, Key, ScopeError
from app.study.models.agents import Chosen
from app.study.models.runs import Run
from app.web.deps import Now as At
from app.web.deps import Server, ServerParts, source_of
from app.web.models.agent_bodies import (
    Answer,
    Command,
    EpisodeOut,
    NewRun,
    Outcome,
    Place,
    ResultOut,
    Rule,
    RuleOut,
    RunOut,
    RunPlaces,
    episode_out,
    run_out,
)
from app.web.models.plain_bodies import StrictRoute
from app.web.pages import Page, render
from app.web.problems import CODES, refusals
from app.web.rates import STRANGERS

PREFIX = "/api/v1"
ABOUT = (
    "Programs play what participants play, in the same words and by the same rules. Each key "
    "belongs to one study. A command has a number: sent again, it returns what is stored."
)
bearer = HTTPBearer(auto_error=False, description="a key of the study")
Number = Annotated[int, Path(ge=1, le=10**9, examples=[1])]
SENT = refusals(400, 403, 404, 409, 422)  # of what is sent to an episode or a variant

router = APIRouter(route_class=StrictRoute)


class Caller:
    """Who asks: the key, its study, and the server's parts."""

    def __init__(self, server: Server, key: Key, study: StudyView) -> None:
        self.server, self.key, self.study = server, key, study
        self.store, self.library = server.store, server.library

    def run(self, number: int) -> Run:
        """Return one of the key's runs. Raises NoPlaceError."""
        with self.store.read() as db:
            return agents.run_of(db, self.study, self.key, number)


def caller(
    request: Request,
    server: ServerParts,
    now: At,
    sent: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> Caller:
    """Return who asks. Raises BadKeyError, RateError."""
    try:
        with server.store.read() as db:
            key = agent_keys.find(db, sent.credentials if sent else "")
            study = agent_keys.study_of(db, key)
    except BadKeyError:
        server.rates.take(f"stranger {source_of(request, server, now)}", STRANGERS)
        raise
    server.rates.take(f"key {key.id}", server.settings.api_per_minute)
    return Caller(server, key, study)


Asking = Annotated[Caller, Depends(caller)]


def player(asking: Asking) -> Caller:
    """Return who asks, with a key that may play. Raises ScopeError."""
    if not asking.key.may_play:
        raise ScopeError
    return asking


Playing = Annotated[Caller, Depends(player)]


@router.post("/runs", status_code=201, responses=refusals(400, 403, 422))
def open_run(asking: Playing, body: NewRun, now: At) -> RunPlaces:
    """Open a run: a list of episodes to play, variant by variant."""
    chosen = Chosen(body.tasks, body.seeds)
    names = body.agent, body.label
    number = agents.open_run(asking.store, asking.study, asking.key, names, chosen, now)
    return places_of(asking, asking.run(number))


@router.get("/runs", responses=refusals())
def list_runs(asking: Asking) -> list[RunOut]:
    """List the runs that this key opened."""
    with asking.store.read() as db:
        return [run_out(run) for run in agents.own_runs(db, asking.study, asking.key)]


@router.get("/runs/{run}", responses=refusals(404, 422))
def show_run(asking: Asking, run: Number) -> RunPlaces:
    """Show a run, and which of its episodes are over."""
    return places_of(asking, asking.run(run))


def places_of(asking: Caller, run: Run) -> RunPlaces:
    """Return a run with its episodes."""
    with asking.store.read() as db:
        units = agents.episodes_of(db, asking.library, run)
        over = agents.over(db, run)
    places = [
        Place(
            episode=at,
            variant=run.cells.index(unit.cell) + 1,
            format=unit.cell.format,
            over=unit.name in over,
        )
        for at, unit in enumerate(units, start=1)
    ]
    return RunPlaces(**run_out(run).model_dump(), episodes=places)


@router.get("/runs/{run}/episodes/{episode}", responses=refusals(404, 422))
def show_episode(asking: Asking, run: Number, episode: Number) -> EpisodeOut:
    """Show an episode's words, and what was played so far."""
    found = asking.run(run)
    with asking.store.read() as db:
        return episode_out(found, agents.shown(db, asking.library, found, episode))


@router.post("/runs/{run}/episodes/{episode}/commands", responses=SENT)
def play_command(
    asking: Playing, run: Number, episode: Number, body: Command, now: At
) -> EpisodeOut:
    """Play a command. Sent again with the same number and text, it returns the stored state."""
    found, library = asking.run(run), asking.library
    sent = body.seq, body.raw
    return episode_out(found, agent_steps.act(asking.store, library, found, episode, *sent, now))


@router.post("/runs/{run}/episodes/{episode}/answer", responses=SENT)
def send_answer(asking: Playing, run: Number, episode: Number, body: Answer, now: At) -> EpisodeOut:
    """Say what defeats a guardian of the direct format, once. The verdict is not shown."""
    found, typed = asking.run(run), body.model_dump()
    shown = agent_steps.state_answer(asking.store, asking.library, found, episode, typed, now)
    return episode_out(found, shown)


@router.post("/runs/{run}/variants/{variant}/explanation", responses=SENT)
def send_rule(asking: Playing, run: Number, variant: Number, body: Rule, now: At) -> RuleOut:
    """Explain the rule of a variant, once, when all its episodes are over."""
    found, typed = asking.run(run), body.model_dump()
    agent_steps.explain(asking.store, asking.library, found, variant, typed, now)
    return RuleOut(run=run, variant=variant)


@router.get("/runs/{run}/result", responses=refusals(404, 409, 422))
def show_result(asking: Asking, run: Number) -> ResultOut:
    """Read the result, when everything is played and explained."""
    found = asking.run(run)
    with asking.store.read() as db:
        listed = [Outcome(**one._asdict()) for one in agents.result(db, asking.library, found)]
    return ResultOut(
        run=run,
        label=found.label,
        episodes=listed,
        ecsr=by_task(listed, "episodic"),
        direct_accuracy=by_task(listed, "direct"),
    )


def by_task(listed: list[Outcome], form: str) -> dict[str, float]:
    """Return task -> mean efficiency, or share of right answers, over its episodes."""
    found: dict[str, list[float]] = {}
    for one in listed:
        if one.format == form:
            value = float(one.won) if form == "direct" else one.norm_eff or 0.0
            found.setdefault(one.task, []).append(value)
    return {task: sum(values) / len(values) for task, values in found.items()}


@router.get("/docs", include_in_schema=False)
def show_docs(request: Request) -> Response:
    """Show the API as a page, made from its OpenAPI description."""
    operations = [
        {
            "method": method.upper(),
            "path": PREFIX + path,
            "about": operation.get("description", operation["summary"]),
            "fields": fields_of(request.app.openapi(), operation),
        }
        for path, methods in request.app.openapi()["paths"].items()
        for method, operation in methods.items()
    ]
    p = {
        "about": ABOUT,
        "operations": operations,
        "schema": f"{PREFIX}/openapi.json",
        "problems": CODES,
    }
    return render(request, "models/agent_docs.html", page=Page("api", "API for agents"), p=p)


def fields_of(schema: dict[str, Any], operation: dict[str, Any]) -> list[dict[str, str]]:
    """Return the fields of an operation's request."""
    content = operation.get("requestBody", {}).get("content", {})
    name = content.get("application/json", {}).get("schema", {}).get("$ref", "").rpartition("/")[2]
    found = schema["components"]["schemas"].get(name, {"properties": {}})
    needed = found.get("required", [])
    return [
        {
            "name": key,
            "about": one.get("description", ""),
            "needed": "required" if key in needed else "optional",
        }
        for key, one in found["properties"].items()
    ]
