"""Pages of models' runs: the list, progress with tokens and cost, the replay of an episode."""

from functools import partial
from itertools import pairwise

import pytest

from tests.models.played import play as play_study
from tests.models.scripted import BROKEN
from tests.walker import one_line

pytestmark = pytest.mark.one_database

URL = "/admin/studies/demo/report/models/runs"


@pytest.fixture
def play(server, study):
    """Let a scripted model play the small study."""
    return partial(play_study, server.store, study.slug)


def test_list_shows_runs_with_tokens_and_cost(researcher, play):
    assert "No runs yet" in researcher.get(URL).answer.text
    play()
    text = one_line(researcher.get(URL).answer.text)
    assert "1: clever-model plain paper" in text
    assert "<td>finished</td>" in text
    assert '<td class="num">3.00</td>' in text  # 15 calls of 100 and 10 tokens


def test_page_of_a_run_shows_progress_calls_and_problems(researcher, play):
    play([BROKEN])
    text = researcher.get(f"{URL}/1").answer.text
    flat = " ".join(text.split())
    assert "Server error (5xx): 1" in flat
    assert "Episodes: 2 of 3" in flat
    assert "Explanations: 2 of 2" in flat
    assert "No answer in 1 attempts" in flat
    assert "State: stopped" in flat


def test_progress_is_a_fragment_for_htmx(researcher, play):
    play()
    answer = researcher.client.get(f"{URL}/1", headers={"HX-Request": "true"})
    assert answer.text.lstrip().startswith('<div id="progress"')


def test_replay_shows_the_episode_step_by_step_as_people_see_theirs(researcher, play):
    play(bot="enumerator")
    first = f"{URL}/1/episodes/1"
    assert first in researcher.get(f"{URL}/1").page.links
    start = researcher.get(f"{first}?step=0").answer.text
    assert "Nothing typed yet" in start
    assert 'data-done="false"' in start
    end = researcher.get(first).answer.text
    assert 'data-done="true"' in end
    assert "You typed" in end
    assert researcher.get(f"{first}?step=1").answer.text.count('class="you"') == 1


def test_replay_leads_from_each_episode_of_a_run_to_the_next_and_back(researcher, play):
    play()
    listed = [one for one in researcher.get(f"{URL}/1").page.links if "/episodes/" in one]
    assert len(listed) > 1
    for one, after in pairwise(listed):
        assert f"{after}?step=0" in researcher.get(one).page.links
        assert one in researcher.get(f"{after}?step=0").page.links
    for end in (f"{listed[0]}?step=0", listed[-1]):
        assert " guardian: " not in researcher.get(end).answer.text


@pytest.mark.parametrize("path", ["/2", "/1/episodes/99", "/1/episodes/0", "/0", "/x"])
def test_run_or_episode_that_does_not_exist_is_not_found(researcher, play, path):
    play()
    assert researcher.get(f"{URL}{path}").answer.status_code in {404, 422}


def test_results_page_leads_to_the_runs(researcher, study):
    assert URL in researcher.get("/admin/studies/demo/report/models").page.links


def test_report_puts_the_model_beside_people(researcher, played, play):
    play()
    text = one_line(researcher.get("/admin/studies/demo/report").answer.text)
    assert text.count("clever-model plain paper") > 1
