"""Fill in defaults that a stored document lacks, so that its pages show what applies."""

from typing import Any, get_args

from pydantic import BaseModel, TypeAdapter

ANY: TypeAdapter[Any] = TypeAdapter(Any)


def filled(model: type[BaseModel], data: Any) -> Any:
    """Return a document with the defaults of a model for fields it lacks.

    Invalid values stay as they are; fields without a default stay missing. A draft stored before a
    field existed shows that field with its default.
    """
    if not isinstance(data, dict):
        return data
    found = dict(data)
    for name, field in model.model_fields.items():
        if name not in found and not field.is_required():
            found[name] = ANY.dump_python(field.get_default(call_default_factory=True), mode="json")
        inner = model_in(field.annotation)
        if inner is not None and isinstance(found.get(name), list):
            found[name] = [filled(inner, one) for one in found[name]]
        elif inner is not None:
            found[name] = filled(inner, found.get(name))
    return found


def model_in(annotation: Any) -> type[BaseModel] | None:
    """Return the model in a field, single or in a list; None for plain values."""
    for one in (annotation, *get_args(annotation)):
        if isinstance(one, type) and issubclass(one, BaseModel):
            return one
    return None
