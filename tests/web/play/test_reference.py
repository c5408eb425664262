"""People and models play variants of the authors' package; `verify` replays them with it."""

import csv
import io
from importlib import metadata
from typing import Any

import pytest
import sqlalchemy as sa

from app.paths import how_to_add
from app.store.play.turns import turn
from app.study.design import reference, studies
from app.study.design.spec import StudyFileError, check_study, parse_study
from app.study.design.yaml_file import file_of
from app.study.export import files, verify
from tests.models.played import play
from tests.web.conftest import NOW, SMALL

FILE: dict[str, Any] = {
    **SMALL,
    "blocks": [{"task": "P-Comp", "seeds": [0], "source": "reference"}],
    "per_player": 1,
}


@pytest.fixture
def study(server):
    return studies.create(server.store, check_study(FILE), NOW)


@pytest.fixture
def without_package(monkeypatch):
    """A machine where the extra is not installed."""

    def version(name):
        raise metadata.PackageNotFoundError(name)

    return lambda: monkeypatch.setattr(metadata, "version", version)


def rows(server, table):
    text = b"".join(files.stream_csv(server.store, "demo", table, "csv")).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def variant_of(server, study):
    with server.store.read() as db:
        return server.library.variant(db, *study.hashes.values())


def test_person_plays_a_variant_of_the_package_in_the_same_pages(
    walker, server, study, without_package
):
    variant = variant_of(server, study)
    lines = variant.episodes[0].solutions[0]
    player = walker.enter()
    text = player.answer.text
    assert player.page.name == "game"  # no practice: it would teach other rules
    assert "GameStart" in text
    assert "purchase" not in text
    for step in variant.demonstrations[0].steps[:2]:
        assert step.message in text
    player.type("look around", lines[-1].lower(), *(line.upper() for line in lines[:-1]))
    assert "Invalid action" in player.answer.text
    player.type(lines[-1])
    assert player.page.state["data-success"] == "true"
    assert "MAIN GOAL ACHIEVED" in player.answer.text

    episode = rows(server, "episode")[0]
    assert (episode["source"], episode["engine_name"], episode["engine_version"]) == (
        *("reference", "herosjourney"),
        reference.installed(),
    )
    used = len(lines) + 2
    assert (int(episode["actions_used"]), episode["replay_ok"]) == (used, "true")
    assert int(episode["budget"]) == 2 * len(lines)
    assert float(episode["t"]) == used / len(lines)
    assert episode["words_hash"]
    assert {value for name, value in episode.items() if name.startswith("floor_")} == {""}
    for table in ("block", "baseline", "variant"):
        assert [row["source"] for row in rows(server, table)] == ["reference"]
    assert float(rows(server, "baseline")[0]["ecsr"]) == float(episode["norm_eff"])

    report = verify.verify(server.store)
    assert (report.ok, report.turns) == (True, used)
    changed = sa.update(turn).where(turn.c.seq == 1)
    with server.store.write() as db:
        said = db.execute(sa.select(turn.c.message).where(turn.c.seq == 1)).scalar_one()
        db.execute(changed.values(message="Something else."))
    assert verify.verify(server.store).first_difference.field == "message"
    with server.store.write() as db:
        db.execute(changed.values(message=said))
    without_package()
    found = verify.verify(server.store).first_difference
    assert (found.field, found.stored) == ("engine_version", episode["engine_version"])
    assert how_to_add("reference") in found.expected


def test_models_play_it_too_with_the_same_words_and_budget(server, study, without_package):
    outcome = play(server.store, "demo", preset="package", explains="none")
    assert not outcome.problems
    (episode,) = rows(server, "model_episode")
    variant = variant_of(server, study)
    assert (episode["source"], episode["engine_name"]) == ("reference", "herosjourney")
    assert (episode["state"], episode["norm_eff"]) == ("won", "1.0")
    assert int(episode["budget"]) == variant.episodes[0].budget
    assert episode["words_hash"]
    assert "MAIN GOAL ACHIEVED" in rows(server, "model_turn")[-1]["message"]
    report = verify.verify(server.store)
    assert (report.ok, report.models) == (True, 1)
    without_package()
    found = verify.verify(server.store).first_difference
    assert (found.field, found.stored) == ("engine_version", episode["engine_version"])
    assert "pip install" in found.expected


BAD = [
    ({"coverage": "1/3"}, "blocks.0.coverage: with source reference, use 1"),
    ({"format": "direct"}, "blocks.0.format: with source reference, use episodic"),
    ({"source": "mine"}, "blocks.0.source"),
]


@pytest.mark.parametrize(("changes", "message"), BAD)
def test_block_that_the_package_does_not_have_is_refused_at_its_field(changes, message):
    with pytest.raises(StudyFileError, match=message):
        check_study({**FILE, "blocks": [{**FILE["blocks"][0], **changes}]})


def test_sources_are_not_mixed():
    mixed = {**FILE, "blocks": [*FILE["blocks"], {"task": "A-Add", "seeds": [0]}]}
    with pytest.raises(StudyFileError, match=r"blocks\.1\.source: all blocks must have"):
        check_study(mixed)


def test_file_is_refused_with_what_to_install_and_stored_studies_still_open(
    client, server, study, without_package
):
    text = file_of(study.spec)
    assert parse_study(text) == study.spec
    without_package()
    with pytest.raises(StudyFileError, match=r"blocks\.0\.source: .*pip install .*line"):
        parse_study(text)
    assert client.get("/s/demo").status_code == 200
