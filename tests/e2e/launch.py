"""Check that this machine has what the tests start: Chromium, its driver, llama.cpp, curl.

`python -m tests.e2e.launch` starts them once. It exits with 0 if nothing is missing; otherwise it
exits with 1 and prints two lines: what is missing, and the Debian packages that provide it.
"""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import playwright
from playwright.sync_api import Error, sync_playwright

from tests.e2e.serving import FLAGS, find_chromium

NODE = Path(playwright.__file__).parent / "driver" / "node"
LLAMA = (sys.executable, "-c", "import xllamacpp")
NOT_LOADED = re.compile(r"(lib[^:\s]+\.so[^:\s]*): cannot open shared object file")
PACKAGES = {
    "libatomic.so.1": "libatomic1",
    "libgomp.so.1": "libgomp1",
    "libstdc++.so.6": "libstdc++6",
}
START_S = 60


@dataclass(frozen=True)
class Lack:
    """What is missing, in words, and the Debian packages to install, '' if unknown."""

    problem: str
    packages: str = ""

    def __str__(self):
        how = f": sudo apt-get install {self.packages}" if self.packages else ""
        return f"{self.problem}{how}"


def lacking(node=NODE):
    """Return what the browser tests are missing here, or None. Starts only the driver's node."""
    return joined(lacking_browser(), lacking_library("Playwright's driver", node, "--version"))


def lacking_elsewhere(llama=LLAMA):
    """Return what other tests are missing here, or None."""
    return joined(lacking_library("llama.cpp", *llama), lacking_program("curl"))


def joined(*lacks):
    """Return several lacks as one, or None if there is none."""
    found = [one for one in lacks if one is not None]
    if not found:
        return None
    packages = " ".join(one.packages for one in found if one.packages)
    return Lack(" and ".join(one.problem for one in found), packages)


def lacking_browser():
    return Lack("there is no Chromium", "chromium") if find_chromium() is None else None


def lacking_program(name):
    return Lack(f"there is no {name}", name) if shutil.which(name) is None else None


def lacking_library(what, *command):
    """Return the first shared library that a program cannot load."""
    tried = subprocess.run(command, capture_output=True, text=True, check=False, timeout=START_S)
    if tried.returncode == 0:
        return None
    library = NOT_LOADED.search(tried.stderr)
    if library is None:
        return Lack(f"{what} does not start ({first_line(tried.stderr)})")
    return Lack(f"{what} cannot load {library[1]}", PACKAGES.get(library[1], ""))


def first_line(text):
    return next((line.strip() for line in text.splitlines() if line.strip()), "it says nothing")


def launch():
    """Start driver and Chromium, and open a page; return what went wrong, or None."""
    try:
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=find_chromium(), args=FLAGS)
            page = browser.new_page()
            page.goto("data:text/html,<title>ready</title>")
            title = page.title()
            browser.close()
    except Error as error:
        return Lack(f"Chromium does not start ({first_line(error.message)})")
    return None if title == "ready" else Lack(f"Chromium shows '{title}' instead of a page")


def main():
    found = joined(lacking() or launch(), lacking_elsewhere())
    if found is None:
        return 0
    sys.stdout.write(f"{found.problem}\n{found.packages}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
