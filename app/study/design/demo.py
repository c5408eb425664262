"""The demo study: all eight tasks; a visitor plays two worlds, the emptiest first."""

from datetime import datetime

from app.game.tasks import TASK_NAMES
from app.progress import Track, untracked
from app.store.db import Store
from app.study.design import studies
from app.study.design.default_texts import DEMO_PAY
from app.study.design.spec import check_study
from app.study.design.spec_parts import DEFAULT_DEBRIEF
from app.study.design.studies import StudyExistsError

SLUG = "demo"
DEBRIEF = f"""This is a demo, so you need not paste the code anywhere.

{DEFAULT_DEBRIEF}"""
DEMO = {
    "slug": SLUG,
    "title": "Hero’s Journey: a demo",
    "kind": "demo",
    "seed": 1,
    "blocks": [{"task": name, "seeds": [1]} for name in TASK_NAMES],
    "per_player": 2,
    "order": "balanced",
    "questions": {"comment": False},
    "texts": {"pay": DEMO_PAY, "minutes": 20, "debrief": DEBRIEF},
}


def seed(store: Store, now: datetime, track: Track = untracked) -> bool:
    """Create the demo study if it does not exist yet; return whether it was created."""
    try:
        studies.create(store, check_study(DEMO), now, track=track)
    except StudyExistsError:
        return False
    return True
