"""A study that two participants have played, and its report from a bundle."""

from datetime import UTC, datetime

from typer.testing import CliRunner

from app.cli import app as cli

NOW = datetime(2026, 11, 28, 14, 0, tzinfo=UTC)
PAGE = "/admin/studies/demo/report"
QUICK = "?replicates=200"


def rebuilt(bundle, out, *options, figures=False):
    """Run `hjstudy report` on a bundle; return the bytes of report.json."""
    drawn = "--figures" if figures else "--no-figures"
    found = CliRunner().invoke(
        cli, ["report", str(bundle), "--out", str(out), "--bootstrap", "200", drawn, *options]
    )
    assert found.exit_code == 0, found.output
    return (out / "report.json").read_bytes()
