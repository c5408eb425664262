"""The folder of an export: an earlier bundle is replaced as a whole, nothing else is touched."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.study.export import atomic_output, bundle, files
from app.study.export.files import ExportError
from tests.study.story import NOON, RULE, Story

pytestmark = pytest.mark.one_database


@pytest.fixture
def story(store):
    story = Story(store)
    story.varied()
    return story


@pytest.fixture
def home(tmp_path):
    """Return a separate folder, because tests look at what is next to a bundle."""
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def out(story, home):
    folder = home / "b"
    files.export(story.store, "story", folder, NOON)
    return folder


def content(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def listed(manifest):
    return {one["name"] for one in [*manifest["files"], *manifest["other_files"]]}


def refused(story, folder, word):
    """Return whether an export there is refused with that message, and nothing is changed."""
    before = content(folder)
    with pytest.raises(ExportError, match=word):
        files.export(story.store, "story", folder, NOON, flavour="jsonl", shareable=True)
    assert content(folder) == before
    return [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_shareable_bundle_after_a_full_one_holds_no_file_of_it(story, out):
    words = RULE.splitlines()[0]
    full = b"".join(content(out).values()).decode("utf-8")
    assert words.replace('"', '""') in full
    manifest = files.export(story.store, "story", out, NOON, flavour="jsonl", shareable=True)
    found = content(out)
    assert set(found) == {*listed(manifest), "manifest.json"}
    text = b"".join(found.values()).decode("utf-8")
    for quoted in (words, words.replace('"', '""'), words.replace('"', '\\"')):
        assert quoted not in text
    assert [path.name for path in out.parent.iterdir()] == ["b"]


def test_bundle_of_another_study_after_one_holds_the_other_alone(story, out):
    Story(story.store, slug="second", blocks=[{"task": "A-Add", "seeds": [3]}], per_player=1)
    manifest = files.export(story.store, "second", out, NOON)
    assert set(content(out)) == {*listed(manifest), "manifest.json"}
    assert not [name for name in content(out) if "study-story" in name]


def test_same_study_again_into_the_same_folder_is_the_same_bundle(story, out):
    before = content(out)
    files.export(story.store, "story", out, NOON)
    assert content(out) == before


def test_empty_folder_is_filled(story, home):
    folder = home / "empty"
    folder.mkdir(mode=0o700)
    manifest = files.export(story.store, "story", folder, NOON)
    assert set(content(folder)) == {*listed(manifest), "manifest.json"}
    assert folder.stat().st_mode & 0o777 == 0o700  # as private as it was


@pytest.mark.parametrize("name", ["data/my notes.csv", "notes.txt", "z/deep/file"])
def test_folder_with_a_foreign_file_is_refused_by_its_name(story, out, name):
    (out / name).parent.mkdir(parents=True, exist_ok=True)
    (out / name).write_text("mine")
    assert refused(story, out, f"contains {name}, which is not from an export.*empty or new folder")


def test_folder_without_a_manifest_is_refused_by_its_first_file(story, out):
    (out / "manifest.json").unlink()
    assert refused(story, out, r"contains \.psychds-ignore, which.*empty or new folder")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"files": [{"name": 1}, 2]}', "\udcff"])
def test_folder_with_some_other_manifest_is_refused(story, home, text):
    folder = home / "b"
    folder.mkdir()
    (folder / "manifest.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert refused(story, folder, "contains manifest.json, which is not from an export")


@pytest.mark.parametrize(
    "name", ["dataset_description.json", "data/study-story_level-turn_data.csv"]
)
def test_file_changed_by_hand_after_its_export_is_never_lost(story, out, name):
    (out / name).write_text("author: me")
    assert refused(story, out, f"{name} in .* was changed after.*empty or new folder")


def test_link_in_the_folder_is_foreign_and_its_target_stays(story, out, home):
    (out / "data" / "link").symlink_to(home)
    with pytest.raises(ExportError, match="contains data/link"):
        files.export(story.store, "story", out, NOON)
    assert (out / "manifest.json").exists()


def test_folder_that_is_a_link_is_replaced_where_it_points(story, out, home):
    link = home / "link"
    link.symlink_to(out)
    files.export(story.store, "story", link, NOON, flavour="jsonl")
    assert link.is_symlink()
    assert json.loads((out / "manifest.json").read_text("utf-8"))["format"] == "jsonl"


def test_export_into_the_folder_one_stands_in_is_refused(story, out, monkeypatch):
    monkeypatch.chdir(out / "data")
    assert refused(story, out, "current folder.*folder inside")


def test_failed_export_leaves_the_old_bundle_whole_and_nothing_beside_it(story, out, monkeypatch):
    before = content(out)
    monkeypatch.setattr(bundle, "check_counts", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        files.export(story.store, "story", out, NOON, flavour="jsonl")
    assert content(out) == before
    assert [path.name for path in out.parent.iterdir()] == ["b"]


def test_first_export_that_fails_leaves_no_folder(story, home, monkeypatch):
    monkeypatch.setattr(bundle, "check_counts", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        files.export(story.store, "story", home / "b", NOON)
    assert list(home.iterdir()) == []


KILLED = """
import os, signal, sys
from pathlib import Path
from app.study.export import atomic_output
with atomic_output.whole(Path(sys.argv[1])) as folder:
    (folder / "data.csv").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_killed_export_leaves_the_old_bundle_whole_and_the_next_one_clears_up(story, out):
    before = content(out)
    root = Path(__file__).resolve().parents[3]
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(out)],
        env={**os.environ, "PYTHONPATH": str(root)},
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL
    assert content(out) == before
    assert len(list(out.parent.glob("b.partial-*"))) == 1
    files.export(story.store, "story", out, NOON)
    assert content(out) == before
    assert [path.name for path in out.parent.iterdir()] == ["b"]


def test_old_bundle_comes_back_where_a_kill_fell_between_the_two_renames(story, out):
    before = content(out)
    out.rename(out.with_name("b.former-0123abcd"))
    with atomic_output.whole(out) as folder:
        assert content(out) == before
        shutil.copytree(out, folder, dirs_exist_ok=True)
    assert content(out) == before
    assert [path.name for path in out.parent.iterdir()] == ["b"]


def test_folders_beside_it_with_names_of_their_own_stay(story, out):
    for name in ("b.partial", "b.partial-mine", "b.former-2025", "c.partial-0123abcd"):
        out.with_name(name).mkdir()
    files.export(story.store, "story", out, NOON)
    assert len(list(out.parent.iterdir())) == 5


def test_export_that_another_one_overtook_says_so_and_writes_nothing(story, out):
    before = content(out)

    def overtaken():
        with atomic_output.whole(out) as slow:
            (slow / "data.csv").write_text("not reviewed")
            files.export(story.store, "story", out, NOON)
            (slow / "more.csv").write_text("not reviewed")

    with pytest.raises(ExportError, match=r"another export to .* started"):
        overtaken()
    assert content(out) == before
    assert [path.name for path in out.parent.iterdir()] == ["b"]


def test_file_that_came_in_while_an_export_ran_is_kept(story, out):
    with pytest.raises(ExportError, match=r"contains late\.txt"), atomic_output.whole(out):
        (out / "late.txt").write_text("mine")
    assert (out / "late.txt").read_text() == "mine"
    assert (out / "manifest.json").exists()
