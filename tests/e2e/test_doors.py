"""The links into a study: which ones work, which ones do not, and coming back to them."""

import pytest

from app.store.play import participants
from app.study.design import studies
from app.study.play import seats
from tests.e2e.stored import new_slug, now

pytestmark = pytest.mark.browser
ANN = "?PROLIFIC_PID=5f00000000000000000000aa&STUDY_ID=st&SESSION_ID=se"
BEN = "?PROLIFIC_PID=5f00000000000000000000bb&STUDY_ID=st&SESSION_ID=sf"
BOTH_SCRIPTS = pytest.mark.parametrize("script", [True, False], ids=["script", "plain"])


def people(stored, slug):
    """Return everyone who has a row in a study."""
    with stored.store.read() as db:
        study = studies.find(db, slug)
        table = participants.participant
        return db.execute(table.select().where(table.c.study_id == study.id)).all()


def text(visitor):
    return " ".join(visitor.page.locator("main").inner_text().split())


def agree(visit, slug, who, **options):
    return visit(f"/s/{slug}{who}", **options).see("consent").press("I agree, start")


@BOTH_SCRIPTS
def test_prolific_parameters_are_kept_apart_and_lead_back_to_the_same_place(visit, stored, script):
    slug = stored.make_study(new_slug())
    visitor = agree(visit, slug, ANN, java_script_enabled=script).see("instructions")
    (row,) = people(stored, slug)
    with stored.store.read() as db:
        found = db.execute(participants.identity.select()).all()
    mine = [one for one in found if one.participant_id == row.id]
    assert [(one.platform, one.external_id) for one in mine] == [
        ("prolific_pid", "5f00000000000000000000aa")
    ]
    assert "5f00" not in visitor.page.url
    assert visit(f"/s/{slug}{ANN}").see("instructions").token == visitor.token
    assert len(people(stored, slug)) == 1


def test_preview_of_a_link_by_a_messenger_changes_nothing(visit, stored):
    slug = stored.make_study(new_slug())
    for _ in range(3):
        visit(f"/s/{slug}{ANN}").see("consent")
    assert people(stored, slug) == []


def test_preview_of_a_persons_own_link_changes_nothing(visit, stored, player):
    before, seen = player.row, player.turns()
    visit(player.home).see("game")
    assert (player.row, player.turns()) == (before, seen)


@pytest.mark.parametrize("path", ["/s/no-such-study", "/p/" + "x" * 22, "/admin/welcome/used"])
def test_unknown_link_says_what_to_do(visit, faults, path):
    faults.expect("status of 404", "status of 400")
    found = text(visit(path))
    assert "link" in found
    assert "Traceback" not in found


def test_used_up_first_login_link_opens_nothing_a_second_time(visit, stored, faults):
    faults.expect("status of 404", "status of 400")
    link = f"/admin/welcome/{stored.one_time_link(new_slug())}"
    first = visit(link).see("welcome")
    first.page.get_by_label("Password").fill("four words in a row")
    first.press("Set the password").see("studies")
    second = visit(link)
    assert second.page.get_by_label("Password").count() == 0
    assert "link" in text(second)


@BOTH_SCRIPTS
def test_link_of_a_finished_person_shows_the_code_again(visit, stored, finished, script):
    visitor = visit(finished.home, java_script_enabled=script).see("debrief")
    assert finished.row.code in text(visitor)


def test_closed_study_says_so_and_lets_its_people_go_on(visit, stored):
    slug = stored.make_study(new_slug())
    inside = agree(visit, slug, ANN).see("instructions")
    stored.close_study(slug)
    late = visit(f"/s/{slug}{BEN}")
    assert "is not taking new players" in text(late)
    assert late.page.get_by_role("button", name="I agree, start").count() == 0
    assert visit(f"/s/{slug}{ANN}").see("instructions").token == inside.token
    assert len(people(stored, slug)) == 1


@pytest.mark.long
@BOTH_SCRIPTS
def test_person_turned_away_sees_the_same_page_until_a_place_is_free(visit, stored, script):
    slug = stored.make_study(new_slug(), people={"quota": 1, "burst": 10})
    agree(visit, slug, ANN).see("instructions")
    first = agree(visit, slug, BEN, java_script_enabled=script).see("outcome")
    assert "return your submission" in text(first)
    assert "study_full" in text(first)
    again = visit(first.page.url.removeprefix(first.base)).see("outcome")
    assert text(again) == text(first)
    ann = next(row for row in people(stored, slug) if row.state == "active")
    with stored.store.write() as db:
        seats.end(db, ann.id, "withdrawn", "withdrawn", now())
    third = agree(visit, slug, BEN, java_script_enabled=script).see("instructions")
    assert third.token == first.token
    assert len(people(stored, slug)) == 2


def test_person_who_failed_the_check_sees_the_same_outcome_again(visit, stored):
    slug = stored.make_study(new_slug())
    visitor = agree(visit, slug, ANN).see("instructions")
    (row,) = people(stored, slug)
    with stored.store.write() as db:
        seats.end(db, row.id, "failed_check", "comprehension", now())
    assert visit(f"/s/{slug}{ANN}").see("outcome").token == visitor.token
    assert [one.state for one in people(stored, slug)] == ["failed_check"]
