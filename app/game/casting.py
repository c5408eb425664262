"""Give names to indices: who stands where, what each output means and which shop sells what."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from app.errors import FieldError
from app.game.demos import demonstration, shown_cells
from app.game.model import (
    ACTIVITIES,
    ORDERS,
    Activity,
    Cell,
    Demonstration,
    Entity,
    Item,
    Output,
    Process,
    Task,
    Variant,
)
from app.game.names import Names, Seat, item_name
from app.game.rules import output_space, truth
from app.game.splits import source_cells
from app.game.taskdata import PRICE


@dataclass(frozen=True, slots=True)
class Plan:
    """What is drawn besides names and split; an empty field means 'in index order'.

    `chosen`: the source cells in the order in which coverage takes them. `order`: numbers of all
    possible demonstrations in the shown order: with n source cells, cell i is number i, its
    second entity n + i, distractor j is 2n + j; those not shown are skipped.
    """

    chosen: tuple[Cell, ...] = ()
    order: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Cast:
    """A task with its words, split and plan; every part of a variant follows from these."""

    task: Task
    names: Names
    gen_cells: tuple[Cell, ...]
    coverage: str
    plan: Plan

    def check(self) -> None:
        """Check that the words match the grid.

        Raises: FieldError: a field of Names has too many or too few entries.
        """
        task, names = self.task, self.names
        cells = task.n_class * task.n_role
        seconds = len(self.source) if self.coverage == "2" else len(names.seconds)
        wanted = {"classes": task.n_class, "roles": task.n_role, "cells": cells, "seconds": seconds}
        for field, count in wanted.items():
            has = len(getattr(names, field))
            if has != count:
                raise FieldError(field, f"must have {count} entries for this variant, not {has}")

    @property
    def source(self) -> tuple[Cell, ...]:
        """Cells that are not gen, in index order."""
        return source_cells(self.task, self.gen_cells)

    def outputs(self) -> tuple[tuple[Output, Process], ...]:
        """Return every output of the task's space with the process it means, in index order."""
        meaning = self._weapon if self.task.family == "attribute" else self._detour
        return tuple((output, meaning(output)) for output in output_space(self.task))

    def _weapon(self, output: Output) -> Process:
        """Return the process of an attribute task, whose output is an item."""
        words = (
            words[dimension.values.index(value)]
            for dimension, words, value in zip(
                self.task.dimensions, self.names.words, output, strict=True
            )
        )
        return Process(item_name(words, self.names.noun), None, None, 0)

    def _detour(self, output: Output) -> Process:
        """Return the process of a procedural task: what to do before or after buying the weapon."""
        values = dict(self.task.fixed)
        values.update(zip((d.name for d in self.task.dimensions), output, strict=True))
        activity = self._activity(ACTIVITIES[values["activity"]])
        return Process(self.names.weapon, activity, ORDERS[values["order"]], values["count"])

    def _activity(self, verb: str) -> Activity:
        return Activity(verb, self.names.ritual if verb == "perform" else self.names.potion)

    def activities(self) -> tuple[Activity, ...]:
        """Return the ritual and the potion of a procedural variant; empty for other variants."""
        verbs = ACTIVITIES if self.task.family == "procedural" else ()
        return tuple(self._activity(verb) for verb in verbs)

    def items(self) -> tuple[Item, ...]:
        """Return everything on sale, in alphabetical order: rule items and distractor items."""
        rule = {process.item for _, process in self.outputs()}
        others = {distractor.item for distractor in self.names.distractors}
        on_sale = [(name, self.names.shop) for name in rule]
        on_sale += [(name, self.names.distractor_shop) for name in others]
        return tuple(Item(name, shop, PRICE) for name, shop in sorted(on_sale))

    def entities(self) -> tuple[Entity, ...]:
        """Return all entities in alphabetical order; below coverage 1 the same as at 1."""
        cells = product(range(self.task.n_class), range(self.task.n_role))
        found = [self._entity(c, seat) for c, seat in zip(cells, self.names.cells, strict=True)]
        found += [self._entity(cell, seat) for cell, seat in self._seconds()]
        found += [
            Entity(d.seat.name, None, d.seat.place, "distractor", d.attributes)
            for d in self.names.distractors
        ]
        return tuple(sorted(found, key=lambda entity: entity.name))

    def _seconds(self) -> Iterator[tuple[Cell, Seat]]:
        """Yield the second entity of each source cell, at coverage 2."""
        if self.coverage == "2":
            yield from zip(self.source, self.names.seconds, strict=True)

    def _entity(self, cell: Cell, seat: Seat) -> Entity:
        class_, role = self.names.classes[cell[0]], self.names.roles[cell[1]]
        attributes = tuple(zip(self.names.labels, (class_, role), strict=True))
        split = "gen" if cell in self.gen_cells else "source"
        return Entity(seat.name, cell, seat.place, split, attributes)

    def places(self) -> tuple[str, ...]:
        """Return the start, the shops and the entities' places, in alphabetical order."""
        places = [self.names.start, self.names.shop]
        places += [entity.place for entity in self.entities()]
        if self.names.distractors:
            places.append(self.names.distractor_shop)
        return tuple(sorted(places))

    def demonstrations(self, variant: Variant) -> tuple[Demonstration, ...]:
        """Play the demonstrations in the shown order, in a variant made of the other parts."""
        processes, grid = dict(self.outputs()), truth(self.task)
        source, n_source = self.source, len(self.source)
        shown: dict[int, tuple[str, Process, bool]] = {}
        for class_, role in shown_cells(self.plan.chosen or source, self.coverage):
            name = self.names.cells[class_ * self.task.n_role + role].name
            shown[source.index((class_, role))] = name, processes[grid[class_][role]], False
        for number, ((class_, role), seat) in enumerate(self._seconds(), n_source):
            shown[number] = seat.name, processes[grid[class_][role]], False
        for number, distractor in enumerate(self.names.distractors, 2 * n_source):
            process = Process(distractor.item, None, None, 0)
            shown[number] = distractor.seat.name, process, True
        order = self.plan.order or sorted(shown)
        return tuple(
            demonstration(variant, name, process, distractor=distractor)
            for name, process, distractor in (shown[n] for n in order if n in shown)
        )
