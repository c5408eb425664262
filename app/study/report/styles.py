"""Styles of figures that work in colour, in grey and for colour-blind readers."""

from typing import Any

# colour, marker, line: any of the three is enough to tell series apart; contrast is at least 3:1
STYLES: tuple[tuple[str, str, Any], ...] = (
    ("#000000", "o", "-"),
    ("#0072b2", "s", "--"),
    ("#d55e00", "^", "-."),
    ("#00805a", "D", ":"),
    ("#a8478a", "v", (0, (5, 1))),
    ("#8a6500", "P", (0, (3, 1, 1, 1))),
    ("#5d5d5d", "X", (0, (1, 3))),
    ("#2f3e9e", "*", (0, (7, 2, 1, 2))),
)
PEOPLE, MINUS_MODELS = "people", "participants' ECSR - model's"
OF_PEOPLE = (PEOPLE, MINUS_MODELS)  # labels that name bots instead, if the players are bots
SETTINGS: Any = {  # for Matplotlib
    "svg.hashsalt": "hjstudy",
    "svg.fonttype": "path",  # text as outlines, so that no font is needed
    "pdf.fonttype": 42,
    "pdf.compression": 6,
    "font.family": "DejaVu Sans",  # comes with Matplotlib
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#d8d8d8",
    "axes.axisbelow": True,
    "legend.frameon": False,
    "savefig.facecolor": "white",
}
