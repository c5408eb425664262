"""The methods paragraph: sentences made of stored facts, for a paper's text or its appendix."""

from typing import Any

WORDS = {"overall": "one overall score", "criteria": "four criteria"}


def paragraphs(report: dict[str, Any]) -> list[str]:
    """Return the paragraphs: who rated what, the sample, the results, the limits."""
    parts = [who(report), sample(report), results(report), judge(report), limits(report)]
    return [part for part in parts if part]


def who(report: dict[str, Any]) -> str:
    """Say who rated, by what guidelines, and what they could see."""
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
        f"{of(report)}), {number(turn['k'], 'rater')} an explanation, by guidelines version "
        f"{turn['rubric_version']} (SHA-256 {turn['rubric_hash'][:12]}). Raters saw the text, the "
        f"ground truth ({wording(turn)}) and the guidelines, each in an order of their own; they "
        "saw neither the author, whether it was a person or a model, nor the judge's score, nor "
        f"other ratings. {rated} ratings were given and {skipped} skipped."
    )
    if training:
        text += " They began with training items with known answers, which count for nothing here."
    if gold:
        text += " Items with known answers were mixed in and are left out of all coefficients."
    if repeated:
        text += f" {number(repeated, 'item was', 'items were')} shown to a rater twice, unmarked."
    if turn["interim"]:
        text += " The round was still open: these figures are interim."
    return text


def wording(turn: dict[str, Any]) -> str:
    """Say which wording of the rules raters saw: what each rating stored, else the round."""
    shown = turn["rule_versions_shown"]
    if not shown:
        shown = [{"version": turn["rule_version"], "ratings": 0}]
    names = [
        "a version not stored" if one["version"] is None else f"version {one['version']}"
        for one in shown
    ]
    if len(shown) == 1:
        return f"in our wording, {names[0]}"
    counts = zip(names, shown, strict=True)
    said_all = ", ".join(f"{name} with {number(one['ratings'], 'rating')}" for name, one in counts)
    return f"in our wording, {said_all}"


def of(report: dict[str, Any]) -> str:
    """Name the dimension where there are several."""
    return "" if len(report["dimensions"]) == 1 else f"; here: {report['dimension']}"


def sample(report: dict[str, Any]) -> str:
    """Say how the explanations were drawn."""
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
        else "balanced over sources, then tasks, each cell with its own weight"
    )
    text = (
        f"The explanations were drawn from a frozen frame of {drawn['frame_size']} that the judge "
        f"{drawn['judge']} had scored (frame hash {drawn['frame_hash'][:12]}), stratified by its "
        f"score, {drawn['per_level']} a level wished, within a level {way} (seed {drawn['seed']}); "
        f"{sizes}. Pool estimates weight each stratum by its size over its usable items."
    )
    if drawn["shortfalls"]:
        text += f" Short: {'; '.join(drawn['shortfalls'])}."
    if drawn["merged"]:
        text += f" Cells were merged: {'; '.join(drawn['merged'])}."
    return text


def results(report: dict[str, Any]) -> str:
    """Say the coefficients of both rows."""
    lines = []
    for name, row in report["rows"].items():
        if row is None:
            continue
        title = {"balanced": "In the sample as drawn", "pool": "Estimated for the pool"}[name]
        if report["sample"] is None:
            title = "Over all rated items"
        human = row["human_human"]
        text = f"{title}, Krippendorff's alpha ({report['level']}) between humans was "
        text += said(human["alpha"], human["status"]) + span(human)
        text += f" over {number(human['n_pairable'], 'item')} with two or more ratings"
        for one in row["human_judge"]:
            value = one["mean"]["value"]
            text += f"; between a human and {one['judge']} {said(value, 'undefined')}"
            text += f"{span(one['mean'])} on average"
            if one["difference"]["value"] is not None:
                gap = one["difference"]
                text += f" (difference {gap['value']:+.3f}{span(gap)})"
        lines.append(text + ".")
    draws = report["bootstrap"]
    return (
        " ".join(lines)
        + " Intervals are 95% percentile bootstrap intervals over items, stratified as the sample "
        f"was ({draws['replicates']} replicates, seed {draws['seed']}), paired for differences."
    )


def judge(report: dict[str, Any]) -> str:
    """Say which judges there were, and the corrected mean."""
    if not report["judges"]:
        return ""
    names = "; ".join(
        f"{one['judge']} (model {one['model'] or 'not named'}, prompt version "
        f"{one['prompt_version'] or 'not named'}, {one['ok']} scores, {one['malformed']} malformed)"
        for one in report["judges"]
    )
    text = f"Judges: {names}. The judge was never a further coder inside human agreement."
    if report["corrected"] and report["corrected"][0]["value"] is not None:
        mean = report["corrected"][0]
        text += f" The pool's mean score, corrected by the human ratings, is {mean['value']:.3f}"
        if mean["variance"] is not None:
            text += f" (95% interval {mean['low']:.3f} to {mean['high']:.3f})"
        own = mean["judge"]
        text += "." if own is None else f"; the judge's own is {own:.3f}."
    return text


def limits(report: dict[str, Any]) -> str:
    """Say what the numbers do not show."""
    parts = []
    if report["sample"] is not None:
        parts.append(
            "The figures of the sample as drawn describe a pool with equal judge levels, which "
            "does not exist; the gap between human-human and human-judge agreement in it can be "
            "an artefact of the design."
        )
    if len(report["raters"]) <= 2:  # noqa: PLR2004 - two raters
        parts.append(
            "With two raters or fewer the intervals speak of other items, not of other raters."
        )
    row = report["rows"]["balanced"]
    reason = row["human_human"]["cluster_interval_reason"] if row else None
    if reason is not None and reason["code"] == "clusters":
        parts.append(f"About clusters (authors): {reason['reason']}.")
    flags = sorted(
        {flag for one in report["rows"].values() if one for flag in one["human_human"]["flags"]}
    )
    if flags:
        parts.append(f"Flags: {', '.join(flag.replace('_', ' ') for flag in flags)}.")
    if left := report["final"]["adjudicated"]["open"]:
        said_left = number(left, "disagreement is", "disagreements are")
        parts.append(f"{said_left} not adjudicated.")
    parts.append("Alpha counts a steady difference between coders as disagreement.")
    return " ".join(parts)


def said(value: float | None, status: str) -> str:
    """Return a coefficient with three decimals, or that there is none."""
    return f"undefined ({status.replace('_', ' ')})" if value is None else f"{value:.3f}"


def span(found: dict[str, Any]) -> str:
    """Return an interval in brackets, or the reason why there is none."""
    if found["interval"] is None:
        code = found["interval_reason"]["code"]
        return (
            "" if code == "undefined" else f" (no interval: {found['interval_reason']['reason']})"
        )
    return f" (95% interval {found['interval']['low']:.3f} to {found['interval']['high']:.3f})"


def part(some: int, count: int, one: str, many: str = "") -> str:
    """Return a count with its noun, `2 of 3 people` where only some of them did."""
    whole = number(count, one, many)
    return whole if some == count else f"{some} of {whole}"


def number(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun."""
    return f"{count} {one if count == 1 else many or one + 's'}"
