"""`hjstudy model mcp` as a process, asked over standard input and output by the MCP library."""

import asyncio
import json
import os
import subprocess
import sys
import threading
import time

import pytest
import uvicorn
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.web.conftest import app, client, make_study, server, settings
from tests.web.models.agent import MIXED, Agent

__all__ = ["app", "client", "make_study", "server", "settings"]
COMMAND = ("-m", "app.cli", "model", "mcp", "--url")

pytestmark = pytest.mark.one_database


@pytest.fixture
def url(app):
    """Serve the application on a free port."""
    served = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=served.run)
    thread.start()
    while not served.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{served.servers[0].sockets[0].getsockname()[1]}"
    served.should_exit = True
    thread.join()


async def asked(url, **environment):
    """Open a run, read its first episode and play one command, by tools."""
    known = {**os.environ, **environment}
    process = StdioServerParameters(command=sys.executable, args=[*COMMAND, url], env=known)
    async with Client(stdio_client(process)) as mcp:

        async def call(name, **arguments):
            return json.loads((await mcp.call_tool(name, arguments)).content[0].text)

        names = {tool.name for tool in (await mcp.list_tools()).tools}
        run = await call("open_run", agent="mcp-agent", tasks=["A-Over"])
        place = {"run": run["run"], "episode": 1}
        shown = await call("play_command", **place, seq=1, raw="check_location")
        return names, run, shown


def test_command_serves_the_tools_of_its_key_over_standard_input_and_output(
    url, server, client, make_study
):
    make_study(**MIXED)
    agent = Agent(server, client)
    names, run, shown = asyncio.run(asked(url, HJ_AGENT_KEY=agent.key))
    assert {"open_run", "play_command", "show_result"} <= names
    assert (run["agent"], len(run["episodes"])) == ("mcp-agent", 2)
    assert [line["raw"] for line in shown["log"]] == ["check_location"]
    assert agent.get(f"/runs/{run['run']}/episodes/1").json() == shown


def test_command_without_a_key_says_which_variable_to_set():
    known = {**os.environ, "HJ_AGENT_KEY": ""}
    words = [sys.executable, *COMMAND, "http://127.0.0.1:9"]
    done = subprocess.run(words, env=known, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Set HJ_AGENT_KEY" in done.stderr
