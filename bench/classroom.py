"""A class of 200 behind one address enters a study at once, over HTTP, each in a browser.

Most of them get in at once, because the study allows such a burst. The others see how long they
must wait and follow the page, which asks again by itself, until they are in.
"""

import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import unescape
from random import Random

from app.bots.sender import Sender
from app.study.design import studies
from app.study.design.spec import check_study
from bench import serving, stage
from bench.measure import Result
from bench.strangers import SEEN, TICKET, held

SLUG = "door"  # the study that `held` counts
STUDY = {
    "slug": SLUG,
    "title": "A lesson",
    "seed": 1,
    "blocks": [{"task": "A-Over", "seeds": [1]}, {"task": "P-Comp", "seeds": [1]}],
    "per_player": 2,
    "options": {"episodes_per_block": 1},
    "clocks": {"untouched_minutes": 1},
}
TIMES = re.compile(r"about <strong>([^<]+)</strong>")
NEXT = re.compile(r'href="(/s/[^"]+/wait\?[^"]+)"')
PATIENCE_S = 240


@dataclass(slots=True)
class Class:
    """The results of a class: how long each took, and the waiting times that were shown."""

    took: list[float] = field(default_factory=list)
    waits: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def run(*, tiny: bool) -> Iterator[Result]:
    """Let a class enter; yield the shares of people who get in, and who are told how long."""
    people, burst = (40, 34) if tiny else (200, 150)
    study = {**STUDY, "people": {"quota": people, "burst": burst}}
    with stage.folder() as folder, stage.database(folder / "class.db", 1) as store:
        studies.create(store, check_study(study), datetime.now(UTC))
        url = {"HJSTUDY_DATABASE_URL": str(store.url), "HJSTUDY_HTMX_SOURCE": "cdn"}
        with serving.server(serving.OURS, folder, "/healthz", **url) as port:
            found = enter_all(f"http://{serving.HOST}:{port}", people)
        places = held(store)
    at_once = len(found.took) - len(found.waits)
    print(
        f"  {at_once} of {people} at once, {len(found.waits)} waited: {', '.join(found.waits[:3])}"
    )
    print(f"  the last was in after {max(found.took, default=0):.1f} s")
    for problem in found.problems[:5]:
        print(f"  {problem}")
    yield Result("classroom: people who get in / all", len(found.took) / people, 1)
    yield Result("classroom: places taken / all", places / people, 1)
    waited = people - burst
    yield Result("classroom: people told how long / who must wait", len(found.waits) / waited, 0.5)


def enter_all(address: str, people: int) -> Class:
    """Let everyone enter at the same moment."""
    found, lock = Class(), threading.Lock()

    def attend(number: int) -> None:
        began, browser = time.monotonic(), Sender([address], Random(number))
        try:
            waits = enter(browser, number)
        except (AssertionError, OSError, ValueError) as error:
            with lock:
                found.problems.append(f"person {number}: {error}")
            return
        finally:
            browser.close()
        with lock:
            found.took.append(time.monotonic() - began)
            found.waits += waits

    threads = [threading.Thread(target=attend, args=(number,)) for number in range(people)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return found


def enter(browser: Sender, number: int) -> list[str]:
    """Enter as one person; return the first time to wait that was shown, if any."""
    link = f"/s/{SLUG}?participant=pupil{number:04}"
    page = browser.get(link).text
    (ticket,), (seen,) = TICKET.findall(page), SEEN.findall(page)
    fields = {"participant": f"pupil{number:04}", "ticket": ticket, "seen": seen, "answer": "yes"}
    answer, waits = browser.post(f"/s/{SLUG}", fields, {}), list[str]()
    end = time.monotonic() + PATIENCE_S
    while answer.path.endswith("/wait") and time.monotonic() < end:
        waits += TIMES.findall(answer.text)
        time.sleep(int(answer.headers["Refresh"]))
        (following,) = NEXT.findall(answer.text)
        answer = browser.get(unescape(following))
    if not answer.path.startswith("/p/"):
        raise ValueError(f"{answer.status} at {answer.path}")
    return waits[:1]
