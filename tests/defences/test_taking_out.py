"""`make defences` counts only a test that ran and failed."""

import pytest

from tests.defences.__main__ import FAILED, PASSED, passes_untouched, run, without
from tests.defences.listed import Defence

pytestmark = pytest.mark.long  # each starts pytest anew

DEFENCE = {"row": "A threat", "threat": "a threat", "file": "safe.py", "new": "return 0"}
TESTS = """
import time, pytest
from safe import answer

def test_answer(): assert answer() == 1
def test_nothing(): pass
def test_wrong(): assert answer() == 2

@pytest.fixture
def broken(): raise RuntimeError
def test_broken(broken): pass

@pytest.mark.timeout(0.2)
def test_slow(): time.sleep(30)
"""


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "safe.py").write_text("def answer():\n    return 1\n")
    (tmp_path / "test_safe.py").write_text(TESTS)
    (tmp_path / "test_bad.py").write_text("import nothing_like_this\n")
    (tmp_path / "test_none.py").write_text("")
    return tmp_path


def defence(*tests, old="return 1"):
    return Defence(**DEFENCE, old=old, tests=tuple(f"test_safe.py::test_{one}" for one in tests))


def test_defence_is_noticed_only_by_a_test_that_fails_without_it(tree):
    found = without(tree, defence("answer"))
    assert found.end == FAILED
    assert "test_answer" in found.said[0]
    assert without(tree, defence("nothing")).end == PASSED
    assert without(tree, defence("answer", old="return 7")).end == "text not found"
    assert (tree / "safe.py").read_text() == "def answer():\n    return 1\n"


@pytest.mark.parametrize(
    ("test", "end"),
    [
        ("test_safe.py::test_gone", "file or test missing"),
        ("test_gone.py", "file or test missing"),
        ("test_none.py", "no tests ran"),
        ("test_bad.py", "tests not collected"),
        ("test_safe.py::test_broken", "error before the test"),
        ("test_safe.py::test_slow", "timed out"),
    ],
)
def test_test_that_could_not_run_is_not_a_failed_one(tree, test, end):
    assert run(tree, (test,), patience_s=60).end == end


def test_tests_that_fail_with_all_defences_in_are_named(tree, capsys):
    assert passes_untouched(tree, [defence("answer"), defence("answer", "nothing")])
    assert "2 tests or files in an untouched copy: passed" in capsys.readouterr().out
    assert not passes_untouched(tree, [defence("answer"), defence("wrong")])
    assert "test_wrong" in capsys.readouterr().out
