"""Prolific's signed study links, checked against keys in a file."""

import json
import os
from datetime import timedelta

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from app.study.play.prolific_token import KeySet, KeySetError, TokenError
from tests.study.conftest import NOW

IDS = {"PROLIFIC_PID": "5f3c", "STUDY_ID": "s1", "SESSION_ID": "x1", "workspace_id": "w"}
BASE = "https://study.example.org/hj"


@pytest.fixture(scope="module")
def private():
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def put_keys(path, private, kid="k1"):
    public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(private.public_key()))
    one = {**public, "kid": kid, "alg": "RS256", "use": "sig"}
    path.write_text(json.dumps({"keys": [one]}))
    return path


@pytest.fixture
def key_set(tmp_path, private):
    return KeySet(put_keys(tmp_path / "jwks.json", private), BASE)


def token(private, *, kid="k1", algorithm="RS256", **changes):
    claims = {"aud": "study.example.org", "prolific": IDS, "exp": NOW + timedelta(hours=1)}
    return jwt.encode({**claims, **changes}, private, algorithm, headers={"kid": kid})


def test_token_of_prolific_gives_its_ids(key_set, private):
    assert key_set.read(token(private), NOW) == IDS


@pytest.mark.parametrize(
    "audience", ["https://study.example.org", "https://study.example.org/", BASE, ["a", BASE]]
)
def test_domain_is_recognised_in_every_usual_form(key_set, private, audience):
    assert key_set.read(token(private, aud=audience), NOW) == IDS


def test_expired_token_is_refused_in_words(key_set, private):
    value = token(private)
    assert key_set.read(value, NOW + timedelta(minutes=60, seconds=59)) == IDS
    with pytest.raises(TokenError, match="has expired"):
        key_set.read(value, NOW + timedelta(minutes=62))


def forged(private):
    stranger = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    good = token(private)
    head, body, _ = good.split(".")
    yield "", "nothing"
    yield "a.b.c", "no token"
    yield token(stranger), "another key"
    yield token(private, kid="k2"), "unknown key"
    yield token(private, aud="other.example.org"), "another domain"
    yield f"{head}.{body}.", "no signature"
    yield good[:-6] + "AAAAAA", "changed signature"
    yield jwt.encode({"aud": "study.example.org"}, "x" * 32, headers={"kid": "k1"}), "HMAC"
    yield jwt.encode({"aud": "study.example.org"}, None, "none", headers={"kid": "k1"}), "none"
    yield token(private, prolific="text"), "no ids"
    yield token(private, exp="later"), "no time"
    yield "x" * 100_000, "too long"


def test_forged_tokens_are_refused(key_set, private):
    accepted = []
    for value, what in forged(private):
        try:
            key_set.read(value, NOW)
            accepted.append(what)
        except TokenError:
            pass
    assert accepted == []


def test_new_keys_are_read_without_a_restart(tmp_path, private, key_set):
    new = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    with pytest.raises(TokenError):
        key_set.read(token(new, kid="k2"), NOW)
    path = put_keys(tmp_path / "jwks.json", new, "k2")
    os.utime(path, (1, 1))  # a change even on a coarse clock
    assert key_set.read(token(new, kid="k2"), NOW) == IDS


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"keys": [1]}', '{"keys": []}', "<html>"])
def test_file_without_keys_is_refused_with_where_to_get_it(tmp_path, text):
    path = tmp_path / "jwks.json"
    path.write_text(text)
    with pytest.raises(KeySetError, match="download"):
        KeySet(path, BASE)
    with pytest.raises(KeySetError):
        KeySet(tmp_path / "missing.json", BASE)
