"""The kinds of work that run as jobs: a report, a bundle, a verification, a file's import."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.progress import Track
from app.store.db import Store
from app.store.design import studies as study_rows
from app.study import id_key, jobs
from app.study.agreement import data
from app.study.agreement.cache import AGREEMENT, key_of
from app.study.agreement.document import build
from app.study.agreement.parity import archive
from app.study.design import publishing, studies
from app.study.export import coarse, files, verify
from app.study.export.deidentify import DEIDENTIFY
from app.study.jobs import CancelledError, JobView, Work, archive_path, clock
from app.study.people import removal
from app.study.report import imports, whatif
from app.study.report.document import document, fingerprint
from app.study.report.live import HiddenError
from app.study.report.options import Options
from app.study.report.tables import of_study

REPORT, BUNDLE, VERIFY, PLAN = "report", "bundle", "verify", "plan"


def slug_of(store: Store, study_id: int) -> str:
    """Return a study's slug. Raises NoStudyError if it was deleted meanwhile."""
    with store.read() as db:
        found = study_rows.slug_of(db, study_id)
    if found is None:
        raise studies.NoStudyError("This study was deleted meanwhile.")
    return found


def report(store: Store, job: JobView, track: Track) -> dict[str, Any]:
    """Make a report: {sha, document}."""
    slug = slug_of(store, job.study_id)
    with store.read() as db:
        study = studies.find(db, slug)
        if studies.hides_outcomes(study.spec, study.state):
            raise HiddenError
        for _ in track(range(1), "Reading the data", 1):
            tables, facts = of_study(db, study)
    made = document(tables, facts, Options(**job.params["options"]), track)
    return {"sha": fingerprint(made), "document": made}


def bundle(folder: Path) -> Work:
    """Return the work that writes a bundle into a folder: {name, bytes, rows}."""

    def write(store: Store, job: JobView, track: Track) -> dict[str, Any]:
        slug, asked = slug_of(store, job.study_id), job.params
        rows = removal.count(store, slug)
        folder.mkdir(parents=True, exist_ok=True)
        out = folder / f"{job.id}.zip"
        manifest = files.export(store, slug, out, clock(), track=track, **asked)
        if not jobs.is_alive(store, job.id):
            out.unlink(missing_ok=True)
            raise CancelledError
        if not asked["shareable"]:
            removal.record_export(store, slug, rows, by=job.made_by, now=clock())
        suffix = "_shareable" if asked["shareable"] else ""
        return {
            "name": f"study-{slug}_{job.made_at:%Y%m%d}{suffix}.zip",
            "bytes": out.stat().st_size,
            "rows": sum(int(one["rows"]) for one in manifest["files"]),
        }

    return write


def agreement(folder: Path) -> Work:
    """Return the work that makes a round's agreement report and its archives: {report, data}."""

    def make(store: Store, job: JobView, track: Track) -> dict[str, Any]:
        slug = slug_of(store, job.study_id)
        with store.read() as db:
            facts = data.load(db, studies.find(db, slug), job.params["round"])
        dimension = job.params["dimension"]
        for _ in track(range(1), "Computing agreement and its intervals", 1):
            made = build(facts, dimension)
        folder.mkdir(parents=True, exist_ok=True)
        paths = {raw: archive_path(folder, job.id, raw=raw) for raw in (False, True)}
        for raw, path in track(paths.items(), "Writing the archives", len(paths)):
            path.write_bytes(archive(facts, made, raw=raw))
        if not jobs.is_alive(store, job.id):
            for path in paths.values():
                path.unlink(missing_ok=True)
            raise CancelledError
        return {"report": made, "data": key_of(facts, dimension)}

    return make


def deidentify(store: Store, job: JobView, track: Track) -> dict[str, Any]:
    """Make the de-identification report of a shareable bundle: {found, data}."""
    slug, asked = slug_of(store, job.study_id), job.params
    coarser = coarse.read(asked["times"], asked["coarsen"], shuffled=asked["shuffle"])
    with store.read() as db:
        study = studies.find(db, slug)
        rows = removal.data_of(db, study.id)
        for _ in track(range(1), "Reading what would be shared", 1):
            found = files.preview(db, study, id_key.read(store), coarser)
    return {"found": found, "data": removal.mark(rows)}


def check(store: Store, job: JobView, track: Track) -> dict[str, Any]:
    """Verify a study's log in this one process: the report of `hjstudy verify`."""
    slug = slug_of(store, job.study_id)
    return verify.verify(store, slug, jobs=1, track=track).to_dict()


def plan(store: Store, job: JobView, track: Track) -> dict[str, Any]:
    """Simulate a study's design: the document of `whatif.plan`."""
    slug = slug_of(store, job.study_id)
    with store.read() as db:
        return whatif.plan(db, publishing.planned(db, slug), job.params, track)


def works(folder: Path) -> Mapping[str, Work]:
    """Return every kind of work. `folder`: where files go."""
    own = {REPORT: report, BUNDLE: bundle(folder), VERIFY: check, PLAN: plan}
    return {**own, AGREEMENT: agreement(folder), DEIDENTIFY: deidentify, **imports.WORKS}
