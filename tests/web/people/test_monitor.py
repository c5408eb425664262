"""The live monitor and the replay as pages."""

import re
from datetime import UTC, datetime

from starlette.testclient import TestClient

from app.study.play import pace
from tests.walker import Walker, one_line


def typed(player, look, *lines):
    """Play commands from the game page."""
    for line in lines:
        player.send("raw", raw=line)
    return look.person(player.token).public_id


def text(walker):
    return " ".join(" ".join(walker.page.text).split())


def test_monitor_shows_who_is_where_and_refreshes_only_its_own_part(researcher, player, look):
    public_id = typed(player, look, "nonsense")
    page = researcher.get("/admin/studies/demo/monitor")
    assert public_id in text(page)
    assert "world 1, guardian 1" in text(page)
    part = page.client.get("/admin/studies/demo/monitor", headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert part.text.lstrip().startswith('<div id="watch"')
    assert "<html" not in part.text
    assert 'hx-trigger="every 5s"' in part.text


def test_monitor_of_a_study_without_people_says_so(researcher):
    shown = text(researcher.get("/admin/studies/demo/monitor"))
    assert "No one has finished yet." in shown
    assert "There are no commands yet at guardians that are still being played." in shown


def test_monitor_says_that_people_enter_fast_or_wait(researcher, make_study, app, settings, server):
    study = make_study(slug="door", people={"burst": 2}, clocks={"untouched_minutes": 20})
    quiet = text(researcher.get("/admin/studies/demo/monitor"))
    assert "fast-entries" not in researcher.answer.text
    assert "waiting" not in quiet
    for number in range(10):
        address = TestClient(app, base_url=settings.base_url, client=(f"192.0.2.{number}", 50_000))
        Walker(address).get("/s/door").send("answer", answer="yes")
    for _ in range(4):
        pace.take(server.store, study.id, study.spec, "one", datetime.now(UTC))
    page = researcher.get("/admin/studies/door/monitor")
    for ident in ("fast-entries", "waiting-entries"):
        assert f'id="{ident}"' in page.answer.text
    assert "10 in the last 10 minutes" in text(page)
    assert "10 of them have done nothing yet" in text(page)
    assert "2 people are waiting to enter, from 1 address." in text(page)


def test_monitor_of_a_draft_leads_to_its_design_because_no_one_can_have_entered(researcher):
    researcher.get("/admin/new-study").send("title", title="Winter")
    answer = researcher.client.get("/admin/studies/winter/monitor", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin/studies/winter/design")


def test_monitor_can_stand_still(researcher):
    page = researcher.get("/admin/studies/demo/monitor?live=0")
    assert "hx-trigger" not in page.answer.text
    assert "Refresh every 5 seconds" in text(page)


def test_monitor_of_an_unknown_study_is_not_found(researcher):
    assert researcher.get("/admin/studies/none/monitor").answer.status_code == 404


def test_monitor_stores_nothing(researcher, player, look):
    before = look.person(player.token)
    researcher.get("/admin/studies/demo/monitor")
    assert look.person(player.token) == before


def test_replay_shows_each_step_as_it_was(researcher, player, look):
    public_id = typed(player, look, "check_location", "nonsense")
    url = f"/admin/participants/{public_id}/replay?episode=1"
    seen = [researcher.get(f"{url}&step={step}").answer.text for step in range(3)]
    assert ["check_location" in re.sub("<code>.*?</code>", "", one) for one in seen] == [
        *(False, True, True)
    ]
    assert ["nonsense" in one for one in seen] == [False, False, True]
    assert [re.search(r'data-seq="(\d+)"', one)[1] for one in seen] == ["1", "2", "3"]


def test_replay_begins_with_the_newest_episode_and_ends_at_its_last_action(
    researcher, player, look
):
    public_id = typed(player, look, "check_location")
    page = researcher.get(f"/admin/participants/{public_id}/replay")
    assert "After action 1 of 1" in text(page)
    page = researcher.get(f"/admin/participants/{public_id}/replay?episode=1&step=999")
    assert "After action 1 of 1" in text(page)


def test_replay_takes_an_emptied_step_for_the_start_and_an_emptied_guardian_for_the_newest(
    researcher, player, look
):
    public_id = typed(player, look, "check_location")
    url = f"/admin/participants/{public_id}/replay"
    assert "After action 0 of 1" in text(researcher.get(f"{url}?episode=1&step="))
    assert "After action 1 of 1" in text(researcher.get(f"{url}?episode=&step=1"))
    assert "After action 0 of 1" in text(researcher.get(f"{url}?episode=&step="))


def test_replay_of_the_practice_is_there_too(researcher, player, look):
    public_id = look.person(player.token).public_id
    page = researcher.get(f"/admin/participants/{public_id}/replay?episode=0&step=0")
    assert "After action 0 of" in text(page)
    assert page.page.name == "replay"


def test_replay_that_does_not_exist_is_refused_in_words(researcher, player, look):
    public_id = look.person(player.token).public_id
    for url in (f"{public_id}/replay?episode=99", "nobody/replay"):
        answer = researcher.get(f"/admin/participants/{url}").answer
        assert answer.status_code == 404
        assert "Traceback" not in answer.text
    assert researcher.get(
        f"/admin/participants/{public_id}/replay?episode=-1"
    ).answer.status_code in {
        *(404, 422),
    }


def walked(client, url, word):
    """Follow the links that begin with a word; return (guardian, action, of all) of each page."""
    seen = []
    while url:
        page = client.get(url.replace("&amp;", "&")).text
        guardian = re.search(r'<option value="(\d+)" selected>', page)[1]
        action = re.search(r"After action (\d+) of (\d+)", page)
        seen.append(tuple(map(int, (guardian, *action.groups()))))
        found = re.findall(rf'<a href="([^"]+)"[^>]*>{word}', page)
        assert len(found) <= 1
        url = found[0] if found else ""
    return seen


def test_replay_leads_through_all_guardians_and_worlds_and_back(researcher, played, look):
    own = f"/admin/participants/{look.person(played[1].token).public_id}/replay"
    there = walked(researcher.client, f"{own}?episode=0&step=0", "Next")
    last = {guardian: most for guardian, _, most in there}
    assert list(last) == [0, 1, 2, 3]  # the practice, and three guardians in two worlds
    assert last[1] > 0
    assert last[3] == 0  # not begun
    assert there == [(one, step, most) for one, most in last.items() for step in range(most + 1)]
    back = walked(researcher.client, f"{own}?episode=3&step=0", "Previous")
    assert back == there[::-1]


def test_link_to_another_guardian_names_it(researcher, played, look):
    own = f"/admin/participants/{look.person(played[1].token).public_id}/replay"
    page = one_line(researcher.get(f"{own}?episode=1&step=0").answer.text)
    assert f'<a href="{own}?episode=0" rel="prev">Previous guardian: Practice</a>' in page
    page = one_line(researcher.get(f"{own}?episode=0").answer.text)
    assert (
        f'<a href="{own}?episode=1&amp;step=0" rel="next">Next guardian: World 1, guardian 1: '
        in page
    )


def test_slider_gets_only_the_part_that_changes(researcher, player, look):
    public_id = typed(player, look, "check_location")
    part = researcher.client.get(
        f"/admin/participants/{public_id}/replay?episode=1&step=0", headers={"HX-Request": "true"}
    )
    assert part.text.lstrip().startswith('<div id="playback"')


def test_participant_page_leads_to_the_replay_and_names_each_fact_once(researcher, player, look):
    public_id = look.person(player.token).public_id
    page = researcher.get(f"/admin/participants/{public_id}")
    assert f"/admin/participants/{public_id}/replay" in page.answer.text
    assert re.search(r'<a href="/admin/studies/demo">[^<]+</a></p>', page.answer.text)
    assert "<dd></dd>" not in one_line(page.answer.text)
    labels = re.findall(r"<dt>(.*?)</dt>", page.answer.text)
    assert len(labels) == len(set(labels))
    assert sum("Returns" in label for label in labels) == 1
