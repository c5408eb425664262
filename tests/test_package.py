"""The wheel or the sdist, alone in a clean environment, serves a study; both give one wheel."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from contextlib import contextmanager
from email import message_from_string
from pathlib import Path

import pytest

from app import __version__

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = Path(sys.executable).parent
PACKED = ("templates", "static", "migrations")
KINDS = {"wheel": "*.whl", "sdist": "*.tar.gz"}
START_S = 300  # the first start compiles and imports everything


def run(*command, cwd):
    """Run a program with none of this checkout's settings or modules in reach."""
    hidden = ("HJSTUDY_", "PYTHONPATH", "VIRTUAL_ENV")
    env = {name: text for name, text in os.environ.items() if not name.startswith(hidden)}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return a folder with the wheel and the sdist of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-d", folder, cwd=ROOT)
    return folder


@pytest.fixture(params=KINDS)
def installed(request, built, tmp_path):
    """Return an empty folder and the `hjstudy` of a clean environment beside it."""
    uv = PROGRAMS / "uv"
    if not uv.exists():
        pytest.skip("no uv in this environment: run `make setup-dev`")
    (package,) = built.glob(KINDS[request.param])
    run(uv, "venv", "--quiet", "--python", sys.executable, "clean", cwd=tmp_path)
    known = ("--constraint", ROOT / "requirements" / "run.txt")
    target = ("--python", tmp_path / "clean" / "bin" / "python")
    run(uv, "pip", "install", "--quiet", *target, *known, package, cwd=tmp_path)
    (tmp_path / "work").mkdir()
    return tmp_path / "work", tmp_path / "clean" / "bin" / "hjstudy"


@contextmanager
def demo_served(folder, *hjstudy):
    """Run `hjstudy demo --serve` until the block ends; yields its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    env = {name: text for name, text in os.environ.items() if not name.startswith("HJSTUDY_")}
    command = [*hjstudy, "demo", "--serve", "--port", port]
    log = (folder / "log.txt").open("w")
    with log, subprocess.Popen(command, cwd=folder, env=env, stdout=log, stderr=log) as server:
        try:
            end = time.monotonic() + START_S
            while "Serving on" not in (folder / "log.txt").read_text():
                assert server.poll() is None, (folder / "log.txt").read_text()
                assert time.monotonic() < end
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def get(address):
    end = time.monotonic() + START_S
    while True:
        try:
            with urllib.request.urlopen(address) as found:  # noqa: S310 - our own server
                return found.read().decode()
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.1)


@pytest.mark.timeout(900)  # on a busy machine
@pytest.mark.long
def test_package_alone_serves_the_demo_lets_a_bot_play_exports_and_verifies(installed):
    folder, hjstudy = installed
    with demo_served(folder, hjstudy) as address:
        page = get(f"{address}/s/demo")
        (style,) = re.findall(r'href="(/static/app\.css[^"]*)"', page)
        assert "font-family" in get(address + style)
        play = ("simulate", "--study", "demo", "--bots", "oracle:1", "--url", address, "--json")
        assert json.loads(run(hjstudy, *play, cwd=folder))["finished"] == 1
    assert f"{address}/s/demo" in (folder / "log.txt").read_text()
    run(hjstudy, "export", "--study", "demo", "--out", "demo.zip", "--include-test", cwd=folder)
    names = zipfile.ZipFile(folder / "demo.zip").namelist()
    assert any(name.endswith("turn_data.csv") for name in names)
    assert json.loads(run(hjstudy, "verify", "--json", cwd=folder))["ok"]
    assert {path.name for path in folder.iterdir()} == {"hjstudy-data", "demo.zip", "log.txt"}
    assert __version__ in run(hjstudy, "--version", cwd=folder)


@pytest.mark.timeout(900)
@pytest.mark.long
def test_uvx_serves_the_demo_from_the_wheel_alone(built, tmp_path):
    """uvx makes an environment of its own, and finds `hjstudy` in the file instead of on PyPI."""
    uvx = PROGRAMS / "uvx"
    if not uvx.exists():
        pytest.skip("no uvx in this environment: run `make setup-dev`")
    (package,) = built.glob(KINDS["wheel"])
    known = ("--constraints", ROOT / "requirements" / "run.txt")
    command = [uvx, "--python", sys.executable, *known, "--from", package, "hjstudy"]
    with demo_served(tmp_path, *command) as address:
        assert "<form" in get(f"{address}/s/demo")
    assert {path.name for path in tmp_path.iterdir()} == {"hjstudy-data", "log.txt"}


def test_sdist_makes_the_same_wheel(built, tmp_path):
    (wheel,), (sdist,) = (built.glob(pattern) for pattern in KINDS.values())
    shutil.unpack_archive(sdist, tmp_path)  # `extractall` wants a filter from 3.11.4 on only
    build = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "dist")
    run(*build, cwd=tmp_path / sdist.name.removesuffix(".tar.gz"))
    assert contents(tmp_path / "dist" / wheel.name) == contents(wheel)


def contents(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_wheel_holds_every_file_that_the_program_reads_and_nothing_beside_it(built):
    (wheel,) = built.glob(KINDS["wheel"])
    names = set(zipfile.ZipFile(wheel).namelist())
    expected = {
        f"app/packed/{path.relative_to(ROOT).as_posix()}"
        for part in PACKED
        for path in (ROOT / part).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert len(expected) > 100
    assert expected - names == set()
    assert {name.split("/")[0] for name in names} == {"app", f"hjstudy-{__version__}.dist-info"}


def test_wheel_describes_itself_without_links_that_lead_nowhere_outside_the_repository(built):
    (wheel,) = built.glob(KINDS["wheel"])
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(f"hjstudy-{__version__}.dist-info/METADATA").decode("utf-8")
    described = message_from_string(text)
    assert "license :: osi approved" not in text.lower()  # `License-Expression` says it
    assert described["License-Expression"] == "MIT"
    assert "Programming Language :: Python :: 3.11" in described.get_all("Classifier")
    assert "demo --serve" in described.get_payload()
    assert not re.search(r"\]\((?!https?:)", described.get_payload())


def test_checkout_reads_its_own_folders():
    """An editable installation must not have copies, which would hide changes."""
    assert not (ROOT / "app" / "packed").exists()
