"""Reports that servers keep in memory are forgotten when someone whom they count withdraws."""

import json
import re

import pytest

from app.main import create_app
from app.study.report.live import Reports
from app.study.report.options import Options
from tests.own_forms import OwnForms, logged_in
from tests.web.report.reported import PAGE, QUICK


def people(researcher, query):
    answer = researcher.get(f"{PAGE}/report.json?{query}").answer
    return json.loads(answer.text)["counts"]["people"]


def test_report_with_a_person_is_no_longer_given_out_once_they_withdraw(researcher, player, look):
    player.type(*look.solution(player.token))
    page = researcher.get(f"{PAGE}{QUICK}").answer.text
    query = re.search(r"report\.json\?([^\"]+)\"", page).group(1).replace("&amp;", "&")
    assert "of=" in query
    assert people(researcher, query) == 1
    player.get(f"/p/{player.token}/leave").send("ticket")
    assert people(researcher, query) == 0


@pytest.fixture
def neighbour(settings):
    """Another server on the same database, and the reports that it keeps itself."""
    app, own = create_app(settings), Reports()
    app.state.server.built[:] = [own.forget]
    with OwnForms(app, base_url=settings.base_url) as client:
        assert client.get("/healthz").is_success
        yield app, own
    app.state.server.store.dispose()


@pytest.mark.parametrize(
    "page", ["/healthz", f"{PAGE}{QUICK}", "/admin/studies/demo/rating/planner"]
)
def test_another_server_forgets_its_reports_when_it_next_answers(
    neighbour, researcher, player, settings, page
):
    app, own = neighbour
    store = app.state.server.store
    sha, _ = own.of(store, "demo", Options(replicates=100))
    app.state.server.pulse._written_s = float("-inf")
    browser = logged_in(app, settings, "researcher", "researcher")
    assert browser.get(page).is_success
    assert own.of(store, "demo", Options(replicates=100), sha)[0] == sha
    player.get(f"/p/{player.token}/leave").send("ticket")
    app.state.server.pulse._written_s = float("-inf")
    assert browser.get(page).is_success
    assert own.of(store, "demo", Options(replicates=100), sha)[0] != sha
