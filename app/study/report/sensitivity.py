"""How the human baseline changes if people with signs of automation are left out."""

from collections.abc import Mapping, Sequence

from app.scoring.plays import ALL
from app.study.people.signs import DEFINITIONS
from app.study.report.baseline import measures
from app.study.report.options import Options
from app.study.report.samples import by_task, counted, mean_of, over, total_of
from app.study.report.shape import Table, columns
from app.study.report.units import People, Row, Tables, Unit

EVERYONE, WITHOUT_ANY = "everyone", "without anyone with a sign"
SHOWN = {"success_rate": 0, "norm_eff": 1, "ecsr": 2, "rv": -1}  # name -> place among measures
NOTE = (
    "All episodes; the total over tasks. Signs of automation are reasons to look at a replay, "
    "never verdicts: people who dictate, paste their own notes or understood a rule alike have "
    "them too. What a browser could not observe counts as no sign. Each row leaves out the "
    "people with a sign; signs that no one has are not listed."
)


def sensitivity(people: People, tables: Tables, main_rv: str, options: Options) -> Table:
    """Return the baseline of everyone, without all people with signs, and without each sign's."""
    table = Table(
        "signs",
        "Baseline with and without people with signs of automation",
        NOTE,
        columns(
            *("lexicon::words", "coverage", "people", "left_out:int", "players:int", "units:int"),
            *("success_rate:figure:success rate", "norm_eff:figure", "ecsr:figure:ECSR"),
            "rv:figure:RV",
        ),
    )
    flagged = signs_by_person(tables.get("sign", ()))
    if not flagged:
        return table
    for condition in people.conditions():
        units = [u for u in people.episodic(condition) if u.metrics(ALL) is not None]
        for name, dropped in groups(flagged, {unit.player for unit in units}).items():
            kept = [unit for unit in units if unit.player not in dropped]
            figures = line(kept, main_rv, options)
            table.add(*condition, name, len(dropped), *counted(kept), *figures)
    return table


def signs_by_person(rows: Sequence[Row]) -> dict[str, list[str]]:
    """Return participant -> signs seen, for everyone in the table."""
    return {
        row["participant_id"]: [key for key in DEFINITIONS if row.get(f"sign_{key}")]
        for row in rows
    }


def groups(flagged: Mapping[str, Sequence[str]], players: set[str]) -> dict[str, set[str]]:
    """Return name of a row -> the players whom it leaves out."""
    by_sign = {key: {one for one in players if key in flagged.get(one, ())} for key in DEFINITIONS}
    single = {f"without {DEFINITIONS[key][0]}": who for key, who in by_sign.items() if who}
    return {EVERYONE: set(), WITHOUT_ANY: set().union(*by_sign.values()), **single}


def line(units: Sequence[Unit], main_rv: str, options: Options) -> list[object]:
    """Return the figures of a row: the total over tasks."""
    values = measures(ALL, main_rv)
    tasks = by_task(units)
    found = []
    for place in SHOWN.values():
        parts = {task: over(own, values[place]) for task, own in tasks.items()}
        if len(parts) > 1:
            found.append(total_of(parts, options))
        else:
            found.append(mean_of(over(units, values[place]), options))
    return list(found)
