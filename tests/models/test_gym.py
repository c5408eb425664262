"""Guardians as a Gymnasium environment, checked by Gymnasium itself."""

import pytest
from gymnasium.utils.env_checker import check_env

from app.adapters.client import Api, ApiError
from app.adapters.gym_env import GuardianEnv
from app.agents.words import given
from app.game.view import player_view
from tests.web.conftest import app, client, make_study, server, settings
from tests.web.models.agent import MIXED, Agent

__all__ = ["app", "client", "make_study", "server", "settings"]
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.fixture
def agent(server, client, make_study):
    make_study(**MIXED)
    return Agent(server, client)


@pytest.fixture
def env(agent):
    return GuardianEnv(Api("", agent.key, agent.client), "gym-agent")


def test_environment_passes_the_checker_of_gymnasium(env):
    check_env(env, skip_render_check=True)


def test_episodes_are_played_to_their_end_in_the_words_of_participants(env, agent):
    seen = set()
    for _ in range(2):
        words, info = env.reset()
        variant, index = agent.variant(env.run, info["episode"])
        seen.add(info["episode"])
        assert words == given(player_view(variant, index), "episodic")
        *lines, last = variant.episodes[index].solutions[0]
        for line in lines:
            answer, reward, over, cut, _ = env.step(line)
            assert answer in env.observation_space
            assert (reward, over, cut) == (0.0, False, False)
        assert env.step("\x00")[-1] == {"problem": "input/control_character"}
        assert env.step(last)[1:4] == (1.0, True, False)
    assert seen == {1, 2}
    assert agent.get("/runs").json()[0]["agent"] == "gym-agent"


def test_same_seed_gives_the_same_episode_of_a_new_run(env):
    first, before = env.reset(seed=5), env.run
    assert env.reset(seed=5) == first
    assert env.run == before + 1


def test_wrong_key_is_an_error_with_its_code(client, make_study):
    make_study(**MIXED)
    with pytest.raises(ApiError) as refused:
        GuardianEnv(Api("", "hjs_wrong", client), "a").reset()
    assert refused.value.code == "api/key"
