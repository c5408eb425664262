"""The API as an MCP server, asked by the client of the MCP library."""

import asyncio
import json
import os
import re
import subprocess
import sys
import tomllib

import pytest
from mcp import Client, StdioServerParameters

from app.adapters.client import Api
from app.adapters.mcp_server import make_server
from tests.pages import ROOT, blocks
from tests.web.conftest import app, client, make_study, server, settings
from tests.web.models.agent import MIXED, RULE, Agent
from tests.web.sockets import serving

__all__ = ["app", "client", "make_study", "server", "settings"]


@pytest.fixture
def agent(server, client, make_study):
    make_study(**MIXED)
    return Agent(server, client)


def content(result):
    """Return the JSON that a tool gave."""
    return json.loads(result.content[0].text)


async def whole_run(agent):
    """Play everything by tools; returns (names of the tools, a refusal, the result)."""
    async with Client(make_server(Api("", agent.key, agent.client))) as mcp:
        names = {tool.name for tool in (await mcp.list_tools()).tools}

        async def call(name, **arguments):
            return content(await mcp.call_tool(name, arguments))

        run = await call("open_run", agent="mcp-agent")
        for one in run["episodes"]:
            place = {"run": run["run"], "episode": one["episode"]}
            variant, index = agent.variant(*place.values())
            shown = await call("show_episode", **place)
            if one["format"] == "direct":
                item = dict(variant.outputs)[variant.episodes[index].output].item
                assert shown["asks"] == ["item"]
                await call("send_answer", **place, item=item)
                continue
            for seq, raw in enumerate(variant.episodes[index].solutions[0], start=1):
                await call("play_command", **place, seq=seq, raw=raw)
        early = await mcp.call_tool("show_result", {"run": run["run"]})
        for variant in range(1, run["variants"] + 1):
            await call("send_explanation", run=run["run"], variant=variant, **RULE)
        return names, early, await call("show_result", run=run["run"])


def test_tools_play_a_whole_run(agent):
    names, early, result = asyncio.run(whole_run(agent))
    assert names == {
        *("open_run", "list_runs", "show_run", "show_episode", "play_command", "send_answer"),
        *("send_explanation", "show_result"),
    }
    assert early.is_error
    assert "every episode is over" in early.content[0].text
    assert (result["ecsr"], result["direct_accuracy"]) == ({"A-Over": 1.0}, {"A-Comp": 1.0})


async def tools_of(command):
    """Start a command as an MCP client does; returns the names of its tools and its runs."""
    async with Client(command) as mcp:
        names = {tool.name for tool in (await mcp.list_tools()).tools}
        await mcp.call_tool("open_run", {"agent": "mcp-agent"})
        return names, content(await mcp.call_tool("list_runs", {}))


def test_command_of_the_page_serves_the_tools_on_standard_input_and_output(app, agent):
    (page,) = [one for one in blocks(ROOT / "docs" / "api.md") if "model mcp" in one.text]
    *installed, line = page.lines()
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for one in installed:
        extra = re.fullmatch(r"pip install 'hjstudy\[(\w+)\]'", one)[1]
        assert extra in extras["optional-dependencies"]
    name, _, typed = line.partition("=... ")
    with serving(app, "h11") as (host, port):
        words = typed.replace("http://127.0.0.1:8000", f"http://{host}:{port}").split()[1:]
        command = StdioServerParameters(
            command=sys.executable,
            args=["-m", "app.cli", *words],
            env={**os.environ, name: agent.key},
            cwd=ROOT,
        )
        names, found = asyncio.run(tools_of(command))
    assert "play_command" in names
    assert [run["agent"] for run in found["runs"]] == ["mcp-agent"]


def test_command_without_a_key_says_which_variable_to_set():
    known = {**os.environ, "HJ_AGENT_KEY": ""}
    words = [sys.executable, "-m", "app.cli", "model", "mcp", "--url", "http://127.0.0.1:9"]
    done = subprocess.run(words, env=known, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Set HJ_AGENT_KEY" in done.stderr
