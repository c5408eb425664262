"""hjstudy variant: show, certify and export what players would play."""

import json
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.bar import progress
from app.cli.common import AsJson, explain, naming_files, refuse, show
from app.study.design.seeds import MAX_SEED, parse_seeds

if TYPE_CHECKING:
    from app.game.model import Variant

FULL = ("1", "2")  # coverages at which the demonstrations must settle the rule

variant = typer.Typer(help="Inspect variants before people play them.", no_args_is_help=True)


def task_names(begun: str) -> list[str]:
    """Return the task names that start with a word, for shell completion."""
    from app.game.tasks import TASK_NAMES

    return [name for name in TASK_NAMES if name.startswith(begun)]


def lexicon_names(begun: str) -> list[str]:
    """Return the lexicon names that start with a word, for shell completion."""
    from app.study.design.game_files import LEXICON_NAMES

    return [name for name in LEXICON_NAMES if name.startswith(begun)]


Task = Annotated[
    str,
    typer.Option("--task", help="A-Add, ..., P-Over, or a JSON file", autocompletion=task_names),
]
Seed = Annotated[int, typer.Option("--seed", min=0, max=MAX_SEED)]
Lexicon = Annotated[
    str,
    typer.Option("--lexicon", help="semantic, nonce, or a JSON file", autocompletion=lexicon_names),
]
Coverage = Annotated[str, typer.Option("--coverage", help="0, 1/3, 2/3, 1 or 2")]
Distractors = Annotated[int, typer.Option("--distractors", min=0, max=8)]


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(variant, name="variant")


def make(
    task: str, seed: int, lexicon: str = "semantic", coverage: str = "1", distractors: int = 4
) -> "Variant":
    """Generate the variant that the options name."""
    from app.game.demos import normal_coverage
    from app.game.variant import generate
    from app.study.design import game_files

    return generate(
        game_files.task(task),
        seed,
        game_files.lexicon(lexicon),
        normal_coverage(coverage),
        distractors,
    )


@variant.command("show")
def show_variant(
    task: Task,
    seed: Seed,
    lexicon: Lexicon = "semantic",
    coverage: Coverage = "1",
    distractors: Distractors = 4,
    *,
    json: AsJson = False,
) -> None:
    """Show a variant as players read it, or with --json all of it, including the answers."""
    from app.game.view import player_view, text_view

    made = make(task, seed, lexicon, coverage, distractors)
    if json:
        show(document(made))
        return
    typer.echo(text_view(player_view(made, 0)))
    explain("(This is the first guardian's page. `variant certify` shows the rule.)")


def document(made: "Variant") -> dict[str, Any]:
    """Return the variant's canonical JSON (with its hash) as a document."""
    from app.game.variant import canonical_json

    found: dict[str, Any] = json.loads(canonical_json(made))
    return found


@variant.command("certify")
def certify_variant(
    task: Task,
    seed: Seed,
    lexicon: Lexicon = "semantic",
    coverage: Coverage = "1",
    distractors: Distractors = 4,
    *,
    json: AsJson = False,
) -> None:
    """Print the hidden rule as a grid, the split and the certificate.

    Exits with 1 if all demonstrations are shown (coverage 1 or 2) but do not determine the answers.
    """
    from app.study.design.certificate import certificate_dict
    from app.study.design.task_advice import warnings

    made = make(task, seed, lexicon, coverage, distractors)
    found = certificate_dict(made)
    if json:
        show(found)
    else:
        print_grid(made)
        print_certificate(made, found)
        for problem in warnings(made.task):
            explain(f"Warning: {problem}.")
    if not found["unique"] and made.coverage in FULL:
        raise typer.Exit(1)


def print_grid(made: "Variant") -> None:
    """Print the rule as a table, with held-out cells in brackets."""
    from app.study.design.variant_page import grid

    facts = grid(made)
    rows = [["", *facts["roles"]]]
    for name, cells in zip(facts["classes"], facts["rows"], strict=True):
        texts = [f"[{c['text']}]" if c["split"] == "gen" else f" {c['text']} " for c in cells]
        rows.append([name, *texts])
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        cells = [text.ljust(width) for text, width in zip(row, widths, strict=True)]
        typer.echo("  ".join(cells).rstrip())
    typer.echo(f"\nrows: {made.labels[0]}, columns: {made.labels[1]}, [held out and played]")


def print_certificate(made: "Variant", found: dict[str, Any]) -> None:
    """Print the certificate in words."""
    from app.game.variant import content_hash

    settled = (
        "determine the answer for every held-out guardian"
        if found["unique"]
        else "leave more than one rule"
    )
    typer.echo(f"\nvariant {content_hash(made)[:12]}: the demonstrations {settled}.")
    typer.echo(f"rules of the task's form that fit: {found['rules_consistent']}")
    for cell in found["cells"]:
        left = ", ".join(cell["predictions"])
        typer.echo(f"  {cell['class']} + {cell['role']}: {left} (truth: {cell['truth']})")
    for twin in found["twins"]:
        typer.echo(f"  twin (class and role swapped): {', '.join(twin['predictions'])}")
    for rival in found["rivals"]:
        direction = ", exchanged" if rival["swapped"] else ""
        typer.echo(f"  rival ({rival['form']}{direction}): {', '.join(rival['predictions'])}")
    typer.echo(f"contextual bias {found['contextual_bias']:.3f}, ", nl=False)
    typer.echo(f"share of held-out guardians determined {found['share_determined']:.2f}")
    floors = ", ".join(f"{name} {value:.3f}" for name, value in found["floors"].items())
    typer.echo(f"expected ECSR without induction: {floors}")


@variant.command("export")
def export_variants(
    out: Annotated[Path, typer.Option("--out", help="folder to write to")],
    tasks: Annotated[str, typer.Option(help="all, or names separated by commas")] = "all",
    seeds: Annotated[str, typer.Option(help="such as 0-19 or 1,5,7")] = "0-19",
    lexicon: Lexicon = "semantic",
    coverage: Coverage = "1",
    distractors: Distractors = 4,
    *,
    json: AsJson = False,
) -> None:
    """Write one canonical JSON file per variant."""
    from app.game.tasks import TASK_NAMES
    from app.game.variant import canonical_json, content_hash

    names = TASK_NAMES if tasks == "all" else tuple(name.strip() for name in tasks.split(","))
    try:
        numbers = parse_seeds(seeds)
    except ValueError as error:
        refuse(str(error))
    files = {}
    wanted = list(product(names, numbers))
    with naming_files(), progress(json=json) as track:
        out.mkdir(parents=True, exist_ok=True)
        for name, seed in track(wanted, "Writing variants", len(wanted)):
            made = make(name, seed, lexicon, coverage, distractors)
            shown = made.coverage.replace("/", "-")
            file = f"{made.task.name}_{seed}_{made.lexicon}_{shown}.json"
            (out / file).write_text(canonical_json(made), "utf-8")
            files[file] = content_hash(made)
    if json:
        show({"out": str(out), "files": files})
    else:
        explain(f"Wrote {len(files)} variants to {out}.")
