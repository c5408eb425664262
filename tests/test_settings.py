"""Settings: where they come from, what is refused, and that messages show no secrets."""

import pytest

from app.settings import SettingsError, load_settings, unknown_variables

SECRET = "postgresql://u:hush@h/d"


@pytest.fixture(autouse=True)
def empty_environment(monkeypatch):
    monkeypatch.delenv("HJSTUDY_DATA_DIR")
    monkeypatch.delenv("HJSTUDY_LOG_LEVEL")


def test_settings_without_any_variable_serve_this_machine_only_from_a_sqlite_file():
    settings = load_settings()
    assert settings.database_url == "sqlite:///var/hjstudy.db"
    assert (settings.host, settings.base_url) == ("127.0.0.1", "http://127.0.0.1:8000")
    assert not settings.secure_cookies


def test_database_follows_the_data_folder(monkeypatch):
    monkeypatch.setenv("HJSTUDY_DATA_DIR", "/srv/hj")
    assert load_settings().database_url == "sqlite:////srv/hj/hjstudy.db"


def test_value_from_the_call_goes_before_the_environment(monkeypatch):
    monkeypatch.setenv("HJSTUDY_PORT", "8001")
    assert load_settings().port == 8001
    assert load_settings(port=8002).port == 8002


def test_empty_variable_counts_as_not_set(monkeypatch):
    monkeypatch.setenv("HJSTUDY_PORT", "")
    assert load_settings().port == 8000


def test_variable_with_file_at_its_end_is_read_from_that_file(monkeypatch, tmp_path):
    (tmp_path / "url").write_text(f"{SECRET}\n")
    monkeypatch.setenv("HJSTUDY_DATABASE_URL_FILE", str(tmp_path / "url"))
    assert load_settings().database_url == SECRET


def test_variable_and_its_file_both_set_is_refused_by_name(monkeypatch, tmp_path):
    monkeypatch.setenv("HJSTUDY_DATABASE_URL_FILE", str(tmp_path / "url"))
    monkeypatch.setenv("HJSTUDY_DATABASE_URL", SECRET)
    with pytest.raises(SettingsError, match="HJSTUDY_DATABASE_URL_FILE are both set") as caught:
        load_settings()
    assert "hush" not in str(caught.value)


def test_file_that_is_missing_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("HJSTUDY_PORT_FILE", str(tmp_path / "nowhere"))
    with pytest.raises(SettingsError, match=r"HJSTUDY_PORT_FILE: cannot read .*nowhere"):
        load_settings()


def test_file_that_is_not_text_is_named(monkeypatch, tmp_path):
    (tmp_path / "url").write_bytes(b"\xff")
    monkeypatch.setenv("HJSTUDY_DATABASE_URL_FILE", str(tmp_path / "url"))
    with pytest.raises(SettingsError, match="not UTF-8"):
        load_settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "0"),
        ("PORT", "65536"),
        ("PORT", "eighty"),
        ("WRITE_TIMEOUT_S", "0"),
        ("WRITE_TIMEOUT_S", "nan"),
        ("THREADS", "0"),
        ("BODY_LIMIT_BYTES", "1"),
        ("LOGIN_HOURS", "-1"),
        ("HTMX_SOURCE", "latest"),
        ("LOG_LEVEL", "loud"),
        ("BASE_URL", "study.example.org"),
        ("BASE_URL", "ftp://study.example.org"),
    ],
)
def test_value_out_of_bounds_is_refused_on_one_line_that_names_the_variable(
    monkeypatch, name, value
):
    monkeypatch.setenv(f"HJSTUDY_{name}", value)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert caught.value.code == "settings/bad"
    assert str(caught.value).startswith(f"HJSTUDY_{name}: ")
    assert len(str(caught.value).splitlines()) == 1


def test_cookies_are_secure_when_people_come_over_https(monkeypatch):
    monkeypatch.setenv("HJSTUDY_BASE_URL", "https://study.example.org/")
    settings = load_settings()
    assert (settings.base_url, settings.secure_cookies) == ("https://study.example.org", True)


@pytest.mark.parametrize(
    ("host", "base_url"),
    [
        ("0.0.0.0", "http://127.0.0.1:8000"),  # noqa: S104 - nothing is bound here
        ("::1", "http://[::1]:8000"),
    ],
)
def test_printed_links_name_an_address_that_a_browser_can_open(host, base_url):
    assert load_settings(host=host).base_url == base_url


def test_settings_do_not_show_the_database_password():
    assert "hush" not in repr(load_settings(database_url=SECRET))


def test_mistyped_variable_is_reported_with_its_likely_name():
    messages = unknown_variables({"HJSTUDY_PROT": "1", "HJSTUDY_PORT_FILE": "", "PATH": ""})
    assert messages == [
        "HJSTUDY_PROT is not a setting. Did you mean HJSTUDY_PORT?",
    ]


def test_unknown_variable_stops_every_command(monkeypatch):
    monkeypatch.setenv("HJSTUDY_SECURE_COOKIE", "true")
    with pytest.raises(SettingsError, match="Did you mean HJSTUDY_SECURE_COOKIES"):
        load_settings()


def test_variables_of_tests_and_of_compose_are_not_reported():
    assert unknown_variables({"HJSTUDY_TEST_POSTGRES_URL": "x", "HJSTUDY_DOMAIN": "x"}) == []


def test_base_url_with_a_path_is_refused_with_what_to_do():
    with pytest.raises(SettingsError, match="Give it a host name of its own"):
        load_settings(base_url="https://lab.example.org/hj")


@pytest.mark.parametrize(
    ("given", "known"),
    [
        ("HTTPS://Study.Example.ORG", "https://study.example.org"),
        (" https://study.example.org/ \n", "https://study.example.org"),
        ("https://prüfung.example", "https://xn--prfung-4ya.example"),
        ("https://[2001:DB8::1]:8443/", "https://[2001:db8::1]:8443"),
    ],
)
def test_base_url_is_what_browsers_send_and_https_keeps_cookies_secure(given, known):
    settings = load_settings(base_url=given)
    assert (settings.base_url, settings.secure_cookies) == (known, True)
    assert known.split("/")[2].removesuffix(":8443").strip("[]") in settings.host_names()


@pytest.mark.parametrize(
    "given",
    [
        *("http://a:99999", "http://a:0", "http://a:x", "https://u:hush@a.org", "https://a.org#b"),
        *("https://a.org?", "https://a b.org", "https://a..org", "https://straße.example"),
    ],
)
def test_base_url_that_no_browser_can_open_is_refused_without_its_password(given):
    with pytest.raises(SettingsError, match="HJSTUDY_BASE_URL: ") as caught:
        load_settings(base_url=given)
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize("given", ["https://a.org", "a.org:8000", "*", "*.a.org", "b, a.org/x"])
def test_allowed_host_that_no_request_could_name_is_refused(given):
    with pytest.raises(SettingsError, match="without https://, port and path"):
        load_settings(allowed_hosts=given)


def test_proxies_must_be_addresses_or_networks():
    assert load_settings(trusted_proxies="10.0.0.2, 172.16.0.0/12").trusted_proxies
    with pytest.raises(SettingsError, match="'caddy' is not an address"):
        load_settings(trusted_proxies="caddy")


def test_any_host_is_answered_until_a_name_is_configured():
    assert load_settings().host_names() is None
    assert load_settings(host="10.0.0.2", allowed_hosts="study.lan").host_names() == {
        *("study.lan", "10.0.0.2", "127.0.0.1", "::1", "localhost")
    }
    names = load_settings(base_url="https://study.example.org:8443", allowed_hosts="b, Ü.org")
    ours = {"study.example.org", "b", "xn--tda.org"}
    assert names.host_names() == {*ours, "127.0.0.1", "::1", "localhost"}
