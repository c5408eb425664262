"""Signs that a program or a language model may have played. Signs, never verdicts.

Each person's signs come with the numbers behind them, so that a researcher looks at the replay
before anything else. Where no script ran, signs from the browser are 'not observed', never clean.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.people import signs
from app.store.play.process_data import AUTOMATED
from app.study.design.library import Library
from app.study.people import likeness
from app.study.play import canary

LONG_TEXT = 40  # characters of explanations; shorter ones say nothing about how they were typed
CHARS_PER_KEY = 10  # more characters than this for each keystroke is too few keystrokes
PASTED_SHARE = 0.5
HIDDEN_S = 60.0
LEAD_MS = 300_000  # before a rule form
LEAST_GAPS, EVEN = 20, 0.15
BREAK_MS = 300_000
ALIKE = 0.5  # share of runs of words in common
RULE_PAGE = "/rule"
RULE_PLACE = re.compile(r"/?world/(\d+)(?:/guardian/(\d+))?/rule")
Place = tuple[int, int]  # positions of a world and its guardian; -1 = after the whole world

DEFINITIONS = {
    "few_keys": (
        "few keystrokes",
        (
            "The explanations have at least 40 characters, and more than 10 for each keystroke on "
            "the pages where they were written. Dictation and phones’ word suggestions look like "
            "this too."
        ),
    ),
    "pasted": ("pasted", "At least half of the explanations’ characters were pasted there."),
    "hidden": (
        "away before a rule",
        (
            "The window was hidden for a minute or longer on one of the pages for a rule, or on "
            "the guardian’s page in the last five minutes before such a page."
        ),
    ),
    "even": (
        "even tempo",
        (
            "There are at least 20 gaps between commands, and their standard deviation is below "
            "15 % of their mean. Breaks of over five minutes are left out."
        ),
    ),
    "automated": ("driven by a program", "The browser says that a program drives it."),
    "alike": (
        "like another’s text",
        (
            "At least half of the runs of three words in the explanations of a world, or in an "
            "answer in words, are also in another participant’s explanations of the same world, "
            "or in their answer to the same question."
        ),
    ),
    "canary": (
        "follows the hidden sentence",
        (
            "An explanation has the word that a hidden sentence on the rule form asks for. Only a "
            "copied page carries that sentence."
        ),
    ),
}
# Not the number of gaps: while a study hides outcomes, the number of turns would reveal them.
NUMBERS = ("chars", "keys", "pasted", "hidden_s", "variation", "alike")
COLUMNS = (
    "participant",
    "state",
    "observed",
    *(f"sign_{key}" for key in DEFINITIONS),
    *NUMBERS,
    "alike_with",
)


class Evidence(NamedTuple):
    """The numbers behind one person's signs. None = not observed, or too little to say.

    `chars`: characters of explanations, where a rule repeated word for word counts once; `keys`,
    `pasted`: keystrokes and pasted characters where they were written; `hidden_s`: longest time
    away from one such page, seconds; `variation`: coefficient of variation of the gaps between
    commands; `alike`: 0 to 1; `alike_with`: the other's ID; `canary`: None = the study hides no
    sentence.
    """

    chars: int
    keys: int | None
    pasted: int | None
    hidden_s: float | None
    automated: bool | None
    variation: float | None
    alike: float | None
    alike_with: str
    canary: bool | None = None


def signs_of(found: Evidence) -> dict[str, bool | None]:
    """Return each sign: seen, not seen, or None = not observed."""
    long = found.chars >= LONG_TEXT
    few = None if found.keys is None else long and found.keys * CHARS_PER_KEY < found.chars
    pasted = None if found.pasted is None else long and found.pasted >= PASTED_SHARE * found.chars
    return {
        "few_keys": few,
        "pasted": pasted,
        "hidden": None if found.hidden_s is None else found.hidden_s >= HIDDEN_S,
        "even": None if found.variation is None else found.variation < EVEN,
        "automated": found.automated,
        "alike": None if found.alike is None else found.alike >= ALIKE,
        "canary": found.canary,
    }


class Stored(NamedTuple):
    """What is stored of all real participants: themselves, browsers' reports, explanations."""

    people: Sequence[AnyRow]
    events: Sequence[AnyRow]
    texts: Sequence[AnyRow]


def read(db: Connection, study_id: int) -> Stored:
    """Read what signs are made of; the page of a study uses it twice."""
    found = (signs.people(db, study_id), signs.events(db, study_id), signs.texts(db, study_id))
    return Stored(*found)


def of_study(db: Connection, study_id: int, stored: Stored | None = None) -> list[dict[str, Any]]:
    """Return the signs of all real participants, by name of COLUMNS; most signs come first.

    Bots of a study of bots are programs, so they are left out.
    """
    stored = stored or read(db, study_id)
    found = [as_row(person, evidence) for person, evidence in evidence_of(db, study_id, stored)]
    return sorted(found, key=lambda one: -sum(one[f"sign_{key}"] == "yes" for key in DEFINITIONS))


def evidence_of(db: Connection, study_id: int, stored: Stored) -> list[tuple[AnyRow, Evidence]]:
    """Return all real participants, in the order of arrival, each with the numbers."""
    people, events, texts = stored
    left = {row.participant_id: row.total for row in signs.left_before_rule(db, study_id, LEAD_MS)}
    pages = browser(events, left)
    tempo = {row.participant_id: row for row in signs.tempo(db, study_id, BREAK_MS)}
    written: dict[int, list[str]] = defaultdict(list)
    before = set[tuple[int, str, str]]()
    for row in texts:
        rule = rule_of(row)
        one = (row.participant_id, row.variant_hash, rule)
        written[row.participant_id].append(row.found_how if one in before else whole(row))
        before.add(one)
    names = {row.id: row.public_id for row in people}
    library, found = Library(), list[tuple[AnyRow, Evidence]]()
    rules = [(row.variant_hash, row.participant_id, whole(row)) for row in texts]
    near = likeness.alike([*rules, *answers_in_words(db, study_id, library)])
    for row in people:
        share, other = near.get(row.id, (None, 0))
        own = written[row.id]
        asked = library.spec(db, row.design_id).options.canary
        evidence = Evidence(
            sum(map(len, own)),
            *pages.get(row.id, (None, None, None, None)),
            spread(tempo.get(row.id)),
            share,
            names.get(other, ""),
            any(canary.is_in(text, row.public_id) for text in own) if asked else None,
        )
        found.append((row, evidence))
    return found


def rule_places(stored: Stored) -> dict[str, Place]:
    """Return, by public ID, after which guardian the rule stands that deserves a first look.

    It is the one on whose page most was pasted or the window was hidden longest, else the last.
    """
    names = {row.id: row.public_id for row in stored.people}
    found = {row.participant_id: (row.block_position, row.after) for row in stored.texts}
    most = dict[int, int]()
    for row in stored.events:
        where = RULE_PLACE.fullmatch(row.page)
        weight = int(row.total) if row.kind in {"paste", "hidden"} else 0
        if where and weight > most.get(row.participant_id, 0):
            most[row.participant_id] = weight
            found[row.participant_id] = int(where[1]) - 1, int(where[2] or 0) - 1
    return {names[one]: place for one, place in found.items() if one in names}


def of_person(db: Connection, study_id: int, public_id: str) -> dict[str, Any] | None:
    """Return one person's signs and numbers, or None: a test participant, or erased."""
    rows = of_study(db, study_id)
    return next((row for row in rows if row["participant"] == public_id), None)


def seen_in(row: Mapping[str, Any]) -> list[str]:
    """Return the keys of the signs that were seen."""
    return [key for key in DEFINITIONS if row[f"sign_{key}"] == "yes"]


def as_row(person: AnyRow, found: Evidence) -> dict[str, Any]:
    """Return a person's signs and numbers, by name of COLUMNS."""
    words = {True: "yes", False: "no", None: "not observed"}
    seen = {f"sign_{key}": words[value] for key, value in signs_of(found).items()}
    numbers = {name: getattr(found, name) for name in NUMBERS}
    observed = words[found.automated is not None]
    return {
        "participant": person.public_id,
        "state": person.state,
        "observed": observed,
        **seen,
        **{name: "" if value is None else value for name, value in numbers.items()},
        "alike_with": found.alike_with,
    }


Browser = tuple[int | None, int | None, float | None, bool | None]


def browser(rows: Iterable[AnyRow], left: Mapping[int, int]) -> dict[int, Browser]:
    """Return keystrokes, pasted characters, longest time away (s), and whether automated.

    Args: left: participant -> longest time away just before a rule form, in milliseconds.

    The first three are None for those whose script was not seen on any page for a rule, and people
    whose script was never seen are not listed.
    """
    totals: dict[int, Counter[str]] = defaultdict(Counter)
    away: dict[int, float] = defaultdict(float)
    for row in rows:
        on_rule, own = row.page.endswith(RULE_PAGE), totals[row.participant_id]
        if row.kind in {"open", AUTOMATED}:
            own[row.kind] += 1
            own["rule"] += on_rule
        elif on_rule:
            own[row.kind] += int(row.total)
        if row.kind == "hidden" and on_rule:
            away[row.participant_id] = max(away[row.participant_id], int(row.total) / 1000)
    found: dict[int, Browser] = {}
    for one, own in totals.items():
        automated = own[AUTOMATED] > 0
        longest = max(away[one], left.get(one, 0) / 1000)
        seen = (own["keys"], own["paste"], longest) if own["rule"] else (None, None, None)
        found[one] = (*seen, automated)
    return found


def spread(row: AnyRow | None) -> float | None:
    """Return the coefficient of variation of the gaps between commands; None = too few gaps."""
    if row is None or row.number < LEAST_GAPS or not row.mean:
        return None
    variance = max(0.0, row.mean_square - row.mean**2)
    return round(sqrt(variance) / float(row.mean), 3)


def rule_of(row: AnyRow) -> str:
    """Return what was written about the rule."""
    return " ".join(filter(None, (row.text, row.inputs, row.output, row.how)))


def whole(row: AnyRow) -> str:
    """Return all that was written in a rule form."""
    return " ".join(filter(None, (rule_of(row), row.found_how)))


def answers_in_words(
    db: Connection, study_id: int, library: Library
) -> Iterator[tuple[str, int, str]]:
    """Yield (question, participant, answer) of the answers that are free texts."""
    for row in signs.answers(db, study_id):
        asked = library.spec(db, row.design_id).questions
        known = {
            one.key: one.kind for one in (asked.before if row.phase == "before" else asked.after)
        }
        if known.get(row.question, "text") == "text":
            yield f"{row.phase}: {row.question}", row.participant_id, row.value
