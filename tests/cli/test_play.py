import builtins

import pytest

P_COMP = ("--task", "P-Comp", "--seed", "2")


@pytest.fixture
def solution(facts):
    return facts("variant", "show", *P_COMP)["episodes"][0]["solutions"][0]


@pytest.fixture
def play(hjstudy, facts, tmp_path):
    """Play a file of lines."""

    def run(*lines, end="\n"):
        (tmp_path / "lines.txt").write_bytes(end.join(lines).encode())
        return facts("play", *P_COMP, "--commands", "lines.txt")

    return run


def test_perfect_play_scores_one(play, solution):
    found = play(*solution)
    assert (found["success"], found["norm_eff"], found["t"]) == (True, 1, 1)
    assert (found["actions_used"], found["attempts"]) == (5, 1)
    assert [turn["raw"] for turn in found["turns"]] == solution
    assert [turn["seq"] for turn in found["turns"]] == [1, 2, 3, 4, 5]
    last = found["turns"][-1]
    assert (last["verb"], last["done"], last["success"], last["attempt"]) == (
        *("defeat", True, True, 1),
    )
    assert [turn["inventory"] for turn in found["turns"]][-1] == [
        next(line for line in solution if line.startswith("buy ")).removeprefix("buy ")
    ]


def test_mistyped_line_is_an_action_and_a_blank_one_is_none(play, solution):
    found = play("dance", "", "   ", *solution)
    first = found["turns"][0]
    assert (first["ok"], first["verb"], first["argument"]) == (False, None, None)
    assert (found["actions_used"], found["t"]) == (6, 1.2)


def test_windows_line_ends_are_no_part_of_a_command(play, solution):
    assert play(*solution, end="\r\n")["norm_eff"] == 1


def test_line_that_cannot_be_a_command_is_reported_and_costs_no_action(
    hjstudy, play, solution, capsys
):
    found = play("x" * 201, "go\tthere", "go\u2028there", *solution)
    assert [turn["raw"] for turn in found["turns"]] == ["go\u2028there", *solution]


def test_lines_after_the_end_are_not_played(play, solution):
    found = play(*solution, "check_location", "check_location")
    assert (found["actions_used"], found["success"]) == (5, True)


def test_failed_attempt_is_counted(play, solution):
    bare = [line for line in solution if not line.startswith(("perform", "drink"))]
    found = play(*bare, *solution)
    assert (found["success"], found["attempts"]) == (True, 2)
    assert 0 < found["norm_eff"] < 1


def test_nothing_played_has_no_t(play):
    found = play("")
    assert (found["turns"], found["t"], found["success"]) == ([], None, False)


def test_unreadable_file_unknown_guardian_and_missing_file_are_refused(hjstudy, tmp_path):
    (tmp_path / "bytes").write_bytes(b"go \xff")
    for extra, message in (
        (("--commands", "none.txt"), "none.txt"),
        (("--commands", "bytes"), "bytes"),
        (("--commands", "bytes", "--episode", "9"), "--episode"),
        ((), "--commands"),
    ):
        code, out, err = hjstudy("play", *P_COMP, *extra, "--json")
        assert (code, out) == (2, "")
        assert message in err


def at_keyboard(monkeypatch, lines):
    typed = iter(lines)

    def read(_prompt=""):
        line = next(typed)
        if isinstance(line, BaseException):
            raise line
        return line

    monkeypatch.setattr(builtins, "input", read)


def test_game_at_the_keyboard_is_played_to_its_end(hjstudy, solution, monkeypatch):
    at_keyboard(monkeypatch, ["", "dance", *solution])
    code, out, _ = hjstudy("play", *P_COMP)
    assert code == 0
    assert "ACCOUNTS OF EARLIER TRAVELLERS" in out
    assert "Nothing was typed" in out
    assert "Won with 6 actions" in out


@pytest.mark.parametrize("end", [EOFError(), KeyboardInterrupt()])
def test_end_of_input_and_ctrl_c_end_the_game_kindly(hjstudy, monkeypatch, end):
    at_keyboard(monkeypatch, ["check_location", end])
    code, out, _ = hjstudy("play", *P_COMP)
    assert code == 0
    assert out.endswith("Until next time.\n")
