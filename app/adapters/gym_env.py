"""Guardians as a Gymnasium environment (`hjstudy[gym]`): text in, text out.

    env = GuardianEnv(Api("http://127.0.0.1:8000", key, httpx.Client()), agent="my-agent")
    words, info = env.reset()
    answer, reward, is_over, _, info = env.step("check_location")

`reset` begins the next episode of a run, and opens a new run when all have been begun, or when a
seed is given. Each run is stored with the study: train on a study of its own.
"""

from collections.abc import Sequence
from typing import Any

import gymnasium
from gymnasium.spaces import Text

from app.adapters.client import Api, ApiError

LONGEST_WORDS, LONGEST_COMMAND = 100_000, 200
FIRST, LAST = 0x20, 0x2120  # Latin, and punctuation such as curly quotes
LETTERS = frozenset(chr(one) for one in range(FIRST, LAST) if chr(one).isprintable())
WON = 1.0


class GuardianEnv(gymnasium.Env[str, str]):
    """Episodes that are played. The reward is 1 when the guardian is defeated, otherwise 0."""

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 - as in gymnasium.Env

    def __init__(
        self, api: Api, agent: str, tasks: Sequence[str] = (), seeds: Sequence[int] = ()
    ) -> None:
        self.observation_space = Text(LONGEST_WORDS, min_length=0, charset=LETTERS | {"\n"})
        self.action_space = Text(LONGEST_COMMAND, charset=LETTERS)
        self._api, self._wanted = api, (agent, tasks, seeds)
        self.run, self._left = 0, list[int]()
        self._episode, self._seq = 0, 1

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin an episode; returns its words. With a seed, open a run and choose by the seed."""
        super().reset(seed=seed, options=options)
        if seed is not None or not self._left:
            run = self._api.open_run(*self._wanted)
            self.run = run["run"]
            played = [one for one in run["episodes"] if one["format"] == "episodic"]
            self._left = [one["episode"] for one in played]
        self._episode = self._left.pop(int(self.np_random.integers(len(self._left))))
        shown = self._api.show_episode(self.run, self._episode)
        self._seq = shown["next_seq"]
        return shown["words"], self._info(shown)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Play a command. One that cannot be sent costs nothing, and `info` says why."""
        try:
            shown = self._api.play_command(self.run, self._episode, self._seq, action)
        except ApiError as error:
            if not error.code.startswith("input/"):
                raise
            return error.message, 0.0, False, False, {"problem": error.code}
        self._seq = shown["next_seq"]
        reward = WON if shown["won"] else 0.0
        return shown["log"][-1]["message"], reward, shown["over"], False, self._info(shown)

    def _info(self, shown: dict[str, Any]) -> dict[str, Any]:
        place = {name: shown[name] for name in ("episode", "variant")}
        return {**place, **shown["state"]}
