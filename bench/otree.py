"""oTree (PyPI: otree) for comparison: a study of pages with one field, and who submits them.

oTree needs old versions of our own packages, so it gets an environment of its own, which the first
run makes from PyPI in `build/`.
"""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench import serving
from bench.pacing import Unit, Work, get, post
from bench.reference import NoReferenceError

VERSION = "6.0.15"
ENVIRONMENT = serving.ROOT / "build" / f"otree-{VERSION}"
ROUNDS, PARTICIPANTS = 100, 20
APP = f"""from otree.api import *

class C(BaseConstants):
    NAME_IN_URL = "bench"
    PLAYERS_PER_GROUP = None
    NUM_ROUNDS = {ROUNDS}

class Subsession(BaseSubsession): pass
class Group(BaseGroup): pass

class Player(BasePlayer):
    action = models.StringField()

class MyPage(Page):
    form_model = "player"
    form_fields = ["action"]

page_sequence = [MyPage]
"""
PAGE = """{{ block title }}Round{{ endblock }}
{{ block content }}{{ formfields }}{{ next_button }}{{ endblock }}
"""
CONFIG = "SESSION_CONFIGS = [dict(name='bench', app_sequence=['bench'], num_demo_participants=1),"


def install() -> None:
    """Make oTree's environment, if it is not there. Raises NoReferenceError."""
    if (ENVIRONMENT / "bin" / "otree").exists():
        return
    uv, python = Path(sys.executable).parent / "uv", ENVIRONMENT / "bin" / "python"
    make = ("venv", "--quiet", "--clear", "--python", sys.executable, ENVIRONMENT)
    fill = ("pip", "install", "--quiet", "--compile-bytecode", "--python", python)
    try:
        subprocess.run([uv, *make], check=True)
        subprocess.run([uv, *fill, f"otree=={VERSION}"], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise NoReferenceError("oTree could not be installed from PyPI.") from error


@contextmanager
def server(folder: Path) -> Iterator[int]:
    """Run oTree on SQLite until the block ends; yield its port. Raises NoReferenceError."""
    install()
    project = folder / "project"
    program = ENVIRONMENT / "bin" / "otree"
    environment = {**os.environ, "OTREE_PRODUCTION": "1", "OTREE_ADMIN_PASSWORD": "bench"}
    environment["PATH"] = f"{program.parent}:{os.environ['PATH']}"  # it starts itself
    environment.pop("DATABASE_URL", None)

    def do(*arguments: str, cwd: Path = project) -> None:
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([program, *arguments], cwd=cwd, env=environment, check=True, **quiet)

    do("startproject", "--noinput", project.name, cwd=folder)
    do("startapp", "bench")
    settings = project / "settings.py"
    settings.write_text(settings.read_text().replace("SESSION_CONFIGS = [", CONFIG))
    (project / "bench" / "__init__.py").write_text(APP)
    (project / "bench" / "MyPage.html").write_text(PAGE)
    do("resetdb", "--noinput")
    port = serving.free_port()
    command = [program, "prodserver1of2", str(port)]
    log = folder / "otree.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, cwd=project, env=environment, stdout=out, stderr=out, start_new_session=True
        )
    try:
        serving.wait_for(port, "/api/otree_version", process, log)
        yield port
    finally:
        process.terminate()
        process.wait(serving.END_S)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)  # a timer process of its own


def ask(port: int, path: str, body: dict[str, object] | None = None) -> Any:
    """Ask oTree's API."""
    data = None if body is None else json.dumps(body).encode()
    url, kind = f"http://{serving.HOST}:{port}{path}", {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(url, data, kind), timeout=120) as got:
        return json.load(got)


def crowd(port: int, users: int) -> list[Work]:
    """Return users who submit the pages of new participants; a unit is a form and the next page."""
    body = {"session_config_name": "bench", "num_participants": PARTICIPANTS}
    code = ask(port, "/api/sessions", body)["code"]
    found = ask(port, f"/api/get_session/{code}", {"participant_vars": []})["participants"]
    users_work = [Work() for _ in range(users)]
    for number, one in enumerate(found):
        users_work[number % users] += submissions(port, one["code"])
    return users_work


def submissions(port: int, code: str) -> Work:
    """Let a participant arrive; return their pages."""
    url = f"http://{serving.HOST}:{port}/InitializeParticipant/{code}"
    urllib.request.urlopen(url, timeout=60).close()
    pages = [f"/p/{code}/bench/MyPage/{number}" for number in range(1, ROUNDS + 1)]
    form = {"action": "buy lantern"}
    return Work(Unit("page", (post(one, form, 302), get(after))) for one, after in pairwise(pages))
