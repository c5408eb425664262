"""How optional parts are added: to an installed package, and in a checkout."""

import tomllib

import pytest

from app import paths
from tests.pages import ROOT

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.mark.parametrize(
    ("is_packed", "command"),
    [(True, "pip install 'hjstudy[{}]'"), (False, ".venv/bin/uv pip install -e '.[{}]'")],
)
@pytest.mark.parametrize("extra", ["models", "mcp", "reference", "offline"])
def test_command_that_adds_a_part_fits_the_installation(monkeypatch, extra, is_packed, command):
    monkeypatch.setattr(paths, "IS_PACKED", is_packed)
    assert paths.how_to_add(extra) == command.format(extra)
    assert extra in EXTRAS["optional-dependencies"]
