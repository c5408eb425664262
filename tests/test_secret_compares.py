"""Secrets are looked up by their hash or in the database, or compared in constant time."""

from pathlib import Path

import pytest

from tests.secret_compares import compared_below, compared_in, found_below, found_in

APP = Path(__file__).resolve().parents[1] / "app"
STORED = "both are hashes, and nobody sends one"
ITEM = "names an item among those of the account that is logged in"
HARMLESS = {
    ("app/study/people/accounts.py", "present.password_hash != checked.password_hash"): STORED,
    ("app/study/people/logins.py", "row.token_hash == own"): STORED,
    ("app/study/rating/handover.py", "one.token not in rated"): ITEM,
    ("app/study/rating/rater_view.py", "one.token == token"): ITEM,
    ("app/study/rating/source_guess.py", "one.token == token"): ITEM,
    ("app/web/rating/rater_pages.py", "one.token != view.token"): ITEM,
    ("app/web/rating/rater_pages.py", "place.token == shown"): ITEM,
}


IN_CONSTANT_TIME = {  # all other code that gets a secret calls one of these
    ("app/study/design/testlink.py", "study_of"),
    ("app/study/keys.py", "is_signed"),
    ("app/study/people/second_factor.py", "step_of"),
    ("app/study/play/entry_ticket.py", "check"),
    ("app/web/deps.py", "right_key"),
    ("app/web/metrics.py", "metrics"),
}


def test_no_secret_is_compared_in_a_time_that_depends_on_the_guess():
    assert set(found_below(APP)) == set(HARMLESS)


def test_functions_that_compare_secrets_do_so_in_constant_time():
    assert compared_below(APP) == IN_CONSTANT_TIME
    assert list(compared_in("def right(sent): return sent == kept")) == []
    assert list(compared_in("def right(sent): return hmac.compare_digest(sent, kept)")) == ["right"]


@pytest.mark.parametrize(
    "line",
    [
        "token == given",
        "if sent != form_key: pass",
        "raw.get('ticket') == kept",
        "kept['nonce'] == sent",
        "request.headers['authorization'] == f'Bearer {settings.metrics_token}'",
        "request.headers.get('authorization', '').encode() == wanted",
        "str(raw['signature']) == signed(raw)",
        "seal(key, slug) == mac",
        "value in server.tokens",
        "settings.oidc_client_secret == typed",
        "pyotp.TOTP(row.totp_secret).now() == typed.strip() and recovery_code == typed",
        "row.api_key == sent.credentials",
        "[one for one in rows if one.token == token]",
        "read_cookie(request) == login_cookie",
    ],
)
def test_comparison_of_a_secret_is_found(line):
    assert list(found_in(line))


@pytest.mark.parametrize(
    "line",
    [
        "hmac.compare_digest(token, given)",
        "token == ''",
        "len(token) == 32",
        "token is None",
        "participant.c.token == token",
        "name in {'ticket', 'form_key'}",
        "world.lexicon == NONCE",
        "row.state == 'open'",
    ],
)
def test_what_reveals_nothing_is_not_found(line):
    assert list(found_in(line)) == []
