"""The systemd units: correct, hardened, alike, and as the documentation says."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
UNITS = sorted((ROOT / "deploy").glob("*.service"), key=lambda path: path.stem)
ANALYZE = shutil.which("systemd-analyze") or ""
MOST_EXPOSED = 15  # tenths of systemd's points; 100 = not protected at all
need_systemd = pytest.mark.skipif(not ANALYZE, reason="no systemd-analyze on this machine")


def analyze(*arguments):
    done = subprocess.run([str(ANALYZE), *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def installed(tmp_path):
    """Return a copy of a unit whose program and user exist."""

    def copy(unit, **changes):
        text = unit.read_text().replace("/opt/hjstudy/.venv/bin/hjstudy", "/bin/true")
        for name, value in changes.items():
            text = text.replace(name, value)
        (tmp_path / unit.name).write_text(text)
        return tmp_path / unit.name

    return copy


def hardening(unit):
    """Return the lines that take rights away."""
    lines = unit.read_text().partition("StateDirectory=")[2].partition("[Install]")[0]
    return [line for line in lines.splitlines()[1:] if line and not line.startswith("Limit")]


@need_systemd
@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.stem)
def test_unit_is_correct_and_takes_all_rights_that_it_can(unit, installed):
    assert analyze("verify", "--man=no", str(installed(unit))) == (0, "")
    limit = ["--offline=true", f"--threshold={MOST_EXPOSED}"]
    code, output = analyze("security", *limit, str(installed(unit)))
    assert code == 0, output


@need_systemd
def test_check_sees_a_misspelt_line_and_a_missing_protection(installed):
    unit = UNITS[0]
    assert "Unknown key" in analyze("verify", str(installed(unit, ProtectHome="ProtectHouse")))[1]
    weak = installed(unit, **{"CapabilityBoundingSet=": "", "RestrictNamespaces=yes": ""})
    assert analyze("security", "--offline=true", f"--threshold={MOST_EXPOSED}", str(weak))[0] != 0


def test_all_units_are_protected_alike_and_run_as_an_ordinary_user():
    assert [path.stem for path in UNITS] == ["hjstudy", "hjstudy-backup", "hjstudy-sweep"]
    assert {tuple(hardening(unit)) for unit in UNITS} == {tuple(hardening(UNITS[0]))}
    assert len(hardening(UNITS[0])) > 20
    assert all("User=hjstudy\n" in unit.read_text() for unit in UNITS)


def test_stopping_leaves_requests_the_time_that_the_server_gives_them():
    from app.cli.server import GRACE

    text = (ROOT / "deploy" / "hjstudy.service").read_text()
    assert int(re.search(r"TimeoutStopSec=(\d+)", text)[1]) > GRACE


def test_jobs_may_lower_their_priority():
    """`app/work.py` is nice, which the group @resources would forbid."""
    for unit in UNITS:
        filters = re.findall(r"^SystemCallFilter=(.*)", unit.read_text(), re.MULTILINE)
        assert filters
        assert "@resources" not in " ".join(filters)
