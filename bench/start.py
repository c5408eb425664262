"""Time from start to end of a command's process, against `python -c "import typer"`.

Every command line of this kind loads Typer; the ratio shows what ours adds to it.
"""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.measure import Pair, Result, alternate

ROOT = Path(__file__).resolve().parents[1]
IMPORT = ("-c", "import typer")
COMMANDS = (  # name, arguments, target
    ("start: hjstudy --help / import typer", ("--help",), 4),
    (
        "start: hjstudy variant show / import typer",
        ("variant", "show", "--task", "A-Add", "--seed", "3", "--json"),
        8,
    ),
)


def run_ms(*arguments: str) -> float:
    """Run Python with these arguments and return the milliseconds from start to end."""
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - began) * 1000


def against_import(arguments: Sequence[str], rounds: int) -> Pair:
    """Run a command and the bare import in turns, after one run of each to compile all modules."""
    command = ("-m", "app.cli", *arguments)
    run_ms(*command)
    run_ms(*IMPORT)
    return alternate(lambda: run_ms(*command), lambda: run_ms(*IMPORT), rounds)


def run(*, tiny: bool) -> Iterator[Result]:
    """Measure each command."""
    for name, arguments, target in COMMANDS:
        pair = against_import(arguments, 1 if tiny else 31)
        print(pair.line("ms", f"hjstudy {' '.join(arguments[:2])}", "import typer"))
        yield Result(name, pair.ratio, target, at_least=False)
