"""What no sequence of commands may ever do, over whole vocabularies and junk."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from app.game.command import InputError
from app.game.model import Process, Variant
from app.game.world import build_world, episode_world, play, replay, start

TO_SHOP, TO_GUARDIAN, DEFEAT = "go forge", "go quarry", "defeat Lyra Blackmoor"
PERFORM, DRINK, HALBERD = "perform moon_rite", "drink ember_draught", "buy iron_halberd"
JUNK = ["go", "go nowhere", "dance", "buy forge", "go forge now", "🐉", "DEFEAT lyra-blackmoor."]


def expected_success(process: Process, did: tuple[str, ...]) -> bool:
    """Judge an attempt by the definition: right nodes, right numbers, right side of `buy`."""
    assert process.activity is not None
    buy = f"buy {process.item}"
    act = f"{process.activity.verb} {process.activity.name}"
    if sorted(did) != sorted([buy, *[act] * process.count]):
        return False
    at = did.index(buy)
    return at == (process.count if process.order == "before" else 0)


def test_every_short_attempt_succeeds_exactly_when_its_actions_are_the_process(
    procedural_answers: tuple[Variant, ...],
) -> None:
    """All lists of up to four consequential actions, two purchases among them, in 8 worlds."""
    lists = [did for n in range(5) for did in product((PERFORM, DRINK, HALBERD), repeat=n)]
    for variant in procedural_answers:
        process = variant.episodes[0].process
        world = build_world(variant, "Lyra Blackmoor", process)
        for wanted in lists:
            commands = [TO_SHOP, *wanted, TO_GUARDIAN, DEFEAT]
            _, state, observation = replay(world, commands)[-1]
            kept = tuple(a for i, a in enumerate(wanted) if a != HALBERD or a not in wanted[:i])
            assert observation.success == expected_success(process, kept) == state.success


def test_no_sequence_of_commands_wins_sooner_than_ref_length(
    attribute_answers: tuple[Variant, ...], procedural_answers: tuple[Variant, ...]
) -> None:
    """Every state that any sequence can reach, in every world: breadth first."""
    for variant in (*attribute_answers, *procedural_answers):
        world = episode_world(variant, 0)
        reached = {start(world)}
        for used in range(1, variant.episodes[0].ref_length + 1):
            reached = {play(world, s, line)[1] for s in reached for line in world.lines}
            won = any(state.success for state in reached)
            assert won == (used == variant.episodes[0].ref_length)


def test_every_listed_solution_wins_in_ref_length_actions(
    attribute_answers: tuple[Variant, ...], procedural_answers: tuple[Variant, ...]
) -> None:
    for variant in (*attribute_answers, *procedural_answers):
        for solution in variant.episodes[0].solutions:
            state = replay(episode_world(variant, 0), solution)[-1][1]
            assert (state.success, state.actions_used) == (True, variant.episodes[0].ref_length)


@given(data=st.data())
def test_replay_of_any_log_gives_the_live_states(variant: Variant, data: st.DataObject) -> None:
    """Live play holds one state and nothing else; refused input leaves no trace in the log."""
    world = episode_world(variant, 0)
    pool = [*world.lines, *JUNK, *variant.episodes[0].solutions[0] * 6]
    raws = st.sampled_from(pool) | st.text(max_size=12)
    state, log, live = start(world), [], []
    for raw in data.draw(st.lists(raws, max_size=40)):
        if state.done:
            break
        try:
            typed, state, observation = play(world, state, raw)
        except InputError:
            continue
        log.append(raw)
        live.append((typed, state, observation))
    assert replay(world, log) == live
    assert state.actions_used == len(log)


@given(data=st.data())
def test_any_sequence_keeps_the_books(variant: Variant, data: st.DataObject) -> None:
    """Coins, item and attempt agree with what was done; success only by the definition."""
    world = episode_world(variant, 0)
    pool = [*world.lines, *JUNK, *variant.episodes[0].solutions[0] * 6]
    commands = data.draw(st.lists(st.sampled_from(pool), max_size=world.budget))
    before, bought, failed = start(world), 0, 0
    for command in commands:
        if before.done:
            break
        _, state, observation = play(world, before, command)
        bought += observation.code == "bought"
        failed += observation.code == "failed"
        assert state.coins == 1000 - 30 * bought
        assert state.attempt == 1 + failed
        assert observation.attempt == before.attempt
        assert [line for line in state.did if line.startswith("buy ")] == (
            [f"buy {state.item}"] if state.item else []
        )
        assert state.success == observation.success == (observation.code == "defeated")
        assert state.done == observation.done
        before = state
