"""The field of a study file that someone may have meant by a name that no field has."""

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher, get_close_matches
from typing import Any, get_args

from pydantic import BaseModel

SURE = 0.8  # from this likeness on, fields elsewhere are not named
MOST = 3
CHECK = {  # what people call the fields of a question
    **dict.fromkeys(("text", "question", "prompt", "title"), "label"),
    **dict.fromkeys(("name", "id"), "key"),
    **dict.fromkeys(("choices", "values", "answers"), "options"),
    **dict.fromkeys(("correct", "solution", "right"), "answer"),
}
QUESTION = {
    **CHECK,
    **dict.fromkeys(("min", "minimum", "from"), "least"),
    **dict.fromkeys(("max", "maximum", "to"), "most"),
    **dict.fromkeys(("optional", "mandatory"), "required"),
    "type": "kind",
}
MEANT: Mapping[str, Mapping[str, str]] = {  # section -> what people write -> what is meant
    "": {
        **dict.fromkeys(("participants", "players", "sample", "sample_size", "n"), "people.quota"),
        **dict.fromkeys(("id", "name", "address"), "slug"),
        **dict.fromkeys(("cells", "conditions", "design", "trials"), "blocks"),
        **dict.fromkeys(("treatment", "treatments", "condition", "arms"), "between"),
        **dict.fromkeys(("randomize", "randomise", "randomization"), "order"),
        **dict.fromkeys(("worlds", "blocks_per_player", "worlds_per_player"), "per_player"),
        **dict.fromkeys(("survey", "questionnaire"), "questions"),
        **dict.fromkeys(("timeouts", "limits", "times"), "clocks"),
        **dict.fromkeys(("reward", "payments"), "payment"),
        **dict.fromkeys(("duration", "estimated_time"), "texts.minutes"),
        **{name: f"blocks.{name}" for name in ("task", "seeds")},
    },
    "people": dict.fromkeys(("participants", "players", "sample", "n", "max", "limit"), "quota"),
    "blocks": {"n": "quota", "participants": "quota", "words": "lexicon"},
    "questions.before": QUESTION,
    "questions.after": QUESTION,
    "questions.comprehension": CHECK,
    "texts": {
        **dict.fromkeys(("duration", "time", "length"), "minutes"),
        **dict.fromkeys(("email", "e_mail", "mail"), "contact"),
        **dict.fromkeys(("intro", "introduction"), "instructions"),
        "information": "consent",
        "payment": "pay",
    },
    "clocks": {"session_minutes": "session_hours", "resume_minutes": "resume_hours"},
    "codes": dict.fromkeys(("complete", "completed", "completion", "code"), "finished"),
    "payment": {
        **dict.fromkeys(("base", "amount", "fixed", "reward"), "base_cents"),
        **dict.fromkeys(("cap", "bonus_cap", "max_bonus"), "bonus_cap_cents"),
        **dict.fromkeys(("hourly", "per_hour"), "hourly_cents"),
    },
}


def advice(model: type[BaseModel], place: tuple[int | str, ...]) -> str:
    """Return what to write instead of an unknown field.

    Args:
        model: of the whole file.
        place: names and numbers that lead to the field, as in Pydantic's `loc`.
    """
    *section, name = (part for part in place if isinstance(part, str))
    outer, _, inner = name.rpartition(".")
    known = dict(paths(model))
    if not section and outer in known and name in known:
        return f"Write `{outer}:`, and indented below it `{inner}:`"
    found = meant(model, section, name)
    if found:
        *first, last = [f"`{one}`" for one in found]
        return f"Did you mean {' or '.join([', '.join(first), last]) if first else last}?"
    return f"The fields here are: {', '.join(fields_at(model, section))}"


def meant(model: type[BaseModel], section: list[str], name: str) -> list[str]:
    """Return the fields that may be meant, the likeliest first: short names in this section."""
    word = name.casefold().replace("-", "_")
    if said := MEANT.get(".".join(section), {}).get(word):
        return [said]
    near = get_close_matches(word, fields_at(model, section), 1)
    if near and SequenceMatcher(None, word, near[0]).ratio() >= SURE:
        return near
    here = ".".join(section)
    elsewhere = [
        path for path, part in paths(model) if part == word and path.rpartition(".")[0] != here
    ]
    return [*near, *elsewhere][:MOST]


def fields_at(model: type[BaseModel], section: list[str]) -> list[str]:
    """Return the names of the fields in a section."""
    for name in section:
        model = inner_model(model.model_fields[name].annotation) or model
    return list(model.model_fields)


def paths(model: type[BaseModel], before: str = "") -> Iterator[tuple[str, str]]:
    """Yield the dotted path, without numbers of list entries, and the name of every field."""
    for name, field in model.model_fields.items():
        yield f"{before}{name}", name
        if inner := inner_model(field.annotation):
            yield from paths(inner, f"{before}{name}.")


def inner_model(kind: Any) -> type[BaseModel] | None:
    """Return the model that a field holds, or has a list of."""
    kinds = (kind, *get_args(kind))
    return next((k for k in kinds if isinstance(k, type) and issubclass(k, BaseModel)), None)
