"""Every command that changes a study or an account, or hands out data, is in the audit log."""

import os
import pwd

import pytest

from app.cli import app, recording
from app.study.people import accounts, audit
from tests.cli.test_study import STUDY
from tests.study.story import NOON, Story

SECRET = "40817093"
UNRECORDED = {  # command -> why
    "serve": "changes no study; what its pages change is recorded there",
    "migrate": "changes tables, not studies, and the log may not exist yet",
    "sweep": "runs on a timer, and does what the studies' designs say",
    "play": "without a database",
    "verify": "gives a verdict",
    "doctor": "gives a verdict",
    "alpha": "reads a file",
    "report": "reads a bundle, whose export was recorded",
    "plan": "simulates a design",
    "example": "has a database of its own",
    **dict.fromkeys(("variant show", "variant certify", "variant export"), "without a database"),
    "study list": "counts",
    "member list": "names of members",
    "audit verify": "gives a verdict",
    "model list": "counts and costs",
    "model verify": "gives a verdict",
    "model parity": "gives a verdict",
    "model mcp": "an agent, whose plays are stored",
    "model key list": "names of keys",
}
MODEL = "--study story --model none --base-url http://127.0.0.1:9/v1 --dry-run"
LINES = {  # command -> the rest of its line; some are refused, after they were recorded
    "demo": "",
    "simulate": "--study none --bots oracle:1",
    "backup": "--to copies",
    "export": "--study story --out full",
    "manifest": "--study story --out signed.json",
    "payments": "--study story --out pay.csv",
    "bonuses-sent": "ids.txt --study none",
    "audit csv": "story",
    "study create": "autumn.yaml",
    "study update": "autumn.yaml",
    "study open": "autumn",
    "study close": "autumn",
    "study file": "story",
    "study link": "story --ids ids.txt --out links.csv",
    "user add": "ada",
    "user admin": "ada",
    "user one-factor": "ada",
    "member put": "story ada viewer",
    "member remove": "story ada",
    "model run": MODEL,
    "model resume": "--study story --run 9",
    "model key add": "--study story --name laboratory",
    "model key revoke": "--study story --name laboratory",
    "judge run": MODEL,
    "round sample": "story --judge none",
    "round create": "story --raters none",
    "round open": "story 9",
    "round close": "story 9",
    "round agreement": "story 9",
    "round hand-over": "story 9 --from ada --to bob",
}


@pytest.fixture
def entries(store):
    def read():
        with store.read() as db:
            assert audit.verify(db).broken == 0
            return audit.whole(db, None)[::-1]

    return read


@pytest.fixture
def story(store, tmp_path):
    story = Story(store)
    story.win(story.enter(external_id=SECRET), 0, 0)
    (tmp_path / "autumn.yaml").write_text(STUDY)
    (tmp_path / "ids.txt").write_text(SECRET)
    accounts.add(store, "first", "researcher", NOON)
    return story


def test_every_command_is_recorded_or_says_here_why_not():
    known = {name for name, _ in recording.commands_of(app)}
    assert known - recording.RECORDED - {*UNRECORDED} == set(), "is it recorded? see RECORDED"
    assert (recording.RECORDED | {*UNRECORDED}) - known == set()
    assert recording.RECORDED & {*UNRECORDED} == set()
    assert {*LINES} == recording.RECORDED - {"restore"}  # which has a test of its own


def test_recorded_commands_have_one_entry_each_without_what_is_secret(story, hjstudy, entries):
    wrong = {}
    for name, rest in LINES.items():
        before = len(entries())
        hjstudy(*name.split(), *rest.split())
        added = [(one.verb, one.account_id) for one in entries()[before:]]
        if added != [(f"hjstudy {name}", audit.TERMINAL)]:
            wrong[name] = added
    assert wrong == {}
    me = f"terminal: {pwd.getpwuid(os.getuid()).pw_name}"
    assert {one.name for one in entries()} == {me}
    assert SECRET not in str(entries())
    found = {one.verb: (one.study, one.object) for one in entries()}
    assert found["hjstudy study create"] == ("autumn", "")
    assert found["hjstudy member put"] == ("story", "name=ada role=viewer")
    assert found["hjstudy export"] == ("story", "flavour=csv times=exact")
    assert found["hjstudy user add"] == ("", "name=ada role=researcher")


def test_restored_database_says_who_restored_it(story, hjstudy, tmp_path, monkeypatch):
    assert hjstudy("backup", "--to", "copies")[0] == 0
    [made] = (tmp_path / "copies").glob("*.db")
    monkeypatch.setenv("HJSTUDY_DATABASE_URL", f"sqlite:///{tmp_path / 'new.db'}")
    assert hjstudy("restore", made)[0] == 0
    out = hjstudy("audit", "csv")[1].splitlines()
    assert [line.split(",")[3] for line in out[1:]] == [
        *("hjstudy audit csv", "hjstudy restore", "hjstudy backup"),
    ]


def test_commands_that_read_are_not_recorded_and_sudo_is_named(
    story, hjstudy, entries, monkeypatch
):
    for line in ("study list", "verify", "audit verify", "doctor", "sweep", "member list story"):
        hjstudy(*line.split())
    assert entries() == []
    monkeypatch.setenv("SUDO_USER", "ada")
    hjstudy("study", "close", "story")
    assert entries()[0].name.endswith(" (sudo: ada)")
