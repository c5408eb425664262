"""The values that the game core passes around: task, variant and their parts. All are frozen.

Terms: a *cell* is (class index, role index); an *output* is what the rule gives for a cell, one
value per dimension of the task's output space (so `(3,)` is size 3, `(0, 1)` is activity 0 in
order 1). Names (words a player reads) appear only in a variant.
"""

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

Cell = tuple[int, int]
Output = tuple[int, ...]
Grid = tuple[tuple[Output, ...], ...]  # grid[class index][role index]
Command = str  # a canonical command line, such as `buy size_3_spear`

ACTIVITIES = ("perform", "drink")  # value 0 and 1 of the dimension `activity`
ORDERS = ("before", "after")  # value 0 and 1 of the dimension `order`, both against `buy`
COVERAGES = ("0", "1/3", "2/3", "1", "2")  # shown share of the source demonstrations, k / k*
FORMS = ("additive", "compositional", "conditional", "override")
FAMILIES = ("attribute", "procedural")
SPLIT_LAWS = ("latin", "regime", "held_out_class", "any_one")


@dataclass(frozen=True, slots=True)
class Dimension:
    """One dimension of the output space.

    `name`: size, color (attribute tasks); activity, order, count (procedural tasks).
    `values`: the integers the rule can give, such as (0, 1, 2); with `numbered` they are shown
    and added as numbers (A-Add's sizes, P-Add's counts); otherwise each stands for a word.
    """

    name: str
    values: tuple[int, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """A task as data: rule form with its tables, output space, split law, n_tries.

    `tables`, by form (index = class or role index):
      additive       {"class": phi1, "role": phi2}
      compositional  {"class": values of dimension 0, "role": values of dimension 1}
      conditional    {"regime": R(class), "fixed": (regime 0's, regime 1's),
                      "regime_0": by role, "regime_1": by role}; `varies` says which dimension the
                      role decides in regime 0 and in regime 1 (the other is fixed)
      override       {"base": output by class, "u": (u*,), "h": output}
    `fixed`: dimensions of a procedural process that the rule does not touch, such as
    (("activity", 0), ("order", 0)) in P-Add.
    """

    name: str
    family: str
    form: str
    n_class: int
    n_role: int
    dimensions: tuple[Dimension, ...]
    tables: tuple[tuple[str, tuple[int, ...] | tuple[Output, ...]], ...]
    varies: tuple[int, int]  # conditional only; (0, 0) elsewhere
    fixed: tuple[tuple[str, int], ...]
    split_law: str
    n_tries: int


@dataclass(frozen=True, slots=True)
class Entity:
    """A guardian. `cell` is None for a distractor; `split` is source, gen or distractor."""

    name: str
    cell: Cell | None
    place: str
    split: str
    attributes: tuple[tuple[str, str], ...]  # (label, value), in the order they are shown


@dataclass(frozen=True, slots=True)
class Item:
    """Something to buy: its name, the shop that sells it and its price in coins."""

    name: str
    shop: str
    price: int


@dataclass(frozen=True, slots=True)
class Activity:
    """A ritual or potion. `verb`: perform or drink; `name`: the variant's only one of its kind."""

    verb: str
    name: str


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a demonstration: the canonical command and the world's answer in words."""

    command: Command
    message: str


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A solved episode of a source entity, or of a `distractor`, which follows no pattern."""

    entity: str
    distractor: bool
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Process:
    """What one entity requires: buy `item`, and `count` times `activity` before/after `buy`.

    Attribute tasks: `activity` and `order` are None and `count` is 0.
    `ref_length` = 4 + count (go, buy, go, defeat).
    """

    item: str
    activity: Activity | None
    order: str | None
    count: int

    @property
    def ref_length(self) -> int:
        """Number of nodes of the goal network."""
        return 4 + self.count


@dataclass(frozen=True, slots=True)
class Episode:
    """One gen entity to defeat. `budget` in actions; None = no limit (practice only)."""

    entity: str
    goal: str
    output: Output
    process: Process
    ref_length: int
    n_tries: int
    budget: int | None
    solutions: tuple[tuple[Command, ...], ...]


class Answer(NamedTuple):
    """What another engine says to one action, in its own words, and the state afterwards.

    `ok`: it had an effect; `won`: it reached the goal; `carried`: what the player carries.
    """

    words: str
    ok: bool
    won: bool
    location: str
    carried: tuple[str, ...]
    coins: int


class Engine(Protocol):
    """Another engine, which plays the episodes of one variant in its own world."""

    def act(self, entity: str, did: tuple[Command, ...], verb: str, argument: str) -> Answer:
        """Take an action in an entity's episode, after the actions that had an effect."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A task with names, a split and demonstrations: everything an episode is made of.

    `outputs`: every output the rule's form can use, with the process it means (item names
    included), in index order; `grid`: the hidden rule over all cells. Players never see either.
    `demonstrations`: as shown (coverage applied), in the shown order.
    `built`: what another engine made and needs to play the variant; '' for our own variants.
    `engine`: that engine, added to a stored variant before it is played.
    """

    task: Task
    seed: int
    lexicon: str
    coverage: str
    distractors: int
    permute_outputs: bool
    engine_version: str
    labels: tuple[str, str]
    classes: tuple[str, ...]
    roles: tuple[str, ...]
    grid: Grid
    gen_cells: tuple[Cell, ...]
    outputs: tuple[tuple[Output, Process], ...]
    entities: tuple[Entity, ...]
    items: tuple[Item, ...]
    activities: tuple[Activity, ...]
    places: tuple[str, ...]
    start: str
    coins: int
    demonstrations: tuple[Demonstration, ...]
    episodes: tuple[Episode, ...]
    built: str = ""
    engine: Engine | None = field(default=None, compare=False, repr=False)

    def entity(self, name: str) -> Entity:
        """Return the entity with exactly that name. Raises KeyError if there is none."""
        for entity in self.entities:
            if entity.name == name:
                return entity
        raise KeyError(name)
