"""hjstudy member and user: who may do what, and what an administrator undoes."""

import pytest

from app.store.people import accounts as table
from app.store.people import logins
from app.study.people import second_factor

STUDY = "slug: odd\ntitle: Odd\nblocks: [{task: A-Add, seeds: 1}]\n"


@pytest.fixture
def study(hjstudy, tmp_path):
    (tmp_path / "odd.yaml").write_text(STUDY, "utf-8")
    for command in ("user add ada", "user add bo", "study create odd.yaml --owner ada"):
        assert hjstudy(*command.split())[0] == 0
    return "odd"


def roles(hjstudy, study):
    """Return name -> role, as the command lists them."""
    code, out, _ = hjstudy("member", "list", study)
    assert code == 0
    return {name: role for role, name in map(str.split, out.splitlines())}


def test_member_is_added_changed_and_removed(study, hjstudy, facts):
    assert roles(hjstudy, study) == {"ada": "owner"}
    assert facts("member", "put", study, "bo", "viewer")["role"] == "viewer"
    hjstudy("member", "put", study, "bo", "editor")
    assert roles(hjstudy, study) == {"ada": "owner", "bo": "editor"}
    code, _, said = hjstudy("member", "remove", study, "bo")
    assert (code, "bo is no longer a member" in said) == (0, True)
    assert facts("member", "list", study) == {"members": [{"name": "ada", "role": "owner"}]}


def test_wrong_member_is_refused_in_a_sentence(study, hjstudy):
    for words in (("put", study, "cy", "viewer"), ("put", study, "bo", "king")):
        code, _, said = hjstudy("member", *words)
        assert code == 2
        assert said
    assert hjstudy("member", "list", "nothing")[0] == 2
    assert hjstudy("member", "remove", study, "ada")[0] == 2  # nobody would own the study
    assert roles(hjstudy, study) == {"ada": "owner"}


def test_researcher_becomes_an_administrator_and_an_ordinary_one_again(study, hjstudy, store):
    def is_admin():
        with store.read() as db:
            return table.by_name(db, "bo").is_admin

    assert not is_admin()
    assert "an administrator" in hjstudy("user", "admin", "bo")[2]
    assert is_admin()
    assert "an ordinary researcher" in hjstudy("user", "admin", "bo", "--revoke")[2]
    assert not is_admin()
    assert hjstudy("user", "admin", "cy")[0] == 2


def test_lost_second_factor_is_turned_off(study, hjstudy, store):
    with store.write() as db:
        person = table.by_name(db, "bo").id
        logins.set_totp(db, person, "A" * 32, 0)
        logins.put_codes(db, person, ["one", "two"])
    assert "name and password only" in hjstudy("user", "one-factor", "bo")[2]
    with store.read() as db:
        assert second_factor.state(db, "bo") == (False, 0)
        assert logins.codes_left(db, person) == 0
    assert hjstudy("user", "one-factor", "cy")[0] == 2
