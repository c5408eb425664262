"""Steps as a pure function: which there are, and that no one ever goes back."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from app.study.play import steps
from app.study.play.steps import AFTER_BLOCK, BlockFacts, EpisodeFacts, Progress, Step

EPISODES = st.integers(1, 3)
SWITCH = st.booleans()


def episode(number, *, done=False):
    return EpisodeFacts(id=number, position=number, done=done, success=done)


def block(position, number, *, direct=False):
    episodes = tuple(episode(n) for n in range(number))
    return BlockFacts(position, position, episodes, frozenset(), direct)


@st.composite
def fresh(draw):
    """A design of any kind with nothing done yet."""
    blocks = draw(st.lists(st.tuples(EPISODES, SWITCH), min_size=1, max_size=3))
    pages = [False if draw(SWITCH) else None for _ in range(3)]
    return Progress(
        state="active",
        instructions_done=False,
        practice=episode(0) if draw(SWITCH) else None,
        practice_done=False,
        blocks=tuple(block(n, size, direct=direct) for n, (size, direct) in enumerate(blocks)),
        rule_after_episode=draw(SWITCH),
        before_done=pages[0],
        check_done=pages[1],
        after_done=pages[2],
    )


def with_block(progress, position, **changes):
    changed = replace(progress.blocks[position], **changes)
    return replace(
        progress,
        blocks=(*progress.blocks[:position], changed, *progress.blocks[position + 1 :]),
    )


def do(progress, step):
    """Return what is stored once a step is done."""
    if step.kind in {steps.GAME, steps.DIRECT}:
        played = progress.blocks[step.block].episodes
        done = episode(step.episode, done=True)
        rest = (*played[: step.episode], done, *played[step.episode + 1 :])
        return with_block(progress, step.block, episodes=rest)
    if step.kind == steps.RULE:
        written = progress.blocks[step.block].explained | {step.episode}
        return with_block(progress, step.block, explained=written)
    return replace(progress, **{f"{step.kind}_done": True})


def places(progress):
    return [(step.kind, step.block, step.episode) for step in steps.all_steps(progress)]


def place(progress):
    here = steps.present(progress)
    return places(progress).index((here.kind, here.block, here.episode))


@given(fresh(), st.data())
def test_present_step_facts_added_in_any_order_never_goes_back(progress, data):
    todo = [step for step in steps.all_steps(progress) if step.kind != steps.DEBRIEF]
    asked = places(progress)
    for step in data.draw(st.permutations(todo)):
        before = place(progress)
        progress = do(progress, step)
        assert place(progress) >= before
        assert places(progress) == asked
    assert steps.is_complete(progress)


@given(fresh())
def test_steps_done_one_by_one_lead_through_all_to_the_debrief(progress):
    seen = []
    while not steps.is_complete(progress):
        step = steps.present(progress)
        seen.append((step.kind, step.block, step.episode))
        progress = do(progress, step)
    assert [*seen, (steps.DEBRIEF, -1, -1)] == places(progress)


@given(fresh())
def test_finished_people_stay_at_the_debrief(progress):
    assert steps.present(replace(progress, state="finished")).kind == steps.DEBRIEF


@given(fresh())
def test_each_step_has_an_address_of_its_own(progress):
    paths = [step.path for step in steps.all_steps(progress)]
    assert len(set(paths)) == len(paths)


@given(fresh())
def test_one_part_of_the_bar_is_the_present_one(progress):
    for _ in steps.all_steps(progress):
        assert [state for _, state in steps.chapters(progress)].count("now") == 1
        if not steps.is_complete(progress):
            progress = do(progress, steps.present(progress))


def whole(**changes):
    first, second = block(0, 2), block(1, 1, direct=True)
    return Progress(
        **{
            "state": "active",
            "instructions_done": False,
            "practice": episode(0),
            "practice_done": False,
            "blocks": (first, second),
            "rule_after_episode": False,
            "before_done": False,
            "check_done": False,
            "after_done": False,
            **changes,
        }
    )


def test_order_of_the_whole_way():
    assert [step.path for step in steps.all_steps(whole())] == [
        "instructions",
        "questions/before",
        "practice",
        "check",
        "world/1/guardian/1",
        "world/1/guardian/2",
        "world/1/rule",
        "world/2/guardian/1/answer",
        "world/2/rule",
        "questions/after",
        "end",
    ]


def test_pages_that_the_design_does_not_have_are_no_steps():
    bare = whole(practice=None, before_done=None, check_done=None, after_done=None)
    kinds = {step.kind for step in steps.all_steps(bare)}
    assert kinds == {steps.INSTRUCTIONS, steps.GAME, steps.DIRECT, steps.RULE, steps.DEBRIEF}


def test_rule_after_each_episode_stands_right_behind_it():
    found = steps.block_steps(block(0, 2, direct=True), rule_after_episode=True)
    assert [(step.kind, step.episode) for step in found] == [
        (steps.DIRECT, 0),
        (steps.RULE, 0),
        (steps.DIRECT, 1),
        (steps.RULE, 1),
    ]


def test_bar_names_the_parts_and_counts_a_world_as_one():
    assert steps.chapters(whole(instructions_done=True)) == [
        ("Instructions", "done"),
        ("About you", "now"),
        ("Practice", "todo"),
        ("Check", "todo"),
        ("World 1", "todo"),
        ("World 2", "todo"),
        ("Last questions", "todo"),
        ("The end", "todo"),
    ]


def test_where_names_world_and_guardian_and_nothing_outside_of_them():
    progress = whole()
    assert steps.where(progress, Step(steps.BEFORE, done=False)) == ""
    assert (
        steps.where(progress, Step(steps.DIRECT, done=False, block=1, episode=0))
        == "World 2 of 2 · guardian 1 of 1"
    )
    assert steps.where(progress, Step(steps.RULE, done=False, block=1, episode=AFTER_BLOCK)) == (
        "World 2 of 2 · rule"
    )
