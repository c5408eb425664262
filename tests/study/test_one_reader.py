"""Tables that come in are read in one place, so that every form is read everywhere."""

import re
from pathlib import Path

APP = Path(__file__).resolve().parents[2] / "app"
USE = re.compile(r"csv\.(reader|DictReader)|from csv import")
OWN = {
    "study/table_rows.py",  # the reader
    "study/report/tables.py",  # tables that we wrote ourselves
    "cli/payments.py",  # counts the rows of a file that it has just made
    "study/models/judged_items.py",  # IDs in one argument of a command
    "parity/recompute.py",  # goes into bundles and shares no code with us
    "parity/report.py",
}


def test_csv_is_read_by_the_reader_of_tables_alone():
    using = {
        path.relative_to(APP).as_posix()
        for path in APP.rglob("*.py")
        if USE.search(path.read_text("utf-8"))
    }
    assert using == OWN
