"""The file of sent bonuses is read like every other table, with and without a header."""

import pytest

from app.study.people.sent_file import BonusFileError, amounts_in

RIGHT = {"ann": 150, "bob": 200}
READ = {
    "as ours": "ann,1.50\r\nbob,2.00\r\n",
    "semicolons, decimal commas": "ann;1,50\nbob;2,00\n",
    "tabs": "ann\t1.5\nbob\t2\n",
    "bars": "ann|1.50\nbob|2.00",
    "a byte order mark": "\ufeffann,1.50\nbob,2.00\n",
    "blank lines": "\n\nann,1.50\n\nbob,2.00\n\n",
    "quoted": '"ann","1.50"\n"bob","2.00"\n',
    "quoted decimal commas": '"ann","1,50"\n"bob","2,00"\n',
    "old line ends": "ann,1.50\rbob,2.00\r",
    "a header": "id,amount\nann,1.50\nbob,2.00\n",
    "a platform's header": "Participant ID;Bonus amount;Currency\nann;1,50;EUR\nbob;2,00;EUR\n",
    "row numbers": ",Worker ID,Bonus\n0,ann,1.50\n1,bob,2.00\n",
    "JSON Lines": '{"id": "ann", "amount": 1.50}\n{"id": "bob", "amount": "2.00"}\n',
}


@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_every_usual_form_is_read(text):
    assert amounts_in(text) == RIGHT


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no lines"),
        (" \n", "has no lines"),
        ("ann,1.50\nbob,two\n", "Line 2: 'two' is not an amount, such as 1.50"),
        ("ann,1.50\nbob,1.505\n", "Line 2: '1.505' is not an amount"),
        ("\n\nann,1.50\n\nbob,two\n", "Line 5: 'two' is not an amount"),
        ("ann,1.50\nbob\n", "Line 2: "),
        ("ann,1.50\n,2.00\n", "Line 2: the ID is missing"),
        ("ann,1.50\nbob,\n", "Line 2: the amount is missing"),
        ("id,amount\nann,1.50\nbob,-2\n", "Line 3: '-2' is not an amount"),
        ("id,money\nann,1.50\n", "Missing columns: amount"),
        ("ann 1.50\nbob 2.00\n", "needs lines of an ID and an amount"),
        ('ann,1.50\n"bob,2.00\n', "Line 2: the line cannot be read"),
        ("ann,1.50\nbob\x00,2.00\n", "cannot be stored"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text, words):
    with pytest.raises(BonusFileError) as refused:
        amounts_in(text)
    assert words in refused.value.message


def test_columns_of_a_wrong_file_are_named_as_they_stand_in_it():
    with pytest.raises(BonusFileError) as refused:
        amounts_in("participant_id,platform\np_1,prolific\n")
    assert "The file's columns: participant_id, platform." in refused.value.message


@pytest.mark.parametrize("length", [129, 200_000])
@pytest.mark.parametrize("quote", ["", '"'])
def test_id_that_no_one_can_have_is_refused_in_few_words(length, quote):
    with pytest.raises(BonusFileError, match="Line 2: ") as refused:
        amounts_in(f"ann,1.50\n{quote}{'x' * length}{quote},2.00\n")
    assert len(refused.value.message) < 200
