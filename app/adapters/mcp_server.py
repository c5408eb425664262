"""The API as an MCP server (`hjstudy[mcp]`): each call is a tool."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from app.adapters.client import Api, ApiError

ABOUT = (
    "Play Hero's Journey, a text game with a hidden rule. Open a run, read each episode's words, "
    "play commands one by one (seq counts from 1), explain the rule of each variant, then read the "
    "result."
)
Json = dict[str, Any]


def make_server(api: Api) -> MCPServer:
    """Return a server whose tools are the calls of the API."""
    server = MCPServer("hjstudy", instructions=ABOUT)

    def open_run(
        agent: str,
        tasks: list[str] | None = None,
        seeds: list[int] | None = None,
        label: str = "",
    ) -> Json:
        """Open a run: a list of episodes, all of the study or those of some tasks and seeds."""
        return api.open_run(agent, tasks or (), seeds or (), label)

    def send_answer(
        run: int,
        episode: int,
        item: str = "",
        activity: str = "",
        placed: str = "",
        times: str = "",
    ) -> Json:
        """Say once what defeats a guardian of the direct format; `asks` names the fields."""
        typed = {"item": item, "activity": activity, "placed": placed, "times": times}
        return api.send_answer(run, episode, typed)

    def send_explanation(
        run: int, variant: int, text: str = "", inputs: str = "", output: str = "", how: str = ""
    ) -> Json:
        """Explain a variant's rule once, when its episodes are over: text, or three parts."""
        parts = {"text": text, "inputs": inputs, "output": output, "how": how}
        return api.send_explanation(run, variant, parts)

    def list_runs() -> Json:
        """List the runs that this key opened."""
        return {"runs": api.list_runs()}

    own = open_run, send_answer, send_explanation, list_runs
    for tool in (*own, api.show_run, api.show_episode, api.play_command, api.show_result):
        server.add_tool(with_messages(tool))
    return server


def with_messages(tool: Callable[..., Json]) -> Callable[..., Json]:
    """Return a tool whose problems reach the model in words."""

    @wraps(tool)
    def call(*given: Any, **named: Any) -> Json:
        try:
            return tool(*given, **named)
        except ApiError as error:
            raise ToolError(f"{error.code}: {error.message}") from error

    return call
