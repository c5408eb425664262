"""The methods paragraph: sentences generated from stored data, for a paper or its appendix."""

from typing import Any

from app.counted import counted
from app.study.agreement import blinding, other_raters

WORDS = {"overall": "one overall score", "criteria": "four criteria"}


def paragraphs(report: dict[str, Any]) -> list[str]:
    """Return the paragraphs: who rated what, the sample, the results, the limits."""
    parts = [who(report), sample(report), results(report), judge(report), limits(report)]
    return [part for part in parts if part]


def who(report: dict[str, Any]) -> str:
    """Describe who rated, with what guidelines, and what they could see."""
    turn, raters = report["round"], report["raters"]
    gold = turn["ratings_by_kind"].get("gold", 0)
    training = turn["ratings_by_kind"].get("training", 0)
    repeated = sum(one["repeats"]["items"] for one in raters)
    skipped = sum(one["skipped"] for one in raters)
    rated = sum(one["rated"] for one in raters)
    active = sum(bool(one["rated"] or one["skipped"]) for one in raters)
    text = (
        f"{part(active, len(raters), 'person', 'people')} rated "
        f"{part(report['items_rated'], report['items'], 'explanation')} "
        f"on a scale of {', '.join(map(str, report['scale']))} ({WORDS[turn['mode']]}"
        f"{of(report)}), with {counted(turn['k'], 'rater')} per explanation, following version "
        f"{turn['rubric_version']} of the guidelines (SHA-256 {turn['rubric_hash'][:12]}). Each "
        "rater saw the explanations in their own random order, together with the ground truth "
        f"({wording(turn)}) and the guidelines. {presented(turn)}{form(report)} Raters were not "
        "shown the author, whether the author was a person or a model, the judge's score, or other "
        "ratings. "
        f"{counted(rated, 'rating was', 'ratings were')} given and {skipped} skipped."
    )
    text += blinding.sentence(report)
    if training:
        text += " Raters started with training items with known answers, which are left "
        text += "out of all results."
    if gold:
        text += " Items with known answers (gold items) were mixed in and are left out "
        text += "of all coefficients." + watched(turn)
    if repeated:
        text += f" {counted(repeated, 'item was', 'items were')} shown to a rater twice, unmarked."
    if turn["interim"]:
        text += " The round was still open, so these results are interim."
    return text


def watched(turn: dict[str, Any]) -> str:
    """Say what raters learned from gold items, and who was paused because of them."""
    text = " Raters saw the answer after each gold item." if turn["gold_feedback"] else ""
    if turn["gold_least"]:
        text += (
            f" After at least {counted(turn['gold_after'], 'gold item')}, raters with less than "
            f"{turn['gold_least']}% of them right were paused until a researcher let them continue."
        )
    return text


def presented(turn: dict[str, Any]) -> str:
    """Say in which form raters saw the texts."""
    if turn["presentation"] is None:
        return "The texts were shown as written, with the headings of the players' form."
    return (
        f"All texts were shown in one form (version {turn['presentation']}): one paragraph, "
        "without headings, markup, symbols, line breaks and typographic marks; the other words "
        "were not changed."
    )


def form(report: dict[str, Any]) -> str:
    """Say how well the form of the texts alone tells people from models."""
    found = report["form"]
    if found is None:
        return " Whether form alone tells people from models was not tested (too few texts)."
    verdict = "told" if found["tells"] else "did not tell"
    return (
        f" Form alone {verdict} people from models: a classifier that sees lengths and punctuation "
        f"but no words ordered {found['area']:.0%} of pairs of a person's and a model's text "
        f"correctly (cross-validated AUC {found['area']:.3f}, 95% interval {found['low']:.3f} to "
        f"{found['high']:.3f}; {counted(found['people'], 'text')} by people, {found['models']} by "
        "models; chance is 0.5)."
    )


def wording(turn: dict[str, Any]) -> str:
    """Name the wording of the rules that raters saw, as stored with ratings or else the round."""
    shown = turn["rule_versions_shown"]
    if not shown:
        shown = [{"version": turn["rule_version"], "ratings": 0}]
    names = [
        "version unknown" if one["version"] is None else f"version {one['version']}"
        for one in shown
    ]
    if len(shown) == 1:
        return f"as worded by hjstudy, {names[0]}"
    counts = zip(names, shown, strict=True)
    said_all = ", ".join(f"{name} with {counted(one['ratings'], 'rating')}" for name, one in counts)
    return f"as worded by hjstudy, {said_all}"


def of(report: dict[str, Any]) -> str:
    """Name the dimension if there are several."""
    return "" if len(report["dimensions"]) == 1 else f"; here: {report['dimension']}"


def sample(report: dict[str, Any]) -> str:
    """Describe how the explanations were drawn."""
    drawn = report["sample"]
    if drawn is None:
        return str(report["no_pool_reason"])
    strata = drawn["strata"]
    levels = sorted({one["level"] for one in strata})
    sizes = "; ".join(
        f"level {level}: {sum(s['drawn'] for s in strata if s['level'] == level)} of "
        f"{sum(s['population'] for s in strata if s['level'] == level)}"
        for level in levels
    )
    way = (
        "systematically from a list sorted by task and source"
        if drawn["allocation"] == "proportional"
        else "balanced across sources, then tasks, with a weight for each cell"
    )
    text = (
        f"The explanations were drawn from a frozen frame of {drawn['frame_size']} explanations "
        f"scored by the judge {drawn['judge']} (frame hash {drawn['frame_hash'][:12]}), stratified "
        f"by its score. {drawn['per_level']} per level were requested; within a level, the sample "
        f"was drawn {way} (seed {drawn['seed']}). Drawn: {sizes}. Pool estimates weight each "
        "stratum by its size divided by its usable items."
    )
    if drawn["shortfalls"]:
        text += f" Fewer than requested: {'; '.join(drawn['shortfalls'])}."
    if drawn["merged"]:
        text += f" Merged cells: {'; '.join(drawn['merged'])}."
    return text


def results(report: dict[str, Any]) -> str:
    """State the coefficients of both rows."""
    lines = []
    for name in ("pool", "balanced"):
        row = report["rows"][name]
        if row is None:
            continue
        title = {
            "balanced": "In the sample as drawn (unweighted, which describes only these items)",
            "pool": "Estimated for the pool (weighted)",
        }[name]
        if report["sample"] is None:
            title = "Over all rated items"
        human = row["human_human"]
        text = f"{title}, Krippendorff's alpha ({report['level']}) between humans was "
        text += number_text(human["alpha"], human["status"]) + span(human)
        text += f" over {counted(human['n_pairable'], 'item')} with two or more ratings"
        for one in row["human_judge"]:
            value = one["mean"]["value"]
            text += f"; between a human and {one['judge']} {number_text(value, 'undefined')}"
            text += f"{span(one['mean'])} on average"
            if one["difference"]["value"] is not None:
                gap = one["difference"]
                text += f" (difference {gap['value']:+.3f}{span(gap)})"
        lines.append(text + ".")
    draws = report["bootstrap"]
    return (
        " ".join(lines)
        + " Intervals are 95% expanded percentile bootstraps over items, stratified like the "
        f"sample ({draws['replicates']} replicates, seed {draws['seed']}), smoothed by two thirds "
        "of a made-up item per judge level, with the same draws for both sides of a difference."
    )


def judge(report: dict[str, Any]) -> str:
    """Name the judges and the corrected mean."""
    if not report["judges"]:
        return ""
    names = "; ".join(
        f"{one['judge']} (model {one['model'] or 'not given'}, prompt version "
        f"{one['prompt_version'] or 'not given'}, {one['ok']} scores, {one['malformed']} malformed)"
        for one in report["judges"]
    )
    text = f"Judges: {names}. Judges were never counted as coders in human-human agreement."
    if report["corrected"] and report["corrected"][0]["value"] is not None:
        mean = report["corrected"][0]
        text += f" The pool's mean score, corrected with the human ratings, is {mean['value']:.3f}"
        if mean["low"] is not None:
            text += f" (95% interval {mean['low']:.3f} to {mean['high']:.3f})"
        own = mean["judge"]
        text += "." if own is None else f"; the judge's own mean is {own:.3f}."
    return text


def limits(report: dict[str, Any]) -> str:
    """State what the numbers do not show."""
    parts = []
    if report["sample"] is not None:
        parts.append(
            "The results for the sample as drawn describe a pool with equal judge levels, which "
            "does not exist; their gap between human-human and human-judge agreement can be an "
            "artefact of sampling."
        )
    if len(report["raters"]) <= 2:  # noqa: PLR2004 - two raters
        parts.append(
            "With at most two raters, the intervals generalise to other items, not to other raters."
        )
    if wider := other_raters.sentence(report):
        parts.append(wider)
    row = report["rows"]["balanced"]
    reason = row["human_human"]["cluster_interval_reason"] if row else None
    if reason is not None and reason["code"] == "clusters":
        parts.append(f"Intervals over authors (clusters): {reason['reason']}.")
    flags = sorted(
        {flag for one in report["rows"].values() if one for flag in one["human_human"]["flags"]}
    )
    if flags:
        parts.append(f"Flags: {', '.join(flag.replace('_', ' ') for flag in flags)}.")
    if left := report["final"]["adjudicated"]["open"]:
        said_left = counted(left, "disagreement is", "disagreements are")
        parts.append(f"{said_left} not yet adjudicated.")
    parts.append("Alpha counts a constant difference between coders as disagreement.")
    return " ".join(parts)


def number_text(value: float | None, status: str) -> str:
    """Return a coefficient with three decimals, or 'undefined' with its status."""
    return f"undefined ({status.replace('_', ' ')})" if value is None else f"{value:.3f}"


def span(found: dict[str, Any]) -> str:
    """Return an interval in brackets, or the reason for none."""
    if found["interval"] is None:
        code = found["interval_reason"]["code"]
        return (
            "" if code == "undefined" else f" (no interval: {found['interval_reason']['reason']})"
        )
    return f" (95% interval {found['interval']['low']:.3f} to {found['interval']['high']:.3f})"


def part(some: int, count: int, one: str, many: str = "") -> str:
    """Return a count with its noun, such as `3 people`, or `2 of 3 people` for a part."""
    whole = counted(count, one, many)
    return whole if some == count else f"{some} of {whole}"
