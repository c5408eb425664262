"""Files with many columns, names or unreadable lines: read in a time that grows as they do."""

import contextlib
import csv
import json
import time

import pytest

from app.errors import GameError, StudyError
from app.game import plain_json
from app.study import table_file, table_rows
from app.study.models import judged_items, result_file
from app.study.models.runs import BadRunError
from app.study.people import platform_list
from app.study.people.platform_list import Chosen
from app.study.people.sent_file import BonusFileError, amounts_in
from app.study.table_rows import TableFileError
from tests.web.people.listed import PROLIFIC, prolific

SMALL, LARGER = 4_000, 4
MOST = 2  # times the growth of the file; reading all names for each name takes 4 times that
BARELY_S = 0.02
DEEP = "[" * 60_000


def members(number):
    return ",".join(f'"k{at}":1' for at in range(number))


def csv_header(number):
    return ",".join(["id", *(f"c{at}" for at in range(number))]) + "\n"


FILES = {
    "columns of a matrix": (table_rows.parse, lambda n: (csv_header(n), ())),
    "columns of a table": (table_file.read, lambda n: (csv_header(n), ("id",), {})),
    "names of a row, the last twice": (
        table_rows.parse,
        lambda n: (f'{{{members(n)},"z":1,"z":2}}', ()),
    ),
    "names of a result file": (
        result_file.lines_of,
        lambda n: (f'{{"variants":[],{members(n)}}}', {"model": "m"}),
    ),
    "names of other JSON, the last twice": (
        plain_json.load,
        lambda n: (f'{{{members(n)},"z":1,"z":2}}', "it"),
    ),
    "rows with names of their own": (
        table_rows.parse,
        lambda n: ("\n".join(f'{{"k{at}":1}}' for at in range(n)), ()),
    ),
    "lines that are not JSON": (table_rows.parse, lambda n: ("{'a': 1}\n" * n, ())),
    "lines of unlike length": (
        table_rows.parse,
        lambda n: (csv_header(3) + "1,2\n" * n, ("id",)),
    ),
}


def fastest(read, given):
    """Return the processor time of the fastest of three readings."""
    took = []
    for _ in range(3):
        began = time.process_time()
        with contextlib.suppress(GameError, StudyError):
            read(*given)
        took.append(time.process_time() - began)
    return min(took)


@pytest.mark.parametrize("name", FILES)
def test_time_to_read_a_file_grows_no_faster_than_the_file(name):
    read, make = FILES[name]
    small = max(fastest(read, make(SMALL)), BARELY_S)
    assert fastest(read, make(SMALL * LARGER)) < MOST * LARGER * small


@pytest.fixture
def usual_limit():
    """The longest cell of a new process; the program that reads bundles allows longer ones."""
    before = csv.field_size_limit(131_072)
    yield
    csv.field_size_limit(before)


@pytest.mark.parametrize(
    "text", ["x" * 300_000, f"id,{'x' * 300_000}\n1,2", f'"{"x" * 300_000}', f"id\n{'y' * 300_000}"]
)
def test_cell_that_is_too_long_to_read_is_refused_in_words(text, usual_limit):
    with pytest.raises(TableFileError, match="No row below the header can be read"):
        table_file.read(text, ("id", "text"), {})


@pytest.mark.parametrize("line", [f"{'x' * 300_000},1.00", f'"ann,{"1" * 300_000}', '"a"nn,1.00'])
def test_line_of_a_bonus_file_that_is_no_csv_is_refused_in_words(line, usual_limit):
    with pytest.raises(BonusFileError, match=r"Line 2: .*Nothing was recorded"):
        amounts_in(f"ann,1.00\n{line}\n")


@pytest.mark.parametrize("choice", [f"ids:{'x' * 300_000}", "ids:a\rb", "ids:a\nb"])
def test_ids_that_are_no_csv_are_refused_in_words(choice, usual_limit):
    with pytest.raises(BadRunError, match="items: separate the IDs by commas"):
        judged_items.ids_in(choice)


def test_more_columns_than_a_table_may_have_are_refused_by_line():
    for text in (csv_header(1_000), f"\n{csv_header(1_000)}"):
        with pytest.raises(TableFileError, match=f"Line {text.count(chr(10))} names 1,001 columns"):
            table_file.read(text, ("id",), {})
    assert len(table_file.read(f"{csv_header(999)}{'1,' * 999}1\n", ("id",), {}).columns) == 1


def test_row_with_more_names_than_a_table_may_have_is_refused_by_line():
    rows = table_rows.parse(f'{{"id": 1}}\n{{{members(1_001)}}}\n{{"id": 2}}', ("id",)).rows
    assert [line for line, _ in rows] == [1, 2, 3]
    assert rows[1][1] == "the row has 1,001 names; a table may have at most 1,000"


def test_rows_that_together_name_too_many_columns_are_refused():
    text = "\n".join(f'{{"k{at}": 1}}' for at in range(1_001))
    with pytest.raises(TableFileError, match="Line 1001 names one more column"):
        table_rows.parse(text, ("id",))


def test_file_with_too_many_lines_that_are_not_json_is_refused_with_the_first():
    with pytest.raises(TableFileError, match=r"More than 1,000 lines .* Line 2: this is not JSON"):
        table_rows.parse('{"id": 1}\n' + "{'a': 1}\n" * 1_001, ("id",))
    rows = table_rows.parse("{'a': 1}\n" * 1_000, ("id",)).rows
    assert len(rows) == 1_000


@pytest.mark.parametrize("name", ["z", "k0"])
def test_name_given_twice_is_named(name):
    text = f'{{{members(3)},"z":1,"{name}":2}}'
    assert table_rows.parse(text, ()).rows == [(1, f"this is not JSON (`{name}` is given twice)")]
    with pytest.raises(GameError, match=f"^{name}: this field occurs twice"):
        plain_json.load(text, "it")
    with pytest.raises(TableFileError, match=f"'{name}' is given twice"):
        result_file.lines_of(f'{{"variants": [{text}]}}', {"model": "m"})


@pytest.mark.parametrize("begin", ["", '{"a": ', '[{"a": ', '{"variants": '])
def test_endless_depth_is_refused_by_every_reader(begin):
    text = begin + DEEP
    with contextlib.suppress(TableFileError):
        rows = table_rows.parse(text, ()).rows
        assert rows
        assert all(isinstance(row, str) for _, row in rows)
    with pytest.raises(GameError):
        plain_json.load(text, "it")
    with pytest.raises(TableFileError):
        result_file.lines_of(text, {"model": "m"})


def test_column_given_twice_is_named_with_how_often():
    with pytest.raises(TableFileError, match="'Id' 2 times"):
        table_rows.parse("a,Id,i_d\n1,2,3\n", ("id",))
    with pytest.raises(TableFileError, match="'b' 3 times"):
        table_rows.parse("b,b,b\n1,2,3\n", ())
    assert table_rows.parse("a b,a_b\n1,2\n", ()).columns == ["a b", "a_b"]
    assert json.dumps(table_rows.parse('[{"a": 1}]', ()).columns) == '["a"]'


def test_platform_list_of_fifty_thousand_lines_is_read_and_one_more_is_refused():
    lines = [prolific(number, "AWAITING REVIEW", f"C{number}") for number in range(50_000)]
    found = platform_list.read("\n".join([PROLIFIC, *lines]), Chosen())
    assert (len(found.people), found.problems) == (50_000, [])
    with pytest.raises(TableFileError, match="more than 50,000 rows"):
        platform_list.read("\n".join([PROLIFIC, *lines, prolific(50_000, "ACTIVE")]), Chosen())


def test_platform_list_with_too_many_columns_is_refused():
    with pytest.raises(TableFileError, match="names 1,001 columns"):
        platform_list.read(csv_header(1_000) + "1," * 1_000 + "1\n", Chosen())


def test_numbers_that_cannot_be_held_stay_as_written():
    text = '[{"a": 1e999, "b": ' + "9" * 5000 + ', "c": 1.50, "d": NaN}]'
    values = {"a": "1e999", "b": "9" * 5000, "c": "1.5", "d": ""}
    assert table_rows.parse(text, ()).rows == [(1, values)]
