"""Read a variant from JSON values; checks only the shape of each part. See canonical.py."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from app.errors import FieldError
from app.game.model import (
    Activity,
    Cell,
    Demonstration,
    Dimension,
    Entity,
    Episode,
    Item,
    Output,
    Process,
    Step,
    Task,
    Variant,
)
from app.game.tasktables import TABLE_NAMES

T = TypeVar("T")

_FIXED = ("activity", "order", "count")  # order in which a task lists what its rule leaves out


def read_variant(data: Mapping[str, Any]) -> Variant:
    """Return the variant that these JSON values describe.

    Raises: FieldError: names the first field that is missing or has the wrong shape.
    """
    parts: dict[str, Any] = {"task": _field(data, "task_data", _task)}
    for field in fields(Variant):
        if field.name in _VARIANT:
            parts[field.name] = _field(data, field.name, _VARIANT[field.name])
    if "built" in data:
        parts["built"] = _field(data, "built", _text)
    return Variant(**parts)


def _field(data: Mapping[str, Any], name: str, read: Callable[[Any], T]) -> T:
    try:
        return read(data[name])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FieldError(name, "is missing or has the wrong shape for a variant") from error


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _int(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    return value


def _bool(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _optional(read: Callable[[Any], T]) -> Callable[[Any], T | None]:
    return lambda value: None if value is None else read(value)


def _many(read: Callable[[Any], T]) -> Callable[[Any], tuple[T, ...]]:
    def read_list(value: object) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise TypeError
        return tuple(read(entry) for entry in value)

    return read_list


def _pair(read: Callable[[Any], T]) -> Callable[[Any], tuple[T, T]]:
    def read_pair(value: object) -> tuple[T, T]:
        first, second = _many(read)(value)
        return first, second

    return read_pair


_texts = _many(_text)
_output: Callable[[Any], Output] = _many(_int)
_cell: Callable[[Any], Cell] = _pair(_int)


def _dimension(data: Mapping[str, Any]) -> Dimension:
    return Dimension(_text(data["name"]), _output(data["values"]), _bool(data["numbered"]))


def _table(value: object) -> tuple[int, ...] | tuple[Output, ...]:
    if isinstance(value, list) and value and isinstance(value[0], list):
        return _many(_output)(value)
    return _output(value)


def _task(data: Mapping[str, Any]) -> Task:
    tables, fixed, form = data["tables"], data["fixed"], _text(data["form"])
    return Task(
        name=_text(data["name"]),
        family=_text(data["family"]),
        form=form,
        n_class=_int(data["n_class"]),
        n_role=_int(data["n_role"]),
        dimensions=_many(_dimension)(data["dimensions"]),
        tables=tuple((name, _table(tables[name])) for name in TABLE_NAMES[form]),
        varies=_pair(_int)(data["varies"]),
        fixed=tuple((name, _int(fixed[name])) for name in _FIXED if name in fixed),
        split_law=_text(data["split_law"]),
        n_tries=_int(data["n_tries"]),
    )


def _activity(data: Mapping[str, Any]) -> Activity:
    return Activity(_text(data["verb"]), _text(data["name"]))


def _process(data: Mapping[str, Any]) -> Process:
    return Process(
        item=_text(data["item"]),
        activity=_optional(_activity)(data["activity"]),
        order=_optional(_text)(data["order"]),
        count=_int(data["count"]),
    )


def _named_process(data: Mapping[str, Any]) -> tuple[Output, Process]:
    return _output(data["output"]), _process(data["process"])


def _attributes(data: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    for label in _texts(data["shown"]):
        yield label, _text(data["attributes"][label])


def _entity(data: Mapping[str, Any]) -> Entity:
    return Entity(
        name=_text(data["name"]),
        cell=_optional(_cell)(data["cell"]),
        place=_text(data["place"]),
        split=_text(data["split"]),
        attributes=tuple(_attributes(data)),
    )


def _item(data: Mapping[str, Any]) -> Item:
    return Item(_text(data["name"]), _text(data["shop"]), _int(data["price"]))


def _step(data: Mapping[str, Any]) -> Step:
    return Step(_text(data["command"]), _text(data["message"]))


def _demonstration(data: Mapping[str, Any]) -> Demonstration:
    return Demonstration(
        _text(data["entity"]), _bool(data["distractor"]), _many(_step)(data["steps"])
    )


def _episode(data: Mapping[str, Any]) -> Episode:
    return Episode(
        entity=_text(data["entity"]),
        goal=_text(data["goal"]),
        output=_output(data["output"]),
        process=_process(data["process"]),
        ref_length=_int(data["ref_length"]),
        n_tries=_int(data["n_tries"]),
        budget=_optional(_int)(data["budget"]),
        solutions=_many(_texts)(data["solutions"]),
    )


_VARIANT: Mapping[str, Callable[[Any], Any]] = {
    "seed": _int,
    "lexicon": _text,
    "coverage": _text,
    "distractors": _int,
    "permute_outputs": _bool,
    "engine_version": _text,
    "labels": _pair(_text),
    "classes": _texts,
    "roles": _texts,
    "grid": _many(_many(_output)),
    "gen_cells": _many(_cell),
    "outputs": _many(_named_process),
    "entities": _many(_entity),
    "items": _many(_item),
    "activities": _many(_activity),
    "places": _texts,
    "start": _text,
    "coins": _int,
    "demonstrations": _many(_demonstration),
    "episodes": _many(_episode),
}
