"""Processor time and memory of processes, from /proc."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

PROC, TICKS = Path("/proc"), os.sysconf("SC_CLK_TCK")
MB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Usage:
    """Processor seconds so far, and resident memory in MB."""

    cpu_s: float
    memory_mb: float


def of(pids: Iterable[int]) -> Usage:
    """Return what these processes use together, with the children that have ended."""
    cpu_s = memory_mb = 0.0
    for pid in pids:
        try:
            times = stat(pid)[11:15]  # own and ended children's, user and system
            pages = int((PROC / str(pid) / "statm").read_text("ascii").split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        cpu_s += sum(map(int, times)) / TICKS
        memory_mb += pages * os.sysconf("SC_PAGE_SIZE") / MB
    return Usage(cpu_s, memory_mb)


def family(parent: int) -> Iterator[int]:
    """Yield a process and its children."""
    yield parent
    for folder in PROC.iterdir():
        if folder.name.isdecimal():
            try:
                if int(stat(int(folder.name))[1]) == parent:
                    yield int(folder.name)
            except (FileNotFoundError, ProcessLookupError):
                continue


def stat(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat after the name: state, parent, ..."""
    return (PROC / str(pid) / "stat").read_text("utf-8").rpartition(") ")[2].split()
