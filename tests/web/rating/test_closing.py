"""What the pages of rounds say before a round is closed for good, and of kinds of scores."""

import re

import pytest

from app.study.rating.rubric import CRITERIA, CRITERIA_RUBRIC, DEFAULT_RUBRIC, DEFAULT_VERSION

OWN = "/admin/studies/demo/rating/rounds"


@pytest.fixture
def boss(desk):
    return desk.browser("boss", "researcher")


def words(browser):
    return " ".join(re.sub("<[^>]+>", " ", browser.answer.text).split())


def rate(desk, name, number):
    """Rate an annotator's next items."""
    browser = desk.browser(name)
    for place in desk.places(name)[:number]:
        browser.get(f"/rate/item/{place.token}").send("revision", value="1")
    return browser


def test_what_is_missing_is_said_before_a_round_is_closed_for_good(desk, boss):
    desk.models(3)
    desk.open(("ann", "bob"), ask_source="round")
    rate(desk, "ann", 3).send("ticket", guess="model")
    rate(desk, "bob", 1)
    boss.get(f"{OWN}/1")
    assert "Said who wrote it" in words(boss)
    assert "1 of 3" in words(boss)
    boss.get(f"{OWN}/1/close")
    assert "2 ratings and 5 answers are missing." in words(boss)
    assert "a closed round cannot be opened again" in words(boss)
    assert desk.view("ann").is_open  # nothing has happened yet
    boss.send("ticket")
    assert boss.url == f"{OWN}/1"
    assert not desk.view("ann").is_open
    boss.get(f"{OWN}/1/close")
    assert boss.url == f"{OWN}/1"


def test_whole_round_lacks_nothing(desk, boss):
    """A skipped item needs no answer where who wrote it is asked with the rating."""
    desk.models(2)
    desk.open(("ann",), ask_source="item")
    ann = desk.browser("ann")
    one, two = (place.token for place in desk.places("ann"))
    ann.get(f"/rate/item/{one}").send("revision", value="skip", skip_reason="unreadable")
    boss.get(f"{OWN}/1/close")
    assert "1 rating and 1 answer are missing." in words(boss)
    ann.get(f"/rate/item/{two}").send("revision", value="2", guess="person")
    boss.get(f"{OWN}/1/close")
    assert "Everything is rated" in words(boss)
    assert "missing" not in words(boss)


def test_round_that_does_not_ask_who_wrote_it_has_no_column_for_it(desk, boss):
    desk.models(1)
    desk.open(("ann",))
    assert "Said who wrote it" not in words(boss.get(f"{OWN}/1"))
    assert "1 rating is missing." in words(boss.get(f"{OWN}/1/close"))


def test_four_criteria_get_guidelines_that_explain_each_of_them(desk, boss):
    desk.models(1)
    ticks = {f"rater_{one}": "1" for one in desk.annotators("ann")}
    boss.get(f"{OWN}/new").send("rubric", title="First", k="1", mode="criteria", **ticks)
    page = words(boss)
    for name, label, hint in CRITERIA:
        assert f"{label} : {hint[0].lower()}{hint[1:]}" in page, name
    form = boss.get(f"{OWN}/1/edit").page.form("rubric")
    assert form.fields["rubric"].replace("\r", "") == CRITERIA_RUBRIC.strip()
    assert form.fields["rubric_version"] == "criteria 2"
    boss.send("rubric", mode="overall")
    form = boss.get(f"{OWN}/1/edit").page.form("rubric")
    assert form.fields["rubric"] == DEFAULT_RUBRIC.strip()
    assert form.fields["rubric_version"] == DEFAULT_VERSION


def test_guidelines_of_ones_own_are_kept_for_any_score(desk, boss):
    desk.models(1)
    ticks = {f"rater_{one}": "1" for one in desk.annotators("ann")}
    own = {"rubric": "Rate kindly.", "rubric_version": "mine"}
    boss.get(f"{OWN}/new").send("rubric", title="First", k="1", mode="criteria", **ticks, **own)
    fields = boss.get(f"{OWN}/1/edit").page.form("rubric").fields
    assert (fields["rubric"], fields["rubric_version"]) == ("Rate kindly.", "mine")


@pytest.mark.parametrize("mode", ["items", ""])
def test_kind_of_score_that_does_not_exist_is_refused_in_words(desk, boss, mode):
    desk.models(2)
    chosen = {"title": "First", "k": "1", f"rater_{desk.annotators('ann')[0]}": "1"}
    boss.get(f"{OWN}/new").send("rubric", **chosen, mode=mode)
    assert boss.answer.status_code == 422
    assert "Choose one score or the four criteria." in words(boss)
    boss.get(f"{OWN}/new").send("rubric", **chosen)
    boss.get(f"{OWN}/1/edit").send("rubric", mode=mode)
    assert boss.answer.status_code == 422
    assert "Choose one score or the four criteria." in words(boss)


def test_new_round_asks_for_two_annotators_per_item_only_where_there_are_two(desk, boss):
    asked = []
    for name in ("", "ann", "bob", "cy"):
        if name:
            desk.annotators(name)
        asked.append(boss.get(f"{OWN}/new").page.form("rubric").fields["k"])
    assert asked == ["1", "1", "2", "2"]
