"""The calls in which HR and IDEA put a rule into words, apart from acting on it."""

from app.agents.asking import Ask, Asking
from app.agents.presets import Preset
from app.agents.wording import fill

KEEP = "KEEP"  # HR: the rule agrees with every account


def refined(shown: str, preset: Preset) -> Asking[str]:
    """Propose candidates, choose one, and correct it until it agrees with every account."""
    prompt = fill("hr_propose", shown=shown, number=preset.hypotheses)
    rule = (yield Ask("hypothesis", prompt, preset.hypothesis_tokens)).strip()
    for _ in range(preset.refinements):
        prompt = fill("hr_refine", shown=shown, rule=rule)
        answer = (yield Ask("revision", prompt, preset.hypothesis_tokens)).strip()
        if not answer or answer.strip("\"'`*. ").upper() == KEEP:
            break
        rule = answer
    return rule


def abduced(shown: str, preset: Preset) -> Asking[str]:
    """Return the first hypothesis and plan, as advice for the next actions."""
    prompt = fill("idea_abduce", shown=shown)
    answer = yield Ask("hypothesis", prompt, preset.hypothesis_tokens)
    return advice("idea_advice", answer)


def revised(shown: str, old: str, latest: str, preset: Preset) -> Asking[str]:
    """Return advice that takes a failed attempt into account; an empty answer keeps the old."""
    prompt = fill("idea_revise", shown=shown, advice=old, log=latest)
    answer = yield Ask("revision", prompt, preset.hypothesis_tokens)
    return advice("idea_advice", answer) or old


def advice(name: str, rule: str) -> str:
    """Return a rule as part of the questions for actions; '' without a rule."""
    return fill(name, rule=rule.strip()).strip() if rule.strip() else ""
