"""A study with a variant of each family, and the command line on it."""

from datetime import UTC, datetime

import pytest
import yaml

from app.study.design import studies
from app.study.design.library import Library
from tests.cli.conftest import facts, hjstudy, store, url
from tests.models.scripted import Players, Scripted

__all__ = ["facts", "hjstudy", "store", "url"]
NOON = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
STUDY = {
    "slug": "demo",
    "title": "A study with models",
    "kind": "pilot",
    "seed": 7,
    "blocks": [
        {"task": "A-Over", "seeds": [1, 2]},
        {"task": "P-Comp", "seeds": [2], "lexicon": "nonce"},
        {"task": "A-Comp", "seeds": [5], "format": "direct"},
    ],
    "per_player": 2,
    "questions": {"comment": False},
}


@pytest.fixture
def make_study(facts, tmp_path):
    """Create a study from STUDY and changes, by the command."""

    def make(**changes):
        path = tmp_path / "study.yaml"
        path.write_text(yaml.safe_dump({**STUDY, **changes}))
        return facts("study", "create", path)

    return make


@pytest.fixture
def variants_of(store):
    """Return the variants of the study."""

    def read():
        with store.read() as db:
            found = studies.find(db, "demo")
            library = Library()
            return [library.variant(db, name) for name in found.hashes.values()]

    return read


@pytest.fixture
def script(make_study, variants_of):
    """A server whose model knows every rule of the study."""
    make_study()
    return Scripted(Players(variants_of()))


@pytest.fixture
def endpoint(script):
    with script.serving() as address:
        yield address


@pytest.fixture
def run_model(facts, endpoint):
    """Run `hjstudy model run` on the study; returns what it prints as JSON."""

    def run(*more, code=0):
        return facts(
            "model",
            "run",
            "--study",
            "demo",
            "--model",
            "m",
            "--base-url",
            endpoint,
            *more,
            code=code,
        )

    return run
