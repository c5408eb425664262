"""What a new study starts from: nothing, the paper's design, or a copy of another."""

import re
from typing import Any

from sqlalchemy import Connection

from app.game.tasks import TASK_NAMES
from app.store.design import studies
from app.study.design import draft
from app.study.design.slugs import MAX_SLUG
from app.study.design.spec import check_study

EMPTY, PAPER, COPY = "empty", "paper", "copy:"

# Seven people each play all eight tasks in one variant and write down the rule after each episode.
# The order of tasks rotates, so each task comes first about equally often.
PAPER_SHAPE: dict[str, Any] = {
    "slug": "paper",
    "title": "The paper’s design",
    "kind": "pilot",
    "blocks": [{"task": name, "seeds": [0]} for name in TASK_NAMES],
    "per_player": len(TASK_NAMES),
    "order": "latin",
    "rule_form": {"when": "episode", "parts": "three"},
    "people": {"quota": 7},
    "texts": {"minutes": 90},
}


def document(db: Connection, start: str) -> dict[str, Any]:
    """Return the document a new study starts from. Raises NoStudyError if nothing to copy."""
    if start.startswith(COPY):
        return without_codes(draft.load(db, start.removeprefix(COPY)).document)
    whole = check_study(PAPER_SHAPE if start == PAPER else draft.BASE).model_dump(mode="json")
    return whole if start == PAPER else {**whole, "title": "", "slug": "", "blocks": []}


def without_codes(document: dict[str, Any]) -> dict[str, Any]:
    """Return a design without its codes, for which the platform pays another study."""
    codes = document.get("codes", {})
    kept = {key: value for key, value in codes.items() if key in {"kind", "return_url"}}
    return {**document, "codes": kept}


def slug_of(title: str) -> str:
    """Make an address from a title: a-z, 0-9 and hyphens; '' if nothing is left."""
    found = re.sub(r"[^a-z0-9]+", "-", title.lower().replace("’", ""))
    return found.strip("-")[:MAX_SLUG].strip("-")


def titles(db: Connection) -> list[tuple[str, str]]:
    """Return (address, title) of every study that can be copied, oldest first."""
    return [(row.slug, row.title) for row in studies.listed(db)]
