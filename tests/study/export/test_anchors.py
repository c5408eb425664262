"""A signed manifest finds what was rewritten so well that the database alone looks sound."""

import json
import stat

import pytest
import sqlalchemy as sa

from app.store.people.audit import audit_entry, digest_of
from app.store.play.answers import answer
from app.store.play.participants import participant
from app.study.export import anchors, bundle, files, signing, verify
from app.study.people import audit, withdrawal
from app.study.tickets import new_ticket
from tests.study.export.test_verify_records import finished
from tests.study.export.test_verify_whole import rewrite
from tests.study.story import NOON


@pytest.fixture
def key(tmp_path):
    return signing.own_key(tmp_path / "data" / "key.pem")


def manifest(store, key):
    """A manifest, as it is after it was kept in a file."""
    return json.loads(json.dumps(anchors.make(store, "story", key, NOON)))


def token_of(store):
    with store.read() as db:
        return db.execute(sa.select(participant.c.token)).scalar_one()


def test_rewritten_log_of_a_person_is_found_by_the_manifest_alone(store, key):
    story = finished(store)
    document = manifest(store, key)
    assert verify.verify(store, manifest=document).ok
    story.change(answer, answer.c.phase == "before", value="99")
    story.begin_logs()
    assert verify.verify(store).ok
    found = verify.verify(store, manifest=document)
    assert (found.ok, found.first_difference.field) == (False, "event")
    assert found.anchors_wrong == 1


def test_rewritten_chain_of_turns_is_found_by_the_manifest_alone(store, key):
    story = finished(store)
    document = manifest(store, key)
    rewrite(story, token_of(store), client_ms=7)
    story.begin_logs()
    assert verify.verify(store).ok
    found = verify.verify(store, manifest=document)
    assert (found.ok, found.anchors_wrong) == (False, 2)


def test_what_comes_later_does_not_contradict_the_manifest(store, key):
    story = finished(store)
    document = manifest(store, key)
    token = story.enter(answers={"age": "40"})
    story.win(token, 0, 0)
    assert verify.verify(store, manifest=document).ok
    with store.read() as db:
        first = db.execute(sa.select(participant.c.token).order_by(participant.c.id)).scalars()
        first = first.first()
    withdrawal.withdraw(store, first, new_ticket(), story.now())
    found = verify.verify(store, manifest=document)
    assert (found.first_difference, found.ok) == (None, True)


def test_deleted_person_is_found(store, key):
    finished(store)
    document = manifest(store, key)
    document["events"]["999"] = [1, "0" * 64]
    assert not verify.verify(store, manifest=document).ok


@pytest.fixture
def logged(store, key):
    """A study, three entries of the audit log, and the manifest that was made after the second."""
    finished(store)
    for number in (1, 2):
        audit.record(store, audit.Action(7, "ada", f"GET /admin/{number}", "story"), NOON)
    document = manifest(store, key)
    audit.record(store, audit.Action(7, "ada", "GET /admin/3", "story"), NOON)
    return document


def test_later_entries_of_the_audit_log_do_not_contradict_the_manifest(store, logged):
    assert logged["audit"][0] == 2
    assert verify.verify(store, manifest=logged).ok
    del logged["audit"]  # as in manifests of earlier versions
    assert verify.verify(store, manifest=logged).ok


def rechain(db):
    """Compute the digests of the audit log again, as someone who covers their tracks would."""
    previous = ""
    for row in db.execute(sa.select(audit_entry).order_by(audit_entry.c.seq)).all():
        previous = digest_of(previous, row._asdict())
        one = sa.update(audit_entry).where(audit_entry.c.seq == row.seq)
        db.execute(one.values(digest=previous))


@pytest.mark.parametrize("covered", [True, False])
@pytest.mark.parametrize(
    "change",
    [
        sa.update(audit_entry).where(audit_entry.c.seq == 1).values(name="bob"),
        sa.delete(audit_entry).where(audit_entry.c.seq >= 2),
        sa.delete(audit_entry),
    ],
    ids=["altered", "cut off", "emptied"],
)
def test_rewritten_audit_log_is_found_by_the_manifest(store, logged, change, covered):
    with store.write() as db:
        db.execute(change)
        if covered:
            rechain(db)
            assert audit.verify(db).broken == 0
    found = verify.verify(store, manifest=logged)
    assert (found.ok, found.anchors_wrong) == (False, 1)
    assert "audit log" in found.first_difference.episode


def test_key_is_made_once_and_only_its_owner_reads_it(tmp_path):
    first = signing.own_key(tmp_path / "new" / "key.pem")
    path = tmp_path / "new" / "key.pem"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert signing.public_text(
        signing.own_key(tmp_path / "new" / "key.pem")
    ) == signing.public_text(first)


def test_changed_manifest_and_another_key_are_refused(store, key, tmp_path):
    finished(store)
    path, public = tmp_path / "m.json", signing.public_text(key)
    document = anchors.make(store, "story", key, NOON)
    path.write_text(json.dumps(document))
    assert anchors.read(path, public)["study"] == "story"
    other = signing.public_text(signing.own_key(tmp_path / "other" / "key.pem"))
    changed = {**document, "made_at": "2001-01-01"}
    for text, by, words in (
        (json.dumps(document), other, "not signed with this server"),
        (json.dumps(changed), public, "file was changed"),
        (json.dumps({**document, "signature": "?"}), public, "file was changed"),
        ("{", public, "not JSON"),
        ("[]", public, "not a manifest"),
    ):
        path.write_text(text)
        with pytest.raises(signing.SigningError, match=words):
            anchors.read(path, by)
    with pytest.raises(signing.SigningError, match="Cannot read"):
        anchors.read(tmp_path / "none.json", public)


def test_key_of_another_kind_is_refused_with_what_to_do(tmp_path):
    path = tmp_path / "key.pem"
    path.write_text("no key")
    with pytest.raises(signing.SigningError, match="openssl genpkey"):
        signing.read_key(path)


def test_full_bundles_hold_a_manifest_that_the_next_verification_reads(store, tmp_path):
    story = finished(store)
    inside = tmp_path / "full" / bundle.SIGNED
    files.export(store, "story", inside.parents[1], NOON)
    files.export(store, "story", tmp_path / "shared", NOON, shareable=True)
    assert not (tmp_path / "shared" / bundle.SIGNED).exists()
    public = signing.public_text(signing.own_key(store.signing_key_path))
    document = anchors.read(inside, public)
    found = verify.verify(store, manifest=document)
    assert found.ok
    assert found.anchors > 0
    story.change(answer, answer.c.phase == "before", value="99")
    story.begin_logs()
    assert not verify.verify(store, manifest=document).ok
