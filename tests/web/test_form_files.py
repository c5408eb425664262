"""Files of a form are closed with its request, whatever becomes of the form."""

import gc
import warnings

import pytest

from tests.own_forms import PASSWORD

pytestmark = pytest.mark.one_database

LARGE = b"x,y\n" * 400_000  # longer than what stays in memory, so it is a file on the disk
SHORT = b"x,y\n"
TABLES = "/admin/studies/demo/recruit/import"
STORED = f"{TABLES}/store"
ALL = [TABLES, STORED, "/admin/studies/demo/actions/close", "/admin/login", "/s/demo"]
HEAD = '--b\r\nContent-Disposition: form-data; name="{}"{}\r\n\r\n'
KINDS = {"Content-Type": "multipart/form-data; boundary=b"}


@pytest.fixture
def left_open():
    """Return a function that lists the files that nobody has closed."""
    gc.collect()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")

        def warned():
            gc.collect()
            return [str(one.message) for one in caught if one.category is ResourceWarning]

        yield warned


def body(key, end, content=LARGE):
    """Return a form with the key and a file, as it is sent, up to and including `end`."""
    field, file = HEAD.format("form_key", ""), HEAD.format("file", '; filename="a.csv"')
    return f"{field}{key}\r\n{file}".encode() + content + end


@pytest.mark.parametrize("path", ALL)
@pytest.mark.parametrize("end", [b"", b"\r\n--b", b"--b--", b"\r\n--other--\r\n"])
def test_form_that_ends_in_the_middle_of_a_file_is_refused(researcher, left_open, path, end):
    sender = researcher.client
    sent = body(sender.form_key, end, LARGE if path in {TABLES, STORED} else SHORT)
    answer = sender.post(path, content=sent, headers=KINDS)
    assert (answer.status_code, left_open()) == (400, [])


@pytest.mark.parametrize("path", [TABLES, STORED])
@pytest.mark.parametrize("has_key", [True, False])
def test_file_is_closed_when_the_form_is_used_or_refused(researcher, left_open, path, has_key):
    sender = researcher.client
    sent = body(sender.form_key if has_key else "x", b"\r\n--b--\r\n")
    answer = sender.post(path, content=sent, headers=KINDS)
    assert (answer.status_code == 403) == (not has_key)
    assert left_open() == []


def test_form_without_fields_is_complete(client, study):
    answer = client.post("/admin/login", content=b"--b--\r\n", headers=KINDS)
    assert answer.status_code == 422


def test_form_in_parts_is_read_as_before(client, study):
    sent = {"name": (None, "nobody"), "password": (None, PASSWORD)}
    assert client.post("/admin/login", files=sent).status_code == 422
