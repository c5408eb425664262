"""ACE (Zhang et al. 2026): advice gathered from failed episodes, then frozen."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from app.agents.asking import Ask, Asking, ContextTooLongError, as_text, read_object
from app.agents.playing import WON, Played, Setting, plain
from app.agents.presets import Preset
from app.agents.wording import fill
from app.agents.words import log
from app.game.names import shuffled

EMPTY = "(empty)"


@dataclass(slots=True)
class Entry:
    """One piece of advice and how often a reflection called it helpful or harmful."""

    text: str
    helpful: int = 0
    harmful: int = 0


@dataclass(slots=True)
class Playbook:
    """Numbered advice: id -> entry, in order."""

    entries: dict[str, Entry] = field(default_factory=dict)
    made: int = 0

    def add(self, texts: Sequence[str]) -> None:
        """Add advice under new ids."""
        known = {one.text for one in self.entries.values()}
        for text in texts:
            if text and text not in known:
                self.made += 1
                self.entries[f"b{self.made:03d}"] = Entry(text)
                known.add(text)

    def judge(self, helpful: Sequence[str], harmful: Sequence[str]) -> None:
        """Count what a reflection says about the advice."""
        for name in helpful:
            if name in self.entries:
                self.entries[name].helpful += 1
        for name in harmful:
            if name in self.entries:
                self.entries[name].harmful += 1

    def remove(self, names: Sequence[str]) -> None:
        """Remove advice by id; ids that do not exist are ignored."""
        for name in names:
            self.entries.pop(name, None)

    def listed(self) -> str:
        """Return the advice, one line each with its id and counts."""
        return "\n".join(
            f"[{name}] (helpful {one.helpful}, harmful {one.harmful}) {one.text}"
            for name, one in self.entries.items()
        )

    def advice(self) -> str:
        """Return the advice as part of the questions for actions; '' if there is none."""
        lines = [f"[{name}] {one.text}" for name, one in self.entries.items()]
        return fill("ace_advice", playbook="\n".join(lines)).strip() if lines else ""


def gather(settings: Sequence[Setting], preset: Preset) -> Asking[str]:
    """Play episodes without advice, reflect on the failed ones, return the playbook's text."""
    traces = []
    for setting in settings:
        played = yield from plain(setting)
        if played.end != WON:
            traces.append(trace_of(setting, played))
    return (yield from learn(traces, preset))


def trace_of(setting: Setting, played: Played) -> str:
    """Return a failed episode as reflections show it."""
    return f"{setting.view.goal.text}\n{log(played.turns)}"


def learn(traces: Sequence[str], preset: Preset) -> Asking[str]:
    """Reflect on failed episodes and remove duplicates; return the playbook's text.

    A question that is longer than the model's context teaches nothing: its call is in the log
    with the class `context`, and the next one is asked.
    """
    if len(traces) > preset.playbook_traces:
        traces = shuffled(traces, Random(preset.playbook_seed))[: preset.playbook_traces]
    book = Playbook()
    for trace in traces:
        with suppress(ContextTooLongError):
            yield from reflect(book, trace, preset)
    if len(book.entries) > 1:
        with suppress(ContextTooLongError):
            yield from deduplicate(book, preset)
    return book.advice()


def reflect(book: Playbook, trace: str, preset: Preset) -> Asking[None]:
    """Ask what one failed episode teaches."""
    prompt = fill("ace_reflect", playbook=book.listed() or EMPTY, trace=trace)
    found = read_object((yield Ask("reflection", prompt, preset.playbook_tokens)), "new") or {}
    book.judge(texts(found.get("helpful")), texts(found.get("harmful")))
    book.add(texts(found.get("new")))


def deduplicate(book: Playbook, preset: Preset) -> Asking[None]:
    """Ask which advice only repeats other advice, and remove it."""
    prompt = fill("ace_duplicates", playbook=book.listed())
    found = read_object((yield Ask("duplicates", prompt, preset.playbook_tokens)), "remove") or {}
    book.remove(texts(found.get("remove")))


def texts(value: object) -> list[str]:
    """Return the texts of a JSON list; anything else in it is dropped."""
    return [as_text(one) for one in value if as_text(one)] if isinstance(value, list) else []
