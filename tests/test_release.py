"""`make release`: what it changes, and what it refuses. Each test has a repository of its own."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from app import __version__
from bench import release
from bench.release import NotReadyError

ROOT = Path(__file__).resolve().parents[1]
MARK = "a line of the present"


@pytest.fixture
def checkout(tmp_path):
    for name in (*release.FILES, "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    changes = (
        f"# Changelog\n\n## Unreleased\n\n### Added\n\n- {MARK}\n\n"
        "### Upgrading\n\n- Nothing to do.\n\n## 0.0.1 - 2026-01-01\n"
    )
    (tmp_path / "CHANGELOG.md").write_text(changes)
    release.git(tmp_path, "init", "-q")
    release.git(tmp_path, "config", "user.name", "Someone")
    release.git(tmp_path, "config", "user.email", "someone@example.org")
    commit(tmp_path)
    return tmp_path


def commit(checkout):
    release.git(checkout, "add", "-A")
    release.git(checkout, "commit", "-q", "-m", "Begin")


def test_files_state_one_version():
    stated = {release.version_in(ROOT / name, line) for name, line in release.FILES.items()}
    assert stated == {__version__}


def test_citation_is_a_valid_file_that_the_readme_names():
    """By the schema of the Citation File Format, which check-jsonschema contains."""
    check = [str(Path(sys.executable).parent / "check-jsonschema"), "CITATION.cff"]
    schema = ["--builtin-schema", "vendor.citation-file-format"]
    done = subprocess.run([*check, *schema], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "CITATION.cff" in (ROOT / "README.md").read_text("utf-8")


def test_release_sets_versions_dates_the_changelog_commits_and_tags(checkout):
    assert release.release(checkout, "9.1.0", "2027-02-03") == "v9.1.0"
    citation = yaml.safe_load((checkout / "CITATION.cff").read_text())
    assert (citation["version"], citation["date-released"]) == ("9.1.0", "2027-02-03")
    assert tomllib.loads((checkout / "pyproject.toml").read_text())["project"]["version"] == "9.1.0"
    assert '__version__ = "9.1.0"' in (checkout / "app" / "__init__.py").read_text()
    changes = (checkout / "CHANGELOG.md").read_text()
    assert changes.index("## Unreleased") < changes.index("## 9.1.0 - 2027-02-03")
    assert changes.index("## 9.1.0 - 2027-02-03") < changes.index(MARK)
    assert release.git(checkout, "status", "--porcelain") == ""
    assert release.git(checkout, "describe") == "v9.1.0"
    assert release.git(checkout, "log", "-1", "--format=%s") == "Release 9.1.0"
    with pytest.raises(NotReadyError, match="nothing under"):
        release.release(checkout, "9.2.0", "2027-02-04")
    assert citation["authors"] == [{"name": "The hjstudy developers"}]


def dirty(checkout):
    (checkout / "CHANGELOG.md").write_text("other")


def differing(checkout):
    path = checkout / "CITATION.cff"
    path.write_text(path.read_text().replace(f"version: {__version__}", "version: 0.0.7"))
    commit(checkout)


def tagged(checkout):
    release.git(checkout, "tag", "v9.1.0")


def untold(checkout):
    path = checkout / "CHANGELOG.md"
    path.write_text(path.read_text().replace("- Nothing to do.\n", ""))
    commit(checkout)


def test_minor_version_needs_no_word_on_upgrading(checkout):
    untold(checkout)
    major, _, rest = __version__.partition(".")
    minor = f"{major}.{int(rest.partition('.')[0]) + 1}.0"
    assert release.release(checkout, minor, "2027-02-03") == f"v{minor}"


@pytest.mark.parametrize(
    ("prepare", "version", "message"),
    [
        (None, "v9", "three numbers"),
        (None, "0.0.9", "not newer"),
        (dirty, "9.1.0", "Commit or undo"),
        (differing, "9.1.0", "same version"),
        (tagged, "9.1.0", "not newer"),
        (untold, "9.1.0", "Upgrading"),
    ],
)
def test_release_that_is_not_ready_changes_nothing(checkout, prepare, version, message):
    if prepare:
        prepare(checkout)
    before = release.git(checkout, "rev-parse", "HEAD")
    with pytest.raises(NotReadyError, match=message):
        release.release(checkout, version, "2027-02-03")
    assert release.git(checkout, "rev-parse", "HEAD") == before


def test_release_ends_with_what_to_do(checkout):
    command = ["python", "-m", "bench.release", "nonsense"]
    command[0] = shutil.which("python3") or "python3"
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, "three numbers" in done.stderr) == (1, True)
