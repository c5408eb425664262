"""hjstudy round: samples of explanations, and rating rounds of them."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.bar import step
from app.cli.common import BY, AsJson, explain, now, open_store, refuse, show

if TYPE_CHECKING:
    from sqlalchemy import Connection

rounds = typer.Typer(help="Manage rating rounds.", no_args_is_help=True)

Number = Annotated[int, typer.Argument(min=1, help="number of the round")]
Which = Annotated[str, typer.Option(help="people's explanations: last or all of each variant")]


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(rounds, name="round")


@rounds.command("sample")
def draw(
    slug: str,
    judge: Annotated[str, typer.Option(help="name or number of the judge whose scores count")],
    per_level: Annotated[int, typer.Option(min=1, help="items per level")] = 33,
    of: Annotated[
        str, typer.Option("--of", help="level: score, mean of the criteria, or one of them")
    ] = "score",
    which: Which = "last",
    allocation: Annotated[
        str, typer.Option(help="over sources and tasks: proportional or balanced")
    ] = "proportional",
    seed: Annotated[int, typer.Option(min=0, help="the same seed draws the same items")] = 1,
    *,
    json: AsJson = False,
) -> None:
    """Draw a validation sample, stratified by a judge's scores."""
    from app.store.rating import samples
    from app.study.design import studies
    from app.study.rating import sample_draws
    from app.study.tickets import new_ticket

    with open_store() as store:
        with store.read() as db:
            study = studies.find(db, slug)
            run_number = judge_number(db, study.id, judge)
        number = sample_draws.draw_sample(
            *(store, study.id),
            run_number=run_number,
            wanted=of,
            which=which,
            per_level=per_level,
            allocation=allocation,
            seed=seed,
            by=BY,
            ticket=new_ticket(),
            now=now(),
        )
        with store.read() as db:
            row = sample_draws.find(db, study.id, number)
            drawn = sum(one.place is not None for one in samples.items_of(db, row.id))
    if json:
        show({"sample": number, "drawn": drawn, "frame": row.frame_size})
        return
    typer.echo(f"Sample {number} of '{slug}': {drawn} of {row.frame_size} items.")


def judge_number(db: "Connection", study_id: int, named: str) -> int:
    """Return the number of the judge with a name (the newest) or number."""
    from app.store.rating import judges

    known = judges.runs(db, study_id)
    found = [one.number for one in known if named in {one.judge, str(one.number)}]
    if not found:
        names = ", ".join(f"{one.number} ({one.judge})" for one in known) or "none"
        refuse(f"--judge: '{named}' is not one of the study's judges: {names}.")
    return int(max(found))


@rounds.command("create")
def create(
    slug: str,
    raters: Annotated[str, typer.Option(help="names of annotators, separated by commas")],
    items: Annotated[
        str, typer.Option(help="sample:N, or all explanations (of people, last or all)")
    ] = "last",
    title: Annotated[str, typer.Option(help="annotators see it")] = "Rating round",
    mode: Annotated[str, typer.Option(help="overall (0 to 2) or criteria (four of them)")] = (
        "overall"
    ),
    k: Annotated[int | None, typer.Option(help="raters per item; default: all of them")] = None,
    repeat_percent: Annotated[
        int | None, typer.Option(help="items that are shown again, in percent; default: 0")
    ] = None,
    ask_source: Annotated[
        str | None,
        typer.Option(
            help="ask who wrote each text: off (default), item (with each rating) or round"
        ),
    ] = None,
    adjudicators: Annotated[
        int | None, typer.Option(help="researchers who decide a disagreement; default: 1")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="of who rates what, and in which order")] = 1,
    guidelines: Annotated[
        Path | None, typer.Option(help="file in Markdown; default: our guidelines")
    ] = None,
    guidelines_version: Annotated[str, typer.Option(help="for reports")] = "",
    *,
    json: AsJson = False,
) -> None:
    """Create a draft of a round; gold and training items can be added on its page."""
    from app.study.design import studies
    from app.study.rating import rounds as cases
    from app.study.rating.round_start import START
    from app.study.tickets import new_ticket

    names = [one.strip() for one in raters.split(",") if one.strip()]
    typed = {
        **START,
        "title": title,
        "mode": mode,
        "items": items,
        "seed": str(seed),
        "k": str(k or len(names)),
    }
    chosen = {
        "repeat_percent": repeat_percent,
        "ask_source": ask_source,
        "adjudicators": adjudicators,
        "rubric": text_of(guidelines) if guidelines else None,
        "rubric_version": guidelines_version or ("own" if guidelines else None),
    }
    typed |= {name: str(value) for name, value in chosen.items() if value is not None}
    with open_store() as store:
        with store.read() as db:
            study = studies.find(db, slug)
            ticked = {f"rater_{rater_id(db, name)}": "1" for name in names}
        number = cases.create(store, study.id, typed | ticked, BY, new_ticket(), now())
    tell(slug, number, "draft", json=json)


def text_of(path: Path) -> str:
    """Return the guidelines in a file."""
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        refuse(f"--guidelines: cannot read {path}: {error}")


def rater_id(db: "Connection", name: str) -> int:
    """Return an annotator's id."""
    from app.store.people import accounts

    known = {row.name: int(row.id) for row in accounts.of_role(db, "annotator") if row.active}
    if name not in known:
        refuse(f"--raters: '{name}' is not one of the annotators: {', '.join(known) or 'none'}.")
    return known[name]


@rounds.command("open")
def open_round(slug: str, number: Number, *, json: AsJson = False) -> None:
    """Open a draft: annotators see it, and its set-up is fixed."""
    from app.study.design import studies
    from app.study.rating import rounds as cases

    with open_store() as store:
        with store.read() as db:
            study = studies.find(db, slug)
            revision = int(cases.find(db, study.id, number).revision)
        cases.open_round(store, study.id, number, revision, now())
    tell(slug, number, "open", json=json)


@rounds.command("close")
def close_round(
    slug: str,
    number: Number,
    *,
    anyway: Annotated[bool, typer.Option("--anyway", help="even if ratings are missing")] = False,
    json: AsJson = False,
) -> None:
    """Close a round, which makes its ratings final. It cannot be opened again."""
    from app.study.design import studies
    from app.study.rating import missing
    from app.study.rating import rounds as cases

    with open_store() as store:
        with store.read() as db:
            study = studies.find(db, slug)
            row = cases.find(db, study.id, number)
            lacks = missing.of_round(db, row) if row.state == "open" else None
        if lacks and lacks.sentence and not anyway:
            refuse(
                f"{lacks.sentence}, and a closed round cannot be opened again. Add --anyway to "
                "close it."
            )
        cases.close_round(store, study.id, number, now())
    tell(slug, number, "closed", json=json)


def tell(slug: str, number: int, state: str, *, json: bool) -> None:
    """Print the state of a round."""
    if json:
        show({"round": number, "state": state})
    else:
        typer.echo(f"Round {number} of '{slug}': {state}.")


@rounds.command("agreement")
def agreement(
    slug: str,
    number: Number,
    of: Annotated[str, typer.Option("--of", help="score or a criterion; default: the first")] = "",
    bootstrap: Annotated[int, typer.Option(min=0, help="replicates; 0 = no interval")] = 10_000,
    *,
    json: AsJson = False,
) -> None:
    """Print the agreement of raters and judges; with --json, the whole report."""
    from app.study.agreement import data, document
    from app.study.design import studies

    with open_store() as store, store.read() as db:
        facts = data.load(db, studies.find(db, slug), number)
    with step("Bootstrap", json=json):
        found = document.build(facts, of or facts.default_dimension, replicates=bootstrap)
    if json:
        show(found)
        return
    for name, row in found["rows"].items():
        for line in lines_of(row or {}):
            typer.echo(f"{name:9}{line}")


def lines_of(row: dict[str, Any]) -> list[str]:
    """Return the alphas of one row of an agreement report."""
    if not row:
        return []
    pairs = [("raters", row["human_human"]["alpha"])]
    pairs += [(f"raters and {one['judge']}", one["mean"]["value"]) for one in row["human_judge"]]
    return [f"{who}: {'-' if value is None else f'{value:.3f}'}" for who, value in pairs]


@rounds.command("hand-over")
def hand_over(
    slug: str,
    number: Number,
    source: Annotated[str, typer.Option("--from", help="annotator who left")],
    target: Annotated[str, typer.Option("--to", help="annotator who gets the open items")],
    *,
    json: AsJson = False,
) -> None:
    """Give an annotator's open items to another one. No one gets an item twice."""
    from app.study.design import studies
    from app.study.rating import handover
    from app.study.tickets import new_ticket

    with open_store() as store:
        with store.read() as db:
            study = studies.find(db, slug)
        done = handover.hand_over(store, study.id, number, source, target, BY, new_ticket(), now())
    if json:
        show(asdict(done))
        return
    explain(
        f"{done.moved} open items go from {source} to {target}. {done.left} stay, because "
        f"{target} has or had them. {done.dropped} hidden repeats were dropped."
    )
