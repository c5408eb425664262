"""What the docs say of presets is what the code does, and their solver for Inspect AI plays."""

import asyncio
import re
import sys
from dataclasses import fields
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from app.agents import presets
from app.agents.asking import Ask
from app.agents.presets import PACKAGE_SAMPLING, PAPER_SAMPLING, PRESETS, facts, sampling
from tests.agents.driving import acting, made, wrong_first

DOCS = (Path(__file__).resolve().parents[2] / "docs" / "models.md").read_text("utf-8")


def rows_after(heading):
    lines = DOCS[DOCS.index(heading) :].splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("|---"))
    table = lines[start + 1 : lines.index("", start)]
    return [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in table]


def test_every_fact_stands_in_the_docs_with_both_values():
    assert rows_after("| fact | `paper` | `package` |") == facts()


def test_sampling_of_the_paper_stands_in_the_docs():
    def word(value):
        return "not sent" if value is None else str(value)

    assert rows_after("| start of the model's name |") == [
        (f"`{start}`" if start else "any other", *map(word, values))
        for start, values in PAPER_SAMPLING
    ]
    assert f"temperature is {word(PACKAGE_SAMPLING[0])} and top-p is not sent" in DOCS


def test_sampling_depends_on_the_model_in_the_paper_only():
    found = {
        name: sampling("paper", name)
        for name in (
            "openai/gpt-oss-120b",
            "GPT-5.4-mini",
            "google/gemini-3.1-flash",
            "Qwen3.5",
            "x",
        )
    }
    assert found == {
        "openai/gpt-oss-120b": (1.0, 0.95),
        "GPT-5.4-mini": (None, None),
        "google/gemini-3.1-flash": (0.1, None),
        "Qwen3.5": (1.0, 0.95),
        "x": (1.0, 0.95),
    }
    assert {sampling("package", name) for name in found} == {(1.0, None)}


def test_every_field_of_a_preset_is_in_effect():
    """Some line of the code other than its own table reads it, so no fact is only printed."""
    own = Path(presets.__file__)
    app = own.parents[1]
    code = "".join(one.read_text("utf-8") for one in app.rglob("*.py") if one != own)
    code += "".join(
        re.findall(r"^def sampling.*?^def ", own.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    )
    reads = r"(?:preset|KNOWN\[\w+\])\.{}\b"
    names = [one.name for one in fields(presets.Preset)]
    unread = [one for one in names if not re.search(reads.format(one), code)]
    assert unread == []


def test_presets_differ_where_the_docs_say_so():
    different = [says for says, paper, package in facts() if paper != package]
    assert set(PRESETS) == {"paper", "package"}
    assert len(different) > 8


@pytest.fixture
def inspect_names(monkeypatch):
    """Stand in for Inspect AI, which needs 60 packages: its names, and a model for `get_model`."""

    def plain(function=None, **_options):
        return function or plain

    async def generate(prompt, config):
        return SimpleNamespace(completion=found.answer(prompt, config.max_tokens))

    found = SimpleNamespace(answer=None)
    model = SimpleNamespace(generate=generate)
    given: dict[str, dict[str, object]] = {
        "model": {"GenerateConfig": SimpleNamespace, "get_model": lambda: model},
        "scorer": {"Score": SimpleNamespace, "accuracy": lambda: None, "scorer": plain},
        "solver": {"solver": plain},
    }
    for name, values in given.items():
        module = ModuleType(f"inspect_ai.{name}")
        vars(module).update(values)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(sys.modules, "inspect_ai", ModuleType("inspect_ai"))
    return found


def test_solver_of_the_docs_plays_an_episode_as_our_runs_do(inspect_names):
    (block,) = re.findall(r"^```python\n(.*?)^```", DOCS, re.MULTILINE | re.DOTALL)
    names = {}
    exec(compile(block, "docs/models.md", "exec"), names)  # noqa: S102 - our own documentation
    variant = made("P-Comp")
    answers = acting(wrong_first(variant))
    inspect_names.answer = lambda prompt, tokens: answers(
        Ask("action" if "WHAT HAS HAPPENED" in prompt else "thought", prompt, tokens), 0
    )
    state = SimpleNamespace(metadata={"episode": 0})
    asyncio.run(names["player"]("idea", variant)(state, None))
    assert state.metadata["end"] == "won"
    assert asyncio.run(names["won"]()(state, None)).value is True
