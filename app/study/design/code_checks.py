"""Checklist: whether people get back to the platform, with the code of what happened to them."""

import re
from collections.abc import Iterator

from app.study.design.check_item import FINE, LOOK, RECRUITING, Check, Fault
from app.study.design.spec import StudySpec

PROLIFIC = re.compile(r"https://([^/?#@]+\.)?prolific\.com?([/?#:]|$)", re.IGNORECASE)
COMPLETE = "https://app.prolific.com/submissions/complete"
CODE_THERE = re.compile(r"[?&]cc=[^&#]")  # Prolific's parameter, with a value
EXAMPLE = re.compile(r"C\dABCDEF", re.IGNORECASE)  # as in our guides


def codes(spec: StudySpec) -> Check:
    """Check that people get back to the platform with a code that says how their part ended."""
    own, title = spec.codes, "Codes"
    if spec.is_of_bots:
        return Check("codes", FINE, title, "Only bots play this study, and they need no codes.")
    code = "the same code" if own.kind == "static" else "a code of their own"
    words = [f"Everyone who finishes gets {code}."]
    if not own.return_url:
        words.append("There is no return address, so participants copy the code by hand.")
    if not (faults := [*way_back(spec), *given(spec)]):
        return Check("codes", FINE, title, " ".join(words))
    found = " ".join([*words, *(one.found for one in faults if one.found)])
    advice = " ".join(one.advice for one in faults)
    return Check("codes", LOOK, title, found, advice, faults[0].path)


def entry(spec: StudySpec) -> list[Check]:
    """Say that people from Prolific can enter without an ID, if they can; [] if not."""
    is_prolific = PROLIFIC.match(spec.codes.return_url) is not None
    if spec.kind not in RECRUITING or not is_prolific or spec.people.require != "nothing":
        return []
    found = (
        "People return to Prolific, but a link need not carry an ID. Whoever enters without one "
        "can play to the end, and is then missing from bonus.csv."
    )
    advice = "Require an ID, unless people without one take part, too."
    return [Check("entry", LOOK, "Entry", found, advice, "people.require")]


def way_back(spec: StudySpec) -> Iterator[Fault]:
    """Yield what is wrong with the return address."""
    own, path = spec.codes, "codes.return_url"
    if not own.return_url:
        if spec.kind == "real":
            yield Fault("", "Enter the platform’s return address.", path)
        return
    is_prolific = PROLIFIC.match(own.return_url) is not None
    if is_prolific and not reads_prolific(spec):
        yield Fault(
            "People return to Prolific, but the link does not read their Prolific ID.",
            "Add PROLIFIC_PID to the parameters with IDs: a list there replaces the usual one.",
            "options.id_parameters",
        )
    if "{code}" not in own.return_url:
        yield from without_code(spec, is_prolific=is_prolific)
    if own.kind == "personal" and is_prolific:
        yield Fault(
            "Prolific accepts only one code for everyone who finishes.",
            "Choose “the code below” (static), and enter the code that Prolific shows you.",
            "codes.kind",
        )


def without_code(spec: StudySpec, *, is_prolific: bool) -> Iterator[Fault]:
    """Yield what is wrong with a return address that has no place for the code."""
    own, path = spec.codes, "codes.return_url"
    others = [name for name in outcomes(spec) if own.of(name)]
    if is_prolific and not CODE_THERE.search(own.return_url):
        yield Fault(
            "People return to Prolific without their code.", f"Use {COMPLETE}?cc={{code}}.", path
        )
    elif own.kind == "personal":
        yield Fault(
            "The return address does not contain {code}, so the code is not passed on.",
            "Put {code} where the platform expects it.",
            path,
        )
    elif others and own.passes_on(own.finished):
        yield Fault(
            "The return address contains the code for finishing, so everyone with a code submits "
            "that one, whether they finish or not.",
            "Put {code} in its place.",
            path,
        )


def given(spec: StudySpec) -> Iterator[Fault]:
    """Yield which codes are missing, equal, or copied from our guides."""
    labels = outcomes(spec)
    missing = [name for name in labels if not spec.codes.of(name)]
    if missing and spec.codes.return_url:
        listed = ", ".join(labels[name] for name in missing)
        yield Fault(
            f"There is no code for participants who: {listed}.",
            "Enter the platform’s codes for them. Without a code, they must return the study.",
            f"codes.{missing[0]}",
        )
    if spec.kind not in RECRUITING:
        return
    static = {"finished": "finish"} if spec.codes.kind == "static" else {}
    labels = {**static, **labels, "technical": "are stopped by a technical problem"}
    typed = {name: code for name in labels if (code := spec.codes.of(name).strip())}
    yield from equal(typed, labels)
    if examples := {name: code for name, code in typed.items() if EXAMPLE.fullmatch(code)}:
        yield Fault(
            f"These codes are examples from the guides: {', '.join(sorted({*examples.values()}))}.",
            "Enter the codes that the platform shows you.",
            f"codes.{next(iter(examples))}",
        )


def equal(typed: dict[str, str], labels: dict[str, str]) -> Iterator[Fault]:
    """Yield each code that people with different outcomes get. Both arguments: outcome -> text."""
    groups = dict[str, list[str]]()
    for name, code in typed.items():
        groups.setdefault(code.casefold(), []).append(name)
    for names in groups.values():
        if len(names) == 1:
            continue
        *some, last = (labels[name] for name in names)
        listed = f"{', '.join(some)} or {last}"
        why = (
            "so people who do not finish submit the code for finishing, and may be paid for it"
            if "finished" in names
            else "so the platform’s list does not tell them apart"
        )
        yield Fault(
            f"Participants get the same code, {typed[names[0]]}, if they {listed}, {why}.",
            "Create a code for each of these outcomes on the platform, and enter it.",
            f"codes.{names[1]}",
        )


def reads_prolific(spec: StudySpec) -> bool:
    """Tell whether a parameter of the links carries Prolific's IDs, under a usual name."""
    names = {name.casefold() for name in spec.options.id_parameters}
    return bool({"prolific_pid", "prolific_id", "pid"} & names)


def outcomes(spec: StudySpec) -> dict[str, str]:
    """Return the outcomes besides finishing that the design can lead to -> in words."""
    asked = spec.questions
    screens = any(one.screen_out for one in asked.before)
    return {
        "no_consent": "do not consent",
        **({"screened_out": "are screened out"} if screens else {}),
        **({"failed_check": "fail the check"} if asked.comprehension else {}),
        "withdrawn": "withdraw",
    }
