"""Run the benchmarks: python -m bench [NAME ...] [--check]. See docs/benchmarks.md."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module

from bench.measure import Patience, Result
from bench.reference import NoReferenceError

BENCHES = (
    "world",
    "variants",
    "verify",
    "growth",
    "export",
    "web",
    "paint",
    "agreement",
    "coverage",
    "methods",
    "report",
    "monitor",
    "jobs",
    "imports",
    "start",
    "strangers",
    "classroom",
    "load",
    "signs",
    "blind",
)
PATIENCE_S = 60.0  # longest wait for an idle machine, per benchmark
Bench = Callable[..., Iterator[Result]]


def run(name: str, *, tiny: bool) -> list[Result]:
    """Run one benchmark and print what it finds."""
    module = import_module(f"bench.{name}")
    bench: Bench = module.run
    print(f"\n{name}: {(module.__doc__ or '').splitlines()[0]}")
    Patience.left_s = 0 if tiny else PATIENCE_S
    began, results = time.perf_counter(), []
    for result in bench(tiny=tiny):
        print(result.line(), flush=True)
        results.append(result)
    print(f"  took {time.perf_counter() - began:.0f} s")
    return results


def main(arguments: list[str] | None = None) -> int:
    """Run the chosen benchmarks; return 1 for a missed target (`--check`) or no reference."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHES))
    parser.add_argument("--check", action="store_true", help="exit 1 if a ratio misses its target")
    parser.add_argument("--tiny", action="store_true", help="a short run that proves nothing")
    asked = parser.parse_args(arguments)
    unknown = set(asked.names) - set(BENCHES)
    if unknown:
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(BENCHES)}")
    try:
        found = [result for name in asked.names or BENCHES for result in run(name, tiny=asked.tiny)]
    except NoReferenceError as error:
        print(error)
        return 1
    print("\nAll ratios")
    for result in found:
        print(result.line())
    return int(asked.check and not all(result.ok for result in found))


if __name__ == "__main__":
    sys.exit(main())
