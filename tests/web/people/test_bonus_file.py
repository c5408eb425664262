"""The file for a platform's bulk bonus: `id,amount` in major units, whatever the platform."""

import csv
import io

import pytest

from app.store.play.participants import participant
from tests.walker import Walker

PAY = {"base_cents": 300, "bonus": "205 * successes", "bonus_cap_cents": 100_000}
PLATFORMS = {  # name of the ID in the link -> a usual ID there
    "PROLIFIC_PID": "5f1a2b3c4d5e6f7a8b9c0d1e",
    "workerId": "A1B2C3D4E5F6G7",
    "participantId": "9F8E7D6C5B4A",
    "participant": "Ada, the first",
}


@pytest.mark.parametrize("currency", ["GBP", "USD", "EUR"])
def test_bonus_file_has_one_line_per_person_to_pay_in_major_units(
    make_study, client, researcher, look, server, currency
):
    options = {"id_parameters": list(PLATFORMS)}
    make_study(slug="paid", payment={**PAY, "currency": currency}, options=options)
    wanted = []
    for number, (name, external_id) in enumerate(PLATFORMS.items()):
        person = Walker(client).enter(f"/s/paid?{name}={external_id}").leave_practice()
        for position in range(min(number, 2)):
            person.type(*look.solution(person.token, 0, position)).to_rule().explain()
        if number:
            wanted.append([external_id, ("2.05", "4.10")[min(number, 2) - 1]])
    Walker(client).enter("/s/paid").leave_practice()  # without an ID: nobody there to pay
    answer = researcher.client.get("/admin/studies/paid/recruit/bonus.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert list(csv.reader(io.StringIO(answer.text))) == wanted
    assert '"Ada, the first",4.10' in answer.text
    with server.store.write() as db:
        db.execute(participant.update().values(is_test=True))
    assert researcher.client.get("/admin/studies/paid/recruit/bonus.csv").text == ""


def test_bonus_file_has_the_pay_for_time_but_never_the_base_pay(
    make_study, client, researcher, look, server
):
    make_study(slug="paid", payment={"base_cents": 300, "hourly_cents": 36_000})
    person = Walker(client).enter("/s/paid?PROLIFIC_PID=xyz").leave_practice()
    for block, number in ((0, 2), (1, 1)):
        for position in range(number):
            person.type(*look.solution(person.token, block, position)).to_rule().explain()
    own = "/admin/studies/paid/recruit"
    [row] = csv.DictReader(io.StringIO(researcher.client.get(f"{own}/payments.csv").text))
    assert row["base_cents"] == "300"
    time_cents = int(row["time_cents"])
    lines = researcher.client.get(f"{own}/bonus.csv").text.split()
    amount = f"{time_cents // 100}.{time_cents % 100:02}"
    assert lines == ([f"xyz,{amount}"] if time_cents else [])
