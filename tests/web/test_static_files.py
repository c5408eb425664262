"""Scripts and styles as browsers get them: small, kept forever, asked for again when changed."""

import gzip

import pytest

from app.web.static_files import STATIC, asset, served_files

pytestmark = pytest.mark.one_database

FILES = sorted(path.name for path in STATIC.iterdir())


@pytest.fixture
def ask(client):
    def get(url, **headers):
        return client.get(url, headers={name.replace("_", "-"): v for name, v in headers.items()})

    return get


def test_every_file_of_the_folder_is_served_under_both_addresses(ask):
    assert len(FILES) > 8
    for name in FILES:
        plain, hashed = ask(f"/static/{name}"), ask(asset(name))
        assert (plain.status_code, hashed.status_code) == (200, 200)
        assert plain.content == hashed.content == served_files()[name].plain
        assert plain.headers["cache-control"] == "no-cache"
        assert hashed.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_styles_and_scripts_are_minified_and_pictures_are_as_they_are():
    for name in FILES:
        source, sent = (STATIC / name).read_bytes(), served_files()[name].plain
        if name.endswith(".svg"):
            assert sent == source
        else:
            assert len(sent) < 0.9 * len(source)
            assert b"\n  " not in sent


def test_file_is_compressed_for_those_who_take_it_so(ask):
    packed, whole = ask(asset("app.js")), ask(asset("app.js"), accept_encoding="identity")
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < 0.5 * len(whole.content)
    assert gzip.decompress(served_files()["app.js"].gzipped) == packed.content == whole.content
    assert "content-encoding" not in whole.headers
    assert {answer.headers["vary"] for answer in (packed, whole)} == {"Accept-Encoding"}


def test_browser_that_has_the_file_is_not_sent_it_again(ask):
    first = ask("/static/app.css")
    again = ask("/static/app.css", if_none_match=first.headers["etag"])
    changed = ask("/static/app.css", if_none_match='"another"')
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert (changed.status_code, changed.content) == (200, first.content)


def test_part_of_a_file_is_answered_by_the_whole(ask):
    answer = ask("/static/app.css", range="bytes=0-9")
    assert answer.status_code == 200
    assert answer.content == served_files()["app.css"].plain


@pytest.mark.parametrize("url", ["/static/", "/static/none.css", "/static/../pyproject.toml"])
def test_what_is_no_file_of_the_folder_is_not_found(ask, url):
    assert ask(url).status_code == 404


def test_post_to_a_file_is_refused(client):
    answer = client.post("/static/app.css", headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 405


def test_no_style_enlarges_a_first_letter():
    enlarged = [name for name in FILES if "first-letter" in (STATIC / name).read_text("utf-8")]
    assert enlarged == []
