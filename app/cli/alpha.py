"""hjstudy alpha: Krippendorff's alpha of a CSV of long rows."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.bar import progress
from app.cli.common import AsJson, explain, refuse, show
from app.errors import HjstudyError

if TYPE_CHECKING:
    from app.scoring.agreement import Weighting
    from app.scoring.alphareport import Result
    from app.scoring.bootstrap import Interval, NoInterval
    from app.scoring.longrows import Ratings


class LevelName(StrEnum):
    """Levels of measurement."""

    nominal = "nominal"
    ordinal = "ordinal"
    interval = "interval"
    ratio = "ratio"


class WeightsName(StrEnum):
    """What the column `weight` does."""

    scaled = "scaled"
    frequency = "frequency"
    none = "none"


class WideName(StrEnum):
    """What the columns of a matrix are."""

    raters = "raters"
    items = "items"


File = Annotated[
    Path,
    typer.Argument(help="columns item,rater,value[,weight,stratum,cluster] (CSV or JSON)"),
]
Wide = Annotated[
    WideName | None,
    typer.Option("--wide", help="the file is a matrix, and these are its columns"),
]
Missing = Annotated[
    str | None,
    typer.Option(
        "--na",
        help="texts that mean 'no value', in any case, separated by commas; "
        "default: NA,NaN,None,null,N/A,.,?",
    ),
]
LevelOption = Annotated[LevelName, typer.Option("--level", help="the values' level of measurement")]
Bootstrap = Annotated[
    int, typer.Option("--bootstrap", min=0, help="bootstrap replicates; 0 = no interval")
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="seed of the bootstrap")]
OverRaters = Annotated[
    bool,
    typer.Option(
        "--over-raters", help="also draw raters, so that the interval covers other raters"
    ),
]
Weights = Annotated[
    WeightsName,
    typer.Option(
        "--weights",
        help="scaled: keep the number of pairable values; frequency: count a unit of weight "
        "w as w units; none: ignore the column",
    ),
]
Domain = Annotated[
    str,
    typer.Option("--domain", help="the scale's values, such as 0,1,2; default: those in the file"),
]


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("alpha")(alpha)


def alpha(
    file: File,
    level: LevelOption,
    bootstrap: Bootstrap = 0,
    seed: Seed = 1,
    weights: Weights = WeightsName.scaled,
    domain: Domain = "",
    wide: Wide = None,
    na: Missing = None,
    *,
    over_raters: OverRaters = False,
    json: AsJson = False,
) -> None:
    """Compute Krippendorff's alpha of a table, with an interval if you give --bootstrap."""
    from app.scoring import alphareport
    from app.scoring import over_raters as raters
    from app.study.agreement import long_csv
    from app.study.table_cells import MISSING

    with naming(file), progress(json=json) as track:
        read = long_csv.read(
            text_of(file),
            labels=level is LevelName.nominal,
            domain=[text.strip() for text in domain.split(",")] if domain else [],
            wide=wide.value if wide else "",
            missing=MISSING if na is None else long_csv.texts(na),
            track=track,
        )
        ratings = read.ratings

        def made(kind: "Weighting") -> "Result":
            return alphareport.result(
                ratings,
                level.value,
                weighting=kind,
                replicates=bootstrap,
                seed=seed,
                track=track,
            )

        weighting: Weighting = weights.value if ratings.weighted else "none"
        found = made(weighting)
        plain = found if weighting == "none" else made("none")
        wider = (
            raters.interval(
                ratings, found.found, weighting, replicates=bootstrap, seed=seed, track=track
            )
            if over_raters
            else None
        )
    for note in read.notes:
        explain(note)
    if json:
        document = found.to_dict()
        document["n_missing"] = read.missing
        document["unweighted"] = None if plain is found else plain.to_dict()
        if wider is not None:
            document |= alphareport.interval_fields("rater_interval", wider.interval)
            document["rater_warning"] = wider.warning or None
        show(document)
    else:
        typer.echo(in_words(found, plain, ratings))
        if wider is not None:
            typer.echo(f"Interval over items and raters: {span(wider.interval)}")
            if wider.warning:
                typer.echo(f"Note: {wider.warning}")
        if read.missing:
            typer.echo(f"{read.missing} values are missing")


@contextmanager
def naming(file: Path) -> Iterator[None]:
    """Name the file in front of what is wrong with it, and exit with 2."""
    try:
        yield
    except HjstudyError as error:
        refuse(f"{file}: {error.message}")


def text_of(file: Path) -> str:
    """Return a file's text; say on stderr if its encoding had to be detected."""
    from app.study.table_text import decode

    try:
        data = file.read_bytes()
    except OSError as error:
        refuse(f"Cannot read {file}: {error.strerror}.")
    found = decode(data)
    if found.note:
        explain(found.note)
    return found.text


def in_words(found: "Result", plain: "Result", ratings: "Ratings") -> str:
    """Return the result as lines for people."""
    one = found.found
    lines = [f"Krippendorff's alpha ({one.level}): {figure(found)}"]
    if plain is not found:
        kind = one.weights.kind if one.weights else "none"
        lines[0] += f", weights {kind}"
        lines.append(f"Unweighted: {figure(plain)}")
    lines += [
        f"{one.n_units} items: {one.n_pairable} with two or more values, {one.n_single} with one",
        f"{len(one.raters)} raters, {one.n_pairable_values} values compared",
        f"Interval over items: {span(found.interval)}",
    ]
    if len(ratings.clusters) < len(ratings.items):
        lines.append(f"Interval over clusters: {span(found.cluster_interval)}")
    lines += [f"Note: {flag}" for flag in one.flags]
    return "\n".join(lines)


def figure(found: "Result") -> str:
    """Return alpha with 3 decimals, or why it is undefined."""
    value = found.found.alpha
    return f"undefined ({found.found.status})" if value is None else f"{value:.3f}"


def span(found: "Interval | NoInterval") -> str:
    """Return an interval, or why there is none."""
    from app.scoring.bootstrap import NoInterval

    if isinstance(found, NoInterval):
        return f"none: {found.reason}"
    return (
        f"{found.low:.3f} to {found.high:.3f} ({found.coverage:.0%}, {found.method}, "
        f"{found.replicates} replicates of {found.units} {found.over}, seed {found.seed}, "
        f"{found.undefined} undefined)"
    )
