"""Calls of the JSON API, made by schemathesis from the API's own OpenAPI document.

It sends what the document allows and what it forbids, follows runs from call to call, and checks
that each response is one that the document promises, with that content.
"""

import json
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from app.main import create_app
from app.settings import Settings
from app.study.design import studies
from tests.e2e.serving import ServerProcess
from tests.fuzz.scene import study
from tests.own_forms import OwnForms
from tests.web.models.agent import API, MIXED, Agent

PROGRAM = Path(sys.executable).with_name("st")
CONFIG = Path(__file__).with_name("schemathesis.toml")
SCOPES = ("play", "read")
RULE = {"text": "Both traits decide the item."}  # the document's example, so it can be sent again


class Described:
    """A server process with a study, a finished run, and a key of each scope."""

    def __init__(self, folder: Path, template: Path):
        self.folder = folder
        path = folder / "called.db"
        shutil.copyfile(template, path)
        url = f"sqlite:///{path}"
        self.keys = self.fill(Settings(database_url=url, data_dir=folder / "data"))
        self.server = ServerProcess(folder, url)
        self.server.environment["HJSTUDY_API_PER_MINUTE"] = "1000000"
        self.server.start()

    def fill(self, settings):
        """Store the study, and finish run 1 with the key that plays; return scope -> key."""
        app = create_app(settings)
        server = app.state.server
        studies.create(server.store, study("demo", **MIXED), datetime.now(UTC))
        with OwnForms(app, base_url=settings.base_url) as client:
            agents = {scope: Agent(server, client, name=scope, scope=scope) for scope in SCOPES}
            agents["play"].open()
            agents["play"].finish(1, RULE)
        return {scope: agent.key for scope, agent in agents.items()}

    def call(self, scope, *options):
        """Call every operation with a key; return (what schemathesis printed, its report)."""
        report = self.folder / f"{scope}.json"
        command = [
            *(PROGRAM, "--config-file", CONFIG, "run", f"{self.server.url}{API}/openapi.json"),
            *("--header", f"Authorization: Bearer {self.keys[scope]}", "--no-color"),
            *("--continue-on-failure", "--report", "json", "--report-json-path", report, *options),
        ]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        printed = done.stdout + done.stderr
        assert report.exists(), printed
        return printed, json.loads(report.read_text())

    def end(self):
        """Stop the server."""
        self.server.end()
