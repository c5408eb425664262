"""What a test asks of a browser, whichever engine it has and however it is driven."""

import os
import subprocess
import time
from contextlib import ExitStack

WAIT_S = 60  # shared machines stall at times
END_S = 20
DEAD_PORT = 9  # pages reach 127.0.0.1 alone: for every other host this is the proxy


class EngineError(Exception):
    """The browser refused what it was asked."""


def until(true, problem):
    """Wait until a function returns something true, and return that."""
    end = time.monotonic() + WAIT_S
    refused = None
    while time.monotonic() < end:
        try:
            found = true()
        except EngineError as error:  # a page may go while it is being read
            found, refused = None, error
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{problem} ({refused})" if refused else problem)


class Engine:
    """A browser with one tab. Elements are whatever `find` returns.

    An engine also has `open_browser(folder)`, which comes first, `open(url)`, `url`, `find(xpath)`,
    `click(element)`, `type(element, text)` (a line break is the Enter key), `text(element)`,
    `evaluate(expression)` and `faults`, errors of scripts.
    """

    name = program = package = ""  # of the engine, its command, and the packages to install

    def __init__(self, *, script=True):
        self.script, self.opened, self.processes = script, ExitStack(), []

    def start(self, command, folder, log, **options):
        """Start a program that is ended with the engine. It keeps its files in `folder`."""
        environment = {**os.environ, "HOME": str(folder), **options.pop("environment", {})}
        self.processes.append(
            subprocess.Popen(command, env=environment, stdout=log, stderr=log, **options)
        )

    def end(self):
        self.opened.close()
        for process in reversed(self.processes):
            self.end_process(process)

    @staticmethod
    def end_process(process):
        process.terminate()
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(END_S)
