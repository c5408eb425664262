"""A bundle written from hand-made rows, with a report of it, to recompute."""

import csv
import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

from app.study.export.bundle import file_name
from app.study.export.columns import EXPORT_COLUMNS, FORMAT_VERSION
from app.study.report.document import canonical, document
from app.study.report.files import table_csv
from app.study.report.options import Options
from app.study.report.tables import of_bundle

PARITY = Path(__file__).parents[3] / "app" / "parity"
PROGRAMS = {"recompute.py": "report.py", "recompute.R": "report.R"}


def write_bundle(tables, folder):
    """Write tables (name -> rows; columns may be missing) as the CSV files of a bundle."""
    for part in ("data", "analysis"):
        (folder / part).mkdir(parents=True)
    files = []
    for table, columns in EXPORT_COLUMNS.items():
        rows = tables.get(table, [])
        path = folder / "data" / file_name("hand", table, "csv")
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([column.name for column in columns])
            writer.writerows([[cell_text(row.get(c.name)) for c in columns] for row in rows])
        sha = hashlib.sha256(path.read_bytes()).hexdigest()
        name = f"data/{path.name}"
        files.append({"table": table, "name": name, "rows": len(rows), "sha256": sha})
    facts = {"format_version": FORMAT_VERSION, "format": "csv", "study": "hand", "files": files}
    text = json.dumps({**facts, "study_kind": "pilot", "main_rv": "human"})
    (folder / "manifest.json").write_text(text, "utf-8")
    for name, source in PROGRAMS.items():
        if (PARITY / source).exists():
            shutil.copy(PARITY / source, folder / "analysis" / name)
    return folder


def cell_text(value):
    """Return a value as the export writes it."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else value


def report_on(folder, **settings):
    """Write the report of a bundle next to it, and return the path."""
    tables, facts = of_bundle(folder)
    path = folder.parent / "report.json"
    path.write_text(canonical(document(tables, facts, Options(**settings))), "utf-8")
    return path


def recomputed_in_r(folder, report):
    """Run recompute.R of a bundle on the files of a report; return its status and output."""
    out = report.parent / "files"
    (out / "tables").mkdir(parents=True, exist_ok=True)
    shutil.copy(report, out / "report.json")
    for table in json.loads(report.read_text("utf-8"))["tables"]:
        (out / "tables" / f"{table['name']}.csv").write_bytes(table_csv(table, raw=False))
    run = ["Rscript", "--vanilla", str(folder / "analysis" / "recompute.R"), str(out)]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def recomputed(folder, report, *more):
    """Run recompute.py of a bundle on a report; return its status and output."""
    run = [sys.executable, "-I", str(folder / "analysis" / "recompute.py"), str(report), *more]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr
