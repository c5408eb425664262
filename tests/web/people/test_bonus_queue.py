"""What the queues of approved people say about bonuses that are still to be sent."""

import pytest

from app.study.people import bonuses
from tests.walker import PageReader, one_line
from tests.web.people.test_bonus_file import paid, record

__all__ = ["paid"]


OWN = "/admin/studies/paid/recruit"


@pytest.fixture
def boss(paid, researcher):
    """Return a researcher who has imported a list in which the platform approved a person."""
    states = "Submission id,Participant id,Status\n1,ann,APPROVED\n"
    preview = researcher.client.post(f"{OWN}/import", data={"text": states})
    form = next(one for one in PageReader(preview.text).forms if "packed" in one.fields)
    researcher.client.post(f"{OWN}/import/store", data=form.fields)
    return researcher.client


def test_queue_of_the_approved_says_which_bonuses_are_still_to_be_sent(boss):
    text = one_line(boss.get(OWN).text)
    assert "only a bonus can still be due. <span" in text
    assert "Still to be sent: GBP 1.20 to 1 person. bonus.csv lists what is due" in text
    record(boss, "paid", "ann,1.20\r\n")
    text = one_line(boss.get(OWN).text)
    assert "Still to be sent" not in text
    assert "No bonus is still to be sent to them." in text


def test_long_queue_says_to_how_many_no_bonus_is_recorded_as_sent(boss, monkeypatch):
    monkeypatch.setattr(bonuses, "MOST_WORKED_OUT", 0)
    assert "No bonus is recorded as sent to 1 of them." in one_line(boss.get(OWN).text)
