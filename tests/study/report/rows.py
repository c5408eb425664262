"""Hand-made rows of an export's tables for tests of reports."""

from collections import Counter

GRIDS = {"A-Over": (4, 4), "P-Comp": (5, 4)}  # task -> ref_length, n_tries


class Made:
    """Tables to which tests add participants in a few words."""

    def __init__(self):
        self.tables = {
            name: []
            for name in ("participant", "block", "episode", "explanation", "rating", "judge")
        }
        self.numbers = Counter()

    def person(self, name, state="finished", **changes):
        done = None if state == "no_consent" else "2026-11-28T12:00:00.000Z"
        self.tables["participant"].append(
            {
                "participant_id": name,
                "is_test": False,
                "excluded": None,
                "state": state,
                "consented_at": done,
                "instructions_at": done,
                "practice_at": done,
                "actions": 1,
                **changes,
            }
        )
        return self

    def block(self, name, task, *episodes, ratings=(), judged=None, **changes):
        """Add a world. An episode: `won in 8 (1 mistyped)` is (8, 1); None = lost; 0 = untouched.

        A negative number is an episode that was never finished after that many actions.
        """
        self.numbers[name] += 1
        at = self.numbers[name]
        length, tries = GRIDS.get(task, (4, 4))
        who = {"participant_id": name, "block_id": f"{name}-w{at}", "block_index": at}
        here = {
            **who,
            "task": task,
            "family": "attribute" if task.startswith("A") else "procedural",
            "seed": 1,
            "lexicon": "semantic",
            "coverage": "1",
            "format": "episodic",
            "variant_hash": f"{task}-1",
            **changes,
        }
        self.tables["block"].append(here)
        for index, outcome in enumerate(episodes, start=1):
            self.tables["episode"].append(
                {**here, **episode(outcome, length, tries), "episode_index": index, "kind": "main"}
                | {"episode_id": f"{who['block_id']}-g{index}", "variant_episode": index - 1}
            )
        if ratings or judged is not None:
            item = f"{who['block_id']}-r{len(episodes)}"
            self.tables["explanation"].append(
                {**here, "explanation_id": item, "episode_index": len(episodes)}
            )
            for rater, value in enumerate(ratings):
                row = {"item_id": item, "rater": f"r{rater}", "value": value}
                self.tables["rating"].append(row)
            if judged is not None:
                self.tables["judge"].append({"item_id": item, "value": judged})
        return self


def episode(outcome, length, tries):
    """Return the columns of an episode."""
    won = isinstance(outcome, tuple) or (isinstance(outcome, int) and outcome > 0)
    used, mistyped = outcome if isinstance(outcome, tuple) else (outcome, 0)
    if outcome is None:
        used = length * tries
    return {
        "state": "won" if won else "lost" if outcome is None else "open",
        "success": True if won else False if outcome is None else None,
        "actions_used": abs(used),
        "attempts": -(-used // length) if won else 0,
        "ref_length": length,
        "n_tries": tries,
        "voided": False,
        "mistyped": mistyped,
        "duration_ms": abs(used) * 1000,
    }


def result(model, index=1, used=4, **changes):
    """Return one episode of a model; `used` None = failed."""
    return {
        "model": model,
        "task": "A-Over",
        "seed": 1,
        "lexicon": "semantic",
        "coverage": "1",
        "format": "episodic",
        "variant_hash": "A-Over-1",
        "episode_index": index,
        "success": used is not None,
        "actions_used": used or 16,
        "ref_length": 4,
        "n_tries": 4,
        "rv": None,
        **changes,
    }
