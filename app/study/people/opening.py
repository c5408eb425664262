"""The checklist before a study is opened, with its address and what test players found."""

from statistics import median
from typing import NamedTuple

from sqlalchemy import Connection

from app.addresses import is_local
from app.store.people import payment_rows
from app.store.play import earned
from app.study.design.check_item import FINE, LOOK, RECRUITING, Check
from app.study.design.checklist import checks, line
from app.study.design.draft import Draft, load
from app.study.design.freeze import frozen_hash
from app.study.design.spec import StudySpec
from app.study.people.first_tasks import first_tasks
from app.study.people.weak_blocks import weak_blocks
from app.study.play.pay import active_minutes

SHORTEST_PLAY = 1.0  # minutes; bots and players moved forward are faster
MOST_READ = 50  # the newest test plays
TEST_PLAY = "test"
SLOW = 1.5  # times the announced minutes


class Site(NamedTuple):
    """The server's own settings, as far as a study's people notice them.

    `base_url`: with which links begin; `has_own_scripts`: pages load no script from another site.
    """

    base_url: str
    has_own_scripts: bool = True


def checklist(db: Connection, found: Draft, site: Site) -> list[Check]:
    """Return all items for the design that opening would use; [] if it is invalid.

    A study that was opened before opens again with its published design.
    """
    spec = found.spec if found.published is None else found.published.spec
    if spec is None:
        return []
    shell = (
        *address(spec, site.base_url),
        *scripts(spec, site),
        test_play(db, found.study_id, spec),
    )
    return [*checks(spec), *weak_blocks(db, found, spec), *first_tasks(spec), *shell]


def advice(db: Connection, slug: str, site: Site) -> list[str]:
    """Return what to check about a study, one line of text for each item."""
    return [line(one) for one in checklist(db, load(db, slug), site) if one.level == LOOK]


def address(spec: StudySpec, base_url: str) -> list[Check]:
    """Check that people can open the study's links; [] if no people are asked to."""
    if spec.kind not in RECRUITING:
        return []
    title = "Address"
    if not is_local(base_url):
        words = f"Links begin with {base_url}. The command hjstudy doctor tries to open it."
        return [Check("address", FINE, title, words)]
    words = f"Links begin with {base_url}, which only this machine itself can open."
    advice = (
        "Set HJSTUDY_BASE_URL to the address that people use, for the server and for commands, "
        "start the server again, and run hjstudy doctor."
    )
    return [Check("address", LOOK, title, words, advice)]


def scripts(spec: StudySpec, site: Site) -> list[Check]:
    """Say that another company sees the addresses of a real study's people, if so."""
    if spec.kind != "real" or site.has_own_scripts:
        return []
    found = (
        "Players’ browsers load one script, htmx, from cdn.jsdelivr.net, which so sees their IP "
        "addresses."
    )
    advice = (
        "To serve it yourself: pip install 'hjstudy[offline]', set HJSTUDY_HTMX_SOURCE=local, and "
        "start the server again. Or say it in the consent text."
    )
    return [Check("scripts", LOOK, "Privacy", found, advice)]


def test_play(db: Connection, study_id: int, spec: StudySpec) -> Check:
    """Check that a person has played this design to its end, and how long that took."""
    own = frozen_hash(spec)
    took, older = list[float](), 0
    for row in payment_rows.test_plays(db, study_id, MOST_READ):
        minutes = active_minutes(earned.moments(db, row.id), spec.clocks.idle_minutes)
        if minutes < SHORTEST_PLAY:
            continue
        if row.spec_hash == own:
            took.append(minutes)
        else:
            older += 1
    title = "Test play"
    advice = "Play it once to the end with ‘Try it’ or ‘Preview’, without jumps."
    if not took and spec.is_of_bots:
        return Check(TEST_PLAY, FINE, title, "Only bots play this study.")
    if not took:
        words = "No person has played this design to its end; bots and jumps do not count."
        more = f" Test plays of earlier designs: {older}." if older else ""
        return Check(TEST_PLAY, LOOK, title, f"{words}{more}", advice)
    middle = median(took)
    words = f"Test plays to the end: {len(took)}, in {middle:.0f} minutes of activity."
    if middle > SLOW * spec.texts.minutes:
        words += f" Players read {spec.texts.minutes} minutes."
        return Check(
            TEST_PLAY, LOOK, title, words, "Correct the expected minutes.", "texts.minutes"
        )
    return Check(TEST_PLAY, FINE, title, words)
