"""The metrics: who may read them, what they count, and that they name no one."""

import json
import re
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from app.store.jobs import STATES
from app.web.deps import get_now
from tests.walker import Walker

TOKEN = "a secret of many letters".replace(" ", "-")
ASK = {"Authorization": f"Bearer {TOKEN}"}
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def settings(settings):
    return settings.model_copy(update={"metrics_token": TOKEN})


@pytest.fixture
def read(client):
    """Read every sample: (name, labels) -> value."""

    def samples():
        answer = client.get("/metrics", headers=ASK)
        assert answer.status_code == 200
        return {
            (one.name, tuple(sorted(one.labels.items()))): one.value
            for family in text_string_to_metric_families(answer.text)
            for one in family.samples
        }

    return samples


def value(samples, name, **labels):
    return samples.get((name, tuple(sorted(labels.items()))), 0)


@pytest.mark.parametrize(
    "sent", [{}, {"Authorization": TOKEN}, {"Authorization": f"Bearer {TOKEN}x"}]
)
def test_metrics_are_refused_without_the_right_token(client, sent):
    answer = client.get("/metrics", headers=sent)
    assert (answer.status_code, "hjstudy_" in answer.text) == (401, False)


def test_requests_commands_and_people_are_counted(read, player):
    before = read()
    player.type("check_location", "check_inventory")
    player.client.get("/no/such/page")
    after = read()
    place = "/p/{token}/world/{block}/guardian/{position}"
    for name, labels in (
        ("hjstudy_requests_total", {"method": "POST", "route": place, "status": "303"}),
        ("hjstudy_request_seconds_count", {"route": place}),
        ("hjstudy_actions_total", {}),
        ("hjstudy_writes_total", {}),
    ):
        assert value(after, name, **labels) - value(before, name, **labels) >= 2, name
    missing = {"method": "GET", "route": "-", "status": "404"}
    assert value(after, "hjstudy_requests_total", **missing) == 1
    assert value(after, "hjstudy_actions_total") - value(before, "hjstudy_actions_total") == 2
    assert value(after, "hjstudy_participants", kind="pilot", state="active") == 1
    assert value(after, "hjstudy_database_up") == 1
    assert value(after, "hjstudy_writes_waiting") == 0


def test_write_that_waits_is_seen(read, server):
    with server.store.waiting.joined() as begins:
        assert value(read(), "hjstudy_writes_waiting") == 1
        begins()
        assert value(read(), "hjstudy_writes_waiting") == 0
    with pytest.raises(ZeroDivisionError), server.store.waiting.joined():
        1 / 0  # noqa: B018
    assert value(read(), "hjstudy_writes_waiting") == 0


def test_jobs_under_way_are_counted_and_silent_ones_are_not(read, server, study):
    from datetime import timedelta

    from app.store import jobs

    job = {"study_id": study.id, "kind": "verify", "params": "{}", "what": "", "made_by": "a"}
    now = get_now()
    with server.store.write() as db:
        for number, state in enumerate(STATES):
            times = {"made_at": now, "beat_at": now}
            jobs.insert(db, {"id": f"j{number}", "state": state, **job, **times})
        old = now - timedelta(hours=1)
        jobs.insert(db, {"id": "old", "state": "running", **job, "made_at": old, "beat_at": old})
    found = read()
    assert value(found, "hjstudy_jobs", state="running") == 1
    assert value(found, "hjstudy_jobs", state="waiting") == 1
    assert value(found, "hjstudy_jobs", state="done") == 0


def test_made_up_methods_make_no_new_label(read, client):
    for method in ("BREW", "BOIL"):
        client.request(method, "/")
    methods = {dict(labels).get("method") for _, labels in read()}
    assert methods & {"BREW", "BOIL"} == set()
    assert "other" in methods


def test_metrics_name_no_study_and_no_person(client, make_study):
    make_study(slug="quiet-slug")
    person = Walker(client).enter("/s/quiet-slug?PROLIFIC_PID=somebody").leave_practice()
    person.type("go forge")
    text = client.get("/metrics", headers=ASK).text
    for secret in ("quiet-slug", "somebody", person.token, "forge", "testclient", TOKEN):
        assert secret not in text


def test_dashboard_asks_only_for_metrics_that_exist(client, player):
    player.type("check_location")
    text = client.get("/metrics", headers=ASK).text
    dashboard = json.loads((ROOT / "deploy" / "grafana-dashboard.json").read_text())
    asked = {target["expr"] for one in dashboard["panels"] for target in one["targets"]}
    names = {name for one in asked for name in re.findall(r"(?:hjstudy|process)_[a-z_]+", one)}
    assert len(names) > 8
    assert {name for name in names if not re.search(rf"^{name}[ {{]", text, re.MULTILINE)} == set()


def test_every_metric_of_ours_is_in_the_documentation_and_no_other(read, player):
    player.type("check_location")
    served = {
        re.sub("_(bucket|count|sum)$", "", name)
        for name, _ in read()
        if name.startswith("hjstudy_") and not name.endswith("_created")
    }
    text = (ROOT / "docs" / "operations.md").read_text("utf-8")
    rows = text.partition("## Metrics")[2].partition("\n## ")[0]
    named = set(re.findall(r"`(hjstudy_\w+)`", "".join(re.findall(r"^\| `.*", rows, re.MULTILINE))))
    assert named == served
