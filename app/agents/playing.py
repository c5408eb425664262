"""Playing an episode: the loop that all methods share, and what each method adds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from app.agents import hypotheses
from app.agents.asking import Ask, Asking, ContextTooLongError, as_text, read_object
from app.agents.presets import Preset
from app.agents.wording import fill
from app.agents.words import Turn, log, sections
from app.game import world
from app.game.command import InputError
from app.game.model import Episode, Variant
from app.game.view import PlayerView, player_view
from app.game.world import World, build_world

CONDITIONAL = "A-Cond"
AGENT = "agent"  # a program that plays by itself; see hosted.py
METHODS = ("plain", "react", "hr", "idea", "ace")
WON, LOST, PATIENCE, CONTEXT = ENDS = ("won", "lost", "patience", "context")

Revise = Callable[[str, Sequence[Turn]], Asking[str]]  # advice, turns so far -> new advice


@dataclass(frozen=True, slots=True)
class Setting:
    """One episode to play: its world, what the player sees of it, and the preset."""

    world: World
    view: PlayerView
    preset: Preset


def tries(variant: Variant, episode: Episode, preset: Preset) -> int:
    """Return n_tries of an episode, which the package sets differently for A-Cond."""
    if variant.task.name == CONDITIONAL and not variant.built:
        return preset.conditional_tries
    return episode.n_tries


def budget_of(variant: Variant, episode: Episode, preset: Preset) -> int | None:
    """Return the budget of an episode; another engine sets its own, in every preset."""
    if variant.built:
        return episode.budget
    return episode.ref_length * tries(variant, episode, preset) * preset.budget_factor


def setting_of(variant: Variant, index: int, preset: Preset) -> Setting:
    """Return one of the variant's episodes (index from 0), with the preset's budget."""
    episode = variant.episodes[index]
    budget = budget_of(variant, episode, preset)
    return Setting(
        world=build_world(variant, episode.entity, episode.process, budget),
        view=player_view(variant, index, budget_shown=preset.budget_shown),
        preset=preset,
    )


@dataclass(slots=True)
class Played:
    """How an episode went. `advice`: the last hypothesis, or the playbook; '' without one.

    `end`: won; lost (budget used up); patience (too many refusals in a row); context (the prompt
    became longer than the model's context). `unreadable`: answers that named no command.
    """

    turns: list[Turn] = field(default_factory=list)
    end: str = LOST
    advice: str = ""
    unreadable: int = 0


def read_command(text: str) -> str | None:
    """Return the command line that an answer names, or None if it names none."""
    found = read_object(text, "action")
    if found is None:
        return None
    line = f"{as_text(found['action'])} {as_text(found.get('argument'))}".strip()
    return line or None


def action_prompt(setting: Setting, turns: Sequence[Turn], advice: str, template: str) -> str:
    """Return the question for the next action."""
    parts = sections(setting.view)
    return fill(
        template,
        view=f"{parts.before_goal}\n\n{parts.goal}",
        advice=f"{advice}\n\n" if advice else "",
        log=log(turns),
    )


def episode(
    setting: Setting, template: str = "plain", advice: str = "", revise: Revise | None = None
) -> Asking[Played]:
    """Play an episode. `revise`: asked for new advice after each attempt that failed."""
    played, tired = Played(advice=advice), 0
    preset, state = setting.preset, world.start(setting.world)
    try:
        while not state.done and tired < preset.patience and not spent(setting, played):
            prompt = action_prompt(setting, played.turns, played.advice, template)
            line = read_command((yield Ask("action", prompt, preset.action_tokens)))
            try:
                typed, state, seen = world.play(setting.world, state, line or "")
            except InputError:  # no command, or none that people could send
                played.unreadable += 1
                tired += 1
                continue
            asked = len(played.turns) + played.unreadable + 1
            played.turns.append(Turn(line or "", typed, state, seen, asked))
            failed = seen.code == "failed"
            tired = tired + 1 if failed or not seen.ok else 0
            if failed and revise is not None and not state.done:
                played.advice = yield from revise(played.advice, played.turns)
    except ContextTooLongError:
        played.end = CONTEXT
        return played
    played.end = WON if state.success else PATIENCE if tired >= preset.patience else LOST
    return played


def spent(setting: Setting, played: Played) -> bool:
    """Tell whether unreadable answers have used up the rest of the budget."""
    budget = setting.world.budget
    costs = setting.preset.unreadable_costs and budget is not None
    return costs and len(played.turns) + played.unreadable >= (budget or 0)


def plain(setting: Setting) -> Asking[Played]:
    """Name one action after another."""
    return (yield from episode(setting))


def react(setting: Setting) -> Asking[Played]:
    """Think before each action (Yao et al. 2023)."""
    thinks = "react" if setting.preset.react_reasoning else "react_silent"
    return (yield from episode(setting, thinks))


def refine(setting: Setting) -> Asking[Played]:
    """Propose and refine hypotheses first (Qiu et al. 2024), then play with the best one."""
    try:
        found = yield from hypotheses.refined(shown(setting), setting.preset)
    except ContextTooLongError:
        return Played(end=CONTEXT)
    return (yield from episode(setting, advice=hypotheses.advice("hr_advice", found)))


def idea(setting: Setting) -> Asking[Played]:
    """Abduce a hypothesis, act on it, revise it after each failed attempt (He et al. 2024)."""
    seen = shown(setting)
    try:
        found = yield from hypotheses.abduced(seen, setting.preset)
    except ContextTooLongError:
        return Played(end=CONTEXT)

    def revise(advice: str, turns: Sequence[Turn]) -> Asking[str]:
        latest = log(turns[-setting.preset.last_turns :])
        return (yield from hypotheses.revised(seen, advice, latest, setting.preset))

    return (yield from episode(setting, advice=found, revise=revise))


def shown(setting: Setting) -> str:
    """Return what a call for a hypothesis shows."""
    parts = sections(setting.view)
    sees_goal = setting.preset.hypothesis_sees_goal
    return f"{parts.before_goal}\n\n{parts.goal}" if sees_goal else parts.before_goal


WITHOUT_PLAYBOOK: Mapping[str, Callable[[Setting], Asking[Played]]] = {
    "plain": plain,
    "react": react,
    "hr": refine,
    "idea": idea,
}


def play(method: str, setting: Setting, playbook: str = "") -> Asking[Played]:
    """Return the generator of a method, one of METHODS. `playbook`: ACE's, frozen."""
    if method == "ace":
        return episode(setting, advice=playbook)
    return WITHOUT_PLAYBOOK[method](setting)
