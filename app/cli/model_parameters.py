"""What is sent with every request: sampling, and other parameters that may be stored."""

import json
import re
from collections.abc import Sequence
from typing import Any

from app.cli import model_calls as calling
from app.cli.common import refuse

OURS = {"model", "messages", "stream", "stream_options", "n", "timeout"}
SECRET = re.compile(
    r"^extra_|api[-_]?key|authori[sz]ation|header|bearer|password|secret|credential|access[-_]?token",
    re.IGNORECASE,
)


def parameters_of(
    preset: str,
    model: str,
    temperature: float | None,
    top_p: float | None,
    more: Sequence[str] | None,
    *,
    judges: bool = False,
) -> dict[str, Any]:
    """Return what is sent with every request: the preset's sampling, unless given."""
    from app.agents.presets import PRESETS, sampling

    calling.one_of("--preset", preset, tuple(PRESETS))
    usual = sampling(preset, model, judges=judges)
    found: dict[str, Any] = {
        "temperature": usual[0] if temperature is None else temperature,
        "top_p": usual[1] if top_p is None else top_p,
    }
    for text in more or ():
        name, _, value = text.partition("=")
        if not name or name in OURS or SECRET.search(name):
            refuse(f"--parameter: '{name[:40]}' cannot be set.")
        try:
            found[name] = json.loads(value)
        except ValueError:
            refuse(f"--parameter: '{name[:40]}' needs a value in JSON, such as seed=7.")
        if may_be_secret(found[name]):
            refuse(f"--parameter: '{name[:40]}' may hold a key, and parameters are stored.")
    return {name: value for name, value in found.items() if value is not None}


def may_be_secret(value: Any) -> bool:
    """Tell whether a parameter, or a field in it, is named like a key or changes the request.

    Parameters are stored and shown; keys come from the environment or a file.
    """
    if isinstance(value, dict):
        return any(SECRET.search(name) or may_be_secret(one) for name, one in value.items())
    return isinstance(value, list) and any(map(may_be_secret, value))
