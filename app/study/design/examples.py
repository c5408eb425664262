"""Short, complete study files to start from; the page for a new study shows them."""

from collections.abc import Mapping
from typing import NamedTuple


class Example(NamedTuple):
    """A study file and what it is an example of."""

    title: str
    text: str


EXAMPLES: Mapping[str, Example] = {
    "short": Example(
        "A short study: one task for everyone",
        """\
slug: hidden-rules          # the address: /s/hidden-rules
title: Hidden rules         # players see it
kind: pilot                 # or demo, or real
blocks:                     # a task, and a world for each of its seeds
  - {task: A-Comp, seeds: 0-5}
per_player: 1               # worlds for each person
people: {quota: 24}
texts: {pay: GBP 3, minutes: 15, contact: lab@example.org}
payment: {base_cents: 300}
""",
    ),
    "treatments": Example(
        "Two treatments: real words for one half, made-up words for the other",
        """\
slug: two-treatments        # the address: /s/two-treatments
title: Hidden rules         # players see it
kind: pilot                 # or demo, or real
blocks:                     # the same tasks and seeds in both treatments
  - {task: A-Comp, seeds: 0-5, lexicon: semantic}
  - {task: A-Comp, seeds: 0-5, lexicon: nonce}
per_player: 1               # worlds for each person
between: lexicon            # the treatment: what differs between players
people: {quota: 48}
questions:
  before:
    - {key: age, label: "How old are you?", kind: number, least: 18, most: 120}
texts: {pay: GBP 3, minutes: 15, contact: lab@example.org}
payment: {base_cents: 300}
""",
    ),
}
