"""The table of signs of automation: what no one observed is empty, and erased people are gone."""

from app.store.play.process_data import insert as insert_process
from app.study.people import withdrawal
from app.study.tickets import new_ticket
from tests.study.export.test_tables import rows
from tests.study.story import Story


def test_signs_of_automation_are_exported_and_what_no_one_observed_is_empty(store):
    story = Story(store)
    token = story.varied(platform="prolific_pid", external_id="5f3c9d2e1b")
    (found,) = rows(story.store, "sign")
    assert found["participant_id"] == story.person(token).public_id
    assert (found["observed"], found["sign_pasted"], found["keys"]) == ("false", "", "")
    assert (found["sign_alike"], found["sign_canary"], found["is_test"]) != ("true", "true", "true")
    person = story.person(token)
    common = {"participant_id": person.id, "page": "world/1/guardian/1/rule", "client_ms": None}
    with story.store.write() as db:
        events = [("open", 1, ""), ("keys", 2, ""), ("client", 1, "webdriver")]
        observed = [dict(zip(("kind", "value", "detail"), one, strict=True)) for one in events]
        insert_process(db, [{**common, **one, "received_ms": 1} for one in observed])
    (found,) = rows(story.store, "sign")
    assert (found["observed"], found["sign_automated"], found["keys"]) == ("true", "true", "2")
    withdrawal.withdraw(story.store, token, new_ticket(), story.now())
    assert rows(story.store, "sign") == []
