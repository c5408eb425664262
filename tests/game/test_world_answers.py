"""What the world answers to activities and to commands it cannot read, down to the parameters."""

import pytest

from app.game.model import Variant
from app.game.world import episode_world, play, start, step

MISREAD = [
    ("go", "missing_argument", ("go", "place")),
    ("drink", "missing_argument", ("drink", "potion")),
    ("go nowhere", "unknown_name", ("go", "place")),
    ("defeat Nobody", "unknown_name", ("defeat", "guardian")),
    ("buy forge", "wrong_kind", ("forge", "item")),
    ("go Lyra Blackmoor", "wrong_kind", ("Lyra Blackmoor", "place")),
    ("go forge now", "extra_argument", ("go forge",)),
    ("check_inventory now", "extra_argument", ("check_inventory",)),
]


@pytest.mark.parametrize(("line", "code", "params"), MISREAD)
def test_misread_command_is_answered_with_what_was_understood_of_it(
    procedural_variant: Variant, line: str, code: str, params: tuple[str, ...]
) -> None:
    world = episode_world(procedural_variant, 0)
    _, _, observation = play(world, start(world), line)
    assert (observation.code, observation.params) == (code, params)


@pytest.mark.parametrize(
    ("line", "code", "params"),
    [
        ("perform moon_rite", "performed", ("moon_rite",)),
        ("drink ember_draught", "drank", ("ember_draught",)),
    ],
)
def test_activity_is_answered_with_its_name(
    procedural_variant: Variant, line: str, code: str, params: tuple[str, ...]
) -> None:
    world = episode_world(procedural_variant, 0)
    _, after, observation = play(world, start(world), line)
    assert (observation.code, observation.params, observation.ok) == (code, params, True)
    assert after.did == (line,)


def test_line_as_the_world_writes_it_is_read_the_same_as_any_other_spelling(
    procedural_variant: Variant,
) -> None:
    world = episode_world(procedural_variant, 0)
    for line, typed in world.lines.items():
        assert play(world, start(world), line)[0] == typed
        spelt = play(world, start(world), f"  {line.upper()} .")
        assert spelt[0] == typed._replace(status="normalised")
        assert spelt[1:] == step(world, start(world), typed)
