"""What the tests lack on a machine is reported in one line, with the package that brings it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e import launch

SCRIPT = Path(launch.__file__).with_name("browser.sh")
LOADER = (
    "node: error while loading shared libraries: {}: cannot open shared object file: "
    "No such file or directory"
)


@pytest.fixture
def node(tmp_path):
    """Stand in for the driver's node: a program that fails as one without its library does."""

    def failing(output):
        program = tmp_path / "node"
        program.write_text(f"#!/bin/sh\necho '{output}' >&2\nexit 127\n")
        program.chmod(0o755)
        return program

    return failing


def test_library_that_the_driver_lacks_is_named_with_its_package(node):
    found = launch.lacking(node(LOADER.format("libatomic.so.1")))
    assert str(found) == (
        "Playwright's driver cannot load libatomic.so.1: sudo apt-get install libatomic1"
    )


def test_driver_that_fails_otherwise_is_quoted(node):
    assert str(launch.lacking(node(LOADER.format("libnew.so.2")))) == (
        "Playwright's driver cannot load libnew.so.2"
    )
    assert str(launch.lacking(node("\nIllegal instruction\nmore"))) == (
        "Playwright's driver does not start (Illegal instruction)"
    )


def test_browser_and_library_that_both_lack_are_one_line(node, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    assert str(launch.lacking(node(LOADER.format("libatomic.so.1")))) == (
        "there is no Chromium and Playwright's driver cannot load libatomic.so.1: "
        "sudo apt-get install chromium libatomic1"
    )


def test_llama_and_curl_are_named_with_their_packages(node, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    llama = node("ImportError: libgomp.so.1: cannot open shared object file: No such file")
    found = launch.lacking_elsewhere([llama])
    assert found.problem == "llama.cpp cannot load libgomp.so.1 and there is no curl"
    assert found.packages == "libgomp1 curl"


@pytest.mark.parametrize(("extra", "code", "word"), [({}, 0, "skipped"), ({"CI": "1"}, 1, "error")])
def test_tests_of_llama_without_its_library_name_it_or_fail_in_ci(tmp_path, extra, code, word):
    """They were skipped as one test, without the package; in CI too."""
    lack = "libgomp.so.1: cannot open shared object file: No such file or directory"
    (tmp_path / "xllamacpp.py").write_text(f"raise ImportError({lack!r})\n")
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "tests/models/test_llama.py",
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=SCRIPT.parents[2],
        env={**environment, "PYTHONPATH": str(tmp_path), **extra},
    )
    assert done.returncode == code, done.stdout
    how = "llama.cpp cannot load libgomp.so.1: sudo apt-get install libgomp1"
    assert how in done.stdout
    assert f"4 {word}" in done.stdout
    assert (f"NOT TESTED HERE: 4 tests. {how}" in done.stdout) is (word == "skipped")


@pytest.mark.browser
def test_driver_and_browser_start_here(chromium):
    done = subprocess.run(
        [sys.executable, "-m", "tests.e2e.launch"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(("extra", "code"), [({}, 0), ({"CI": "1"}, 1)])
def test_machine_where_nothing_can_be_installed_gets_one_line(tmp_path, extra, code):
    for name in ("bash", "dirname", "id", "sed"):
        (tmp_path / name).symlink_to(shutil.which(name))
    env = {"HOME": os.environ.get("HOME", "/"), "PATH": str(tmp_path), **extra}
    done = subprocess.run(
        ["bash", SCRIPT], env=env, capture_output=True, text=True, check=False, timeout=100
    )
    assert done.returncode == code
    assert done.stdout == (
        "Tests will be skipped: there is no Chromium and there is no curl. "
        "To run them: sudo apt-get install chromium curl\n"
    )
