"""Questions that are asked once: the direct format, the rule in words, and the judge's score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.agents.asking import Ask, Asking, ContextTooLongError, as_text, read_object
from app.agents.presets import Preset
from app.agents.wording import fill
from app.agents.words import DIRECT, Sections, given, sections
from app.game.view import PlayerView

FIELD_WORDS: Mapping[str, str] = {
    "item": '"item": the name of the item to buy',
    "activity": '"activity": "perform" or "drink"',
    "placed": '"placed": "before" or "after", seen from the purchase',
    "times": '"times": how many times, a whole number',
}
PARTS = ("inputs", "output", "how")
OVERALL, CRITERIA = RUBRICS = ("overall", "criteria")
SCORES: Mapping[str, tuple[str, ...]] = {
    OVERALL: ("score",),
    CRITERIA: ("inputs", "output", "structure", "generality"),
}
LEVELS = (0, 1, 2)


def direct(view: PlayerView, fields: Sequence[str], preset: Preset) -> Asking[dict[str, str]]:
    """Ask what defeats a guardian. Returns the fields as typed; {} for an unreadable answer."""
    prompt = fill(
        "direct",
        shown=given(view, DIRECT),
        fields="\n".join(f"- {FIELD_WORDS[name]}" for name in fields),
    )
    try:
        answer = yield Ask("answer", prompt, preset.answer_tokens)
    except ContextTooLongError:
        return {}
    found = read_object(answer, *fields) or {}
    return {name: as_text(found[name]) for name in fields if name in found}


@dataclass(frozen=True, slots=True)
class Explanation:
    """A rule in the model's words: three parts, or one text if the answer was not in parts."""

    text: str = ""
    inputs: str = ""
    output: str = ""
    how: str = ""

    @property
    def form(self) -> str:
        """Return one, three, or '' if there is no text at all."""
        if self.inputs or self.output or self.how:
            return "three"
        return "one" if self.text else ""


def verbalize(view: PlayerView, logs: Sequence[str], preset: Preset) -> Asking[Explanation]:
    """Ask for the rule in the same three parts as people are asked.

    Args:
        view: of any episode of the variant; the goal is left out.
        logs: what the model did in the variant's episodes; () = from the accounts alone.
        preset: bounds the answer.
    """
    parts: Sections = sections(view)
    played = "\n\n".join(("WHAT YOU DID", *logs)) if logs else ""
    prompt = fill(
        "verbalize",
        shown="\n\n".join(part for part in (parts.world, parts.accounts, played) if part),
    )
    try:
        answer = yield Ask("explanation", prompt, preset.answer_tokens)
    except ContextTooLongError:
        return Explanation()
    found = read_object(answer, *PARTS)
    if found is None:
        return Explanation(text=answer.strip())
    return Explanation(**{name: as_text(found[name]) for name in PARTS})


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judge's answer: scores by name, or the problem that makes it malformed."""

    raw: str
    scores: Mapping[str, int]
    problem: str = ""


def judge(truth: str, explanation: str, rubric: str, tokens: int) -> Asking[Judgement]:
    """Ask for the score of an explanation. A malformed answer stays malformed."""
    prompt = fill(f"judge_{rubric}", truth=truth, explanation=explanation)
    try:
        answer = yield Ask("judgement", prompt, tokens)
    except ContextTooLongError as error:
        return Judgement("", {}, error.message)
    found = read_object(answer)
    if found is None:
        return Judgement(answer, {}, "the answer contains no JSON object")
    names = SCORES[rubric]
    odd = [name for name in names if not is_level(found.get(name))]
    if odd:
        return Judgement(answer, {}, f"not 0, 1 or 2: {', '.join(odd)}")
    return Judgement(answer, {name: int(found[name]) for name in names})


def response_format(rubric: str) -> dict[str, object]:
    """Return the JSON schema of a judge's answer, as endpoints take it with a request."""
    properties: dict[str, object] = {name: {"enum": list(LEVELS)} for name in SCORES[rubric]}
    properties["reasoning"] = {"type": "string"}
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    named = {"name": "judgement", "strict": True, "schema": schema}
    return {"type": "json_schema", "json_schema": named}


def is_level(value: object) -> bool:
    """Tell whether a JSON value is a whole number from 0 to 2, not in quotes."""
    return isinstance(value, int) and not isinstance(value, bool) and value in LEVELS
