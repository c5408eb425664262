"""Tables for LaTeX that fit a page: chosen columns, a caption and a label, ready to include.

Lines that would repeat another are left out (repeats.py). The tables need booktabs and graphicx,
and longtable if they have more rows than a page. The other columns are in the CSV file of the same
name.
"""

import json
from collections.abc import Mapping
from typing import Any

from app.study.report.repeats import table_without_repeats
from app.study.report.shape import shown

PAGE = 45  # rows
CONDITION = ("lexicon", "coverage")
CHOSEN: Mapping[str, tuple[str, ...]] = {
    "baseline": (
        *("task", "players", "success_rate", "norm_eff", "ecsr", "rv", "best_floor", "ceiling"),
    ),
    "floors": (
        *("task", "people", "inducer", "enumerator", "copycat", "eliminator", "neighbour"),
        *("prior", "beaten"),
    ),
    "rv": ("task", "written", "unrated", "judge", "human", "final"),
    "learning": ("over", "place", "players", "success_rate", "ecsr", "rv", "best_floor"),
    "format_gap": ("task", "direct", "played", "gap", "pairs", "p_adjusted"),
    "lexicon": ("measure", "task", "semantic", "nonce", "difference", "pairs", "p_adjusted"),
    "coverage": (
        *("task", "players", "ecsr_first", "ecsr", "rv", "contextual_bias", "share_determined"),
    ),
    "against_paper": ("measure", "name", "task", "people", "published", "difference"),
    "models": (
        *("model", "measure", "episodes", "task", "people", "model_mean", "difference"),
        *("pairs", "p_adjusted"),
    ),
    "signs": ("people", "left_out", "players", "success_rate", "norm_eff", "ecsr", "rv"),
    "models_format_gap": ("model", "task", "direct", "played", "gap", "pairs", "p_adjusted"),
    "methods": ("model", "method", "task", "plain", "ecsr", "change", "pairs", "p_adjusted"),
    "models_coverage": (
        *("model", "task", "units", "ecsr", "rv", "contextual_bias", "share_determined"),
    ),
    "models_cost": (
        *("model", "ecsr", "rv", "direct", "calls", "prompt_tokens", "completion_tokens", "cost"),
    ),
    "parity": ("model", "episodes", "shared", "same", "other", "unknown", "verdict"),
}
SPECIAL = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}
FITS = r"\resizebox{\ifdim\width>\textwidth\textwidth\else\width\fi}{!}{%"


def table_latex(table: Mapping[str, Any], settings: Mapping[str, Any]) -> bytes:
    """Return a table as a float of the width of the page at most, or, if it is long, a longtable.

    The note, the settings and the names of columns left out are comments above it.
    """
    table = table_without_repeats(table)
    columns, rows = chosen(table)
    align = "".join("l" if column["kind"] == "text" else "r" for column in columns)
    heads = " & ".join(escaped(column["label"]) for column in columns) + r" \\"
    kinds = [column["kind"] for column in columns]
    body = [
        " & ".join(escaped(shown(cell, kind)) for cell, kind in zip(row, kinds, strict=True))
        + r" \\"
        for row in rows
    ]
    named = [f"\\caption{{{caption(table, settings)}}}", f"\\label{{tab:{label(table)}}}"]
    names = {column["name"] for column in columns}
    left = [one["name"] for one in table["columns"] if one["name"] not in names]
    comments = [
        f"% {table['title']}: {table['note']}",
        f"% settings: {json.dumps(settings, sort_keys=True)}",
        f"% columns only in {table['name']}.csv: {', '.join(left) or 'none'}",
    ]
    make = long if len(rows) > PAGE else page_wide
    return "\n".join([*comments, *make(named, align, heads, body), ""]).encode()


def page_wide(named: list[str], align: str, heads: str, body: list[str]) -> list[str]:
    """Return a float over both columns of a page."""
    return [
        *(r"\begin{table*}", r"\centering", r"\small", FITS),
        *(f"\\begin{{tabular}}{{{align}}}", r"\toprule", heads, r"\midrule"),
        *body,
        *(r"\bottomrule", r"\end{tabular}}", *named, r"\end{table*}"),
    ]


def long(named: list[str], align: str, heads: str, body: list[str]) -> list[str]:
    """Return a table that goes on over pages (in one column), in small type."""
    return [
        *(r"\begingroup", r"\scriptsize", r"\setlength{\tabcolsep}{3pt}"),
        *(f"\\begin{{longtable}}{{{align}}}", *named[:1], f"{named[1]}\\\\"),
        *(r"\toprule", heads, r"\midrule", r"\endfirsthead"),
        *(r"\toprule", heads, r"\midrule", r"\endhead", r"\bottomrule", r"\endfoot"),
        *body,
        *(r"\end{longtable}", r"\endgroup"),
    ]


def chosen(table: Mapping[str, Any]) -> tuple[list[dict[str, Any]], list[list[Any]]]:
    """Return the columns to print, with their rows.

    Lexicon and coverage are printed only if they vary; otherwise the caption names them.
    """
    family = table["name"].removesuffix("_first").removesuffix("_all")
    wanted = CHOSEN.get(table["name"], CHOSEN.get(family))
    places = []
    for at, column in enumerate(table["columns"]):
        if column["name"] in CONDITION:
            keep = one_of(table, column["name"]) is None
        else:
            keep = wanted is None or column["name"] in wanted
        if keep:
            places.append(at)
    columns = [table["columns"][at] for at in places]
    return columns, [[row[at] for at in places] for row in table["rows"]]


def one_of(table: Mapping[str, Any], name: str) -> str | None:
    """Return the only value of a column, or None if it varies or there are no rows."""
    names = [column["name"] for column in table["columns"]]
    if name not in names:
        return None
    found = {row[names.index(name)] for row in table["rows"]}
    return found.pop() if len(found) == 1 else None


def caption(table: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Return a caption: the title, the condition, and what brackets are."""
    words, share = (one_of(table, name) for name in CONDITION)
    parts = [f"{words} words" if words else "", f"coverage {share}" if share else ""]
    condition = ", ".join(part for part in parts if part)
    text = f"{table['title']} ({condition})." if condition else f"{table['title']}."
    if any(column["kind"] == "figure" for column in chosen(table)[0]):
        text += f" Brackets: {settings['interval']}, {settings['replicates']} replicates."
    return escaped(text)


def label(table: Mapping[str, Any]) -> str:
    """Return the name to refer to, such as `baseline-first`."""
    return str(table["name"]).replace("_", "-")


def escaped(text: str) -> str:
    """Return text escaped for LaTeX."""
    return "".join(SPECIAL.get(sign, sign) for sign in text).replace("–", "--")
