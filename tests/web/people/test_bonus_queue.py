"""What the queues of approved people say about bonuses that are still to be sent."""

from tests.walker import PageReader, one_line
from tests.web.people.test_bonus_file import paid, record

__all__ = ["paid"]


def test_queue_of_the_approved_says_which_bonuses_are_still_to_be_sent(paid, researcher):
    boss, own = researcher.client, "/admin/studies/paid/recruit"
    states = "Submission id,Participant id,Status\n1,ann,APPROVED\n"
    preview = boss.post(f"{own}/import", data={"text": states})
    form = next(one for one in PageReader(preview.text).forms if "packed" in one.fields)
    boss.post(f"{own}/import/store", data=form.fields)

    text = one_line(boss.get(own).text)
    assert "only a bonus can still be due. <span" in text
    assert "Still to be sent: GBP 1.20 to 1 person. bonus.csv lists them" in text
    record(boss, "paid", "ann,1.20\r\n")
    text = one_line(boss.get(own).text)
    assert "Still to be sent" not in text
    assert "No bonus is still to be sent to them." in text
