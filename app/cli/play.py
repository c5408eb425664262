"""hjstudy play: the game in the terminal, or from a file of commands."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.common import AsJson, explain, refuse, show
from app.cli.variant import Coverage, Distractors, Lexicon, Seed, Task, make


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("play")(play)


def play(
    task: Task,
    seed: Seed,
    lexicon: Lexicon = "semantic",
    coverage: Coverage = "1",
    distractors: Distractors = 4,
    episode: Annotated[int, typer.Option(min=1, help="which guardian, from 1")] = 1,
    commands: Annotated[Path | None, typer.Option(help="file of commands, one per line")] = None,
    *,
    json: AsJson = False,
) -> None:
    """Play one guardian of a variant."""
    from app.cli import terminal
    from app.game import world

    made = make(task, seed, lexicon, coverage, distractors)
    if episode > len(made.episodes):
        refuse(f"--episode: this variant has only {len(made.episodes)} guardians.")
    here = world.episode_world(made, episode - 1)
    if commands is None:
        if json:
            refuse("--json needs --commands FILE.")
        terminal.play(made, here, episode - 1)
        return
    turns, state = terminal.play_lines(here, read_lines(commands))
    facts = {"turns": turns, **terminal.result(made, episode - 1, state)}
    if json:
        show(facts)
        return
    for turn in turns:
        typer.echo(f"> {turn['raw']}\n{turn['message']}")
    explain(terminal.ending(facts))


def read_lines(path: Path) -> list[str]:
    """Return the lines of a file; only a line feed ends one."""
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        refuse(f"Cannot read {path}: {error}")
    return [line.removesuffix("\r") for line in text.split("\n")]
