"""2,000 odd commands: no server errors; each is stored as typed or refused with a message."""

import random
import re

import pytest

from app.store.play import turns
from app.study.characters import visible

PIECES = (
    *("go", "GO ", "buy", "defeat", "perform", "drink", "check_inventory", "rescue", "get"),
    *(
        "'; DROP TABLE turn; --",
        '" OR 1=1',
        "%s%n%x",
        "{{7*7}}",
        "${jndi:ldap://x}",
        "\\x00",
        "NULL",
    ),
    *("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "&lt;", "]]>", "<!--", "</p>"),
    *(
        "🐉",
        "👩‍👩‍👧‍👦",
        "é",
        "e\u0301",
        "ﬀ",
        "İ",
        "ß",
        "\u202ertl\u202c",
        "שלום",
        "مرحبا",
        "𝔤𝔬",
        "\u200b",
    ),
    *(
        "\x00",
        "\x01",
        "\x1b[31m",
        "\x7f",
        "\x85",
        "\u2028",
        "\ufeff",
        "\ufffd",
        "\t",
        "\n",
        "\r\n",
        "\r",
    ),
    *(
        " ",
        "   ",
        "_",
        "-",
        "__--__",
        ".",
        "…",
        "“",
        "”",
        "'",
        "=",
        "+1",
        "@cmd",
        "0",
        "-1",
        "1e309",
    ),
)
REFUSED = 422
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def odd_texts(number):
    """Return fixed odd texts: combined fragments, some far too long, some empty."""
    rng = random.Random(20261128)
    for count in range(number):
        text = "".join(rng.choice(PIECES) for _ in range(rng.randint(0, 9)))
        if count % 50 == 0:
            text = (text or "x") * (10_240 // len(text or "x") + 1)
        yield text[:10_240]


@pytest.mark.long
def test_two_thousand_odd_inputs_are_stored_as_cleaned_or_refused_in_words(walker, look, server):
    walker.enter()
    assert walker.page.name == "practice"  # it has no budget
    expected, wrong = [], []
    for text in odd_texts(2000):
        form = {"seq": str(len(expected) + 1), "raw": text}
        answer = walker.client.post(walker.url, data=form, headers={"HX-Request": "true"})
        if answer.status_code == 200:
            expected.append(visible(text.replace("\r\n", "\n")))
        elif answer.status_code != REFUSED or "No action was counted" not in answer.text:
            wrong.append((text[:80], answer.status_code))
    assert wrong == []
    assert len(expected) > 500
    assert [text for text in expected if CONTROL.search(text)] == []
    row = next(one for one in look.episodes(walker.token) if one.kind == "practice")
    with server.store.read() as db:
        assert turns.raws(db, row.id) == expected
    page = walker.get(walker.url)
    assert page.answer.status_code == 200
    assert "<script>alert" not in page.answer.text


def test_odd_query_strings_and_fields_are_no_server_errors(walker):
    odd = ["%00", "%ff%fe", "a" * 5000, "%F0%9F%90%89", "<script>", "[]", "%E2%80%AE"]
    for text in odd:
        for url in (f"/s/demo?PROLIFIC_PID={text}", f"/s/{text}", f"/p/{text}", f"/{text}"):
            assert walker.client.get(url).status_code < 500, url
    walker.get("/s/demo")
    form = walker.page.form("answer")
    for name in ("ticket", "answer", "PROLIFIC_PID", "participant"):
        for text in ("\x00", "x" * 3000, "\ud7ff", "🐉"):
            data = {**form.fields, "answer": "yes", name: text}
            assert walker.client.post(form.action, data=data).status_code < 500, (name, text)


def test_bytes_that_are_no_text_are_no_server_error(walker):
    walker.enter()
    kinds = (
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain",
        "",
    )
    for kind in kinds:
        for content in (
            b"raw=%ff%fe&seq=1",
            b"\xff\xfe",
            b"--x\r\nbad",
            b"raw=%ED%A0%80&seq=1",
            b"",
        ):
            answer = walker.client.post(walker.url, content=content, headers={"Content-Type": kind})
            assert answer.status_code < 500, (kind, content)
