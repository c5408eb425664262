"""`make mutants` without a mutant: its lists name real files, and survivors are judged rightly."""

import tomllib

from tests.mutants import __main__ as mutants

MODULE = "app/game/world.py"
WORDS = {"status": "survived", "name": "m1", "in": "DoneError.__init__", "was": "a", "now": "b"}
SAME = {
    "status": "survived",
    "name": "m2",
    "in": "_misread",
    "was": 'return (typed.argument or "", ARGUMENT_KINDS[verb])',
    "now": "return (typed.argument, ARGUMENT_KINDS[verb])",
}


def test_every_module_and_every_test_of_the_list_is_a_file():
    listed = mutants.modules()
    named = {*listed, *(test for tests in listed.values() for test in tests)}
    assert [name for name in sorted(named) if not (mutants.ROOT / name).is_file()] == []


def test_only_modules_of_the_list_are_explained():
    found = set(tomllib.loads((mutants.HERE / "explained.toml").read_text("utf-8")))
    modules = found - {"reasons", "anywhere"}
    assert modules <= set(mutants.modules())
    assert all(mutants.explained(module) for module in modules)


def test_every_scoring_module_is_listed():
    files = {f"app/scoring/{path.name}" for path in (mutants.ROOT / "app/scoring").glob("*.py")}
    assert files - {"app/scoring/__init__.py"} <= set(mutants.modules())


def test_survivor_that_is_explained_is_not_open_and_an_entry_without_one_is_stale():
    verdict = mutants.judge(MODULE, [{"status": "killed"}, WORDS, SAME])
    assert verdict.open == []
    assert len(verdict.stale) == len(mutants.explained(MODULE)) - 2
    assert verdict.line() == f"| `{MODULE}` | 3 | 1 | 0 | 2 | 0 |"


def test_survivor_of_another_line_is_open():
    other = {**SAME, "now": "return 7"}
    verdict = mutants.judge(MODULE, [{"status": "timeout"}, other])
    assert verdict.open == [other]
    assert verdict.line() == f"| `{MODULE}` | 2 | 0 | 1 | 0 | 1 |"


ZIP = {
    **SAME,
    "was": "zip(zip(a, b, strict=True), c, strict=True ):",
    "now": "zip(zip(a, b, strict=True), c, ):",
}


def test_a_piece_that_may_change_anywhere_is_not_open_but_no_other_change_of_its_line_is():
    assert mutants.judge(MODULE, [ZIP]).open == []
    others = [{**ZIP, "now": "zip(zip(a, b, ), c):"}, {**ZIP, "status": "no tests"}]
    assert mutants.judge(MODULE, others).open == others


def test_mutant_without_tests_is_open():
    assert mutants.judge(MODULE, [{**SAME, "in": "step", "status": "no tests"}]).open
