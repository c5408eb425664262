"""Run mutmut on the tree in the current folder, then write what became of each mutant as JSON.

A program of its own: it runs in the scratch copy that `__main__.py` makes. It makes fewer mutants
of a string than mutmut does by itself, and adds two kinds that mutmut lacks: a call or a `raise`
left out, and one side of an `and` or `or` left out. Those are what a forgotten check looks like.
"""

import gc
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import libcst as cst
from mutmut.__main__ import _run
from mutmut.mutation import mutators
from mutmut.mutation.data import SourceFileMutationData
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.runners.harness import PytestRunner
from mutmut.state import state
from mutmut.stats import status_by_exit_code
from mutmut.utils.file_utils import walk_mutatable_files
from mutmut.utils.format_utils import orig_function_and_class_names_from_key

Operator = tuple[type, Callable[[Any], Iterable[cst.CSTNode]]]


def change_string(node: cst.BaseString) -> Iterable[cst.BaseString]:
    """Change a string in one way; mutmut would also try it in capitals and in small letters."""
    return islice(mutators.operator_string(node), 1)


def drop_statement(node: cst.SimpleStatementLine) -> Iterator[cst.CSTNode]:
    """Leave out a call whose result no one uses, or a `raise`."""
    match node.body:
        case [cst.Expr(value=cst.Call())] | [cst.Raise()]:
            yield node.with_changes(body=[cst.Pass()])


def drop_operand(node: cst.BooleanOperation) -> Iterator[cst.CSTNode]:
    """Leave out one side of `and` or `or`."""
    for side in (node.left, node.right):
        yield side.with_changes(lpar=[*node.lpar, *side.lpar], rpar=[*side.rpar, *node.rpar])


def set_operators(listed: list[Operator]) -> None:
    """Put our operators into mutmut's list, which its modules share."""
    kept = [one for one in listed if one[1] is not mutators.operator_string]
    listed[:] = [
        *kept,
        (cst.BaseString, change_string),
        (cst.SimpleStatementLine, drop_statement),
        (cst.BooleanOperation, drop_operand),
    ]


def run_faster() -> None:
    """Let a mutant's tests run in the order of how long they took without one.

    Objects made before them are left out of garbage collection, which pytest does at each end.
    """
    plain = PytestRunner._pytest_args_regular_run

    def ordered(runner: PytestRunner, tests: Iterable[str]) -> list[str]:
        gc.freeze()
        took = state().duration_by_test
        return list(plain(runner, sorted(tests, key=lambda one: took.get(one, 0))))

    PytestRunner._pytest_args_regular_run = ordered


def change_of(name: str, path: Path) -> dict[str, str]:
    """Return the lines that a mutant changes, as they were and as they are."""
    lines = get_diff_for_mutant(name, path=path).splitlines()
    changed = [line for line in lines if line[:3] not in {"---", "+++"}]
    return {
        key: " ".join(line[1:].strip() for line in changed if line.startswith(sign))
        for key, sign in (("was", "-"), ("now", "+"))
    }


def outcomes() -> Iterator[dict[str, str]]:
    """Yield every mutant: status, and where it is not killed its place and its change."""
    for path in walk_mutatable_files():
        data = SourceFileMutationData(path=path)
        data.load()
        for name, code in data.exit_code_by_key.items():
            status = status_by_exit_code[code]
            if status in {"killed", "timeout"}:
                yield {"status": status}
                continue
            function, of_class = orig_function_and_class_names_from_key(name)
            place = f"{of_class}.{function}" if of_class else function
            yield {"status": status, "name": name, "in": place, **change_of(name, path)}


def main(workers: int, out: Path) -> None:
    """Make and try all mutants."""
    set_operators(mutators.mutation_operators)
    run_faster()
    _run((), workers)
    out.write_text(json.dumps(list(outcomes()), ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
