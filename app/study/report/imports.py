"""The jobs that check and import a long file: a list of people, explanations, scores, results."""

from collections.abc import Mapping
from typing import Any

from app.progress import Track
from app.store.db import Store
from app.store.design import studies as study_rows
from app.study import uploads
from app.study.design import studies
from app.study.design.library import Library
from app.study.design.studies import StudyView
from app.study.jobs import JobView, Work, clock
from app.study.models import results
from app.study.people import list_storing
from app.study.people.platform_list import chosen_in
from app.study.rating import judge_file, model_items, player_items
from app.study.uploads import CHECK, IMPORT, JUDGES, LIST, MODELS, UploadView

Given = Mapping[str, str]


def study_of(store: Store, study_id: int) -> StudyView:
    """Return a study. Raises NoStudyError if it was deleted meanwhile."""
    with store.read() as db:
        slug = study_rows.slug_of(db, study_id)
        if slug is None:
            raise studies.NoStudyError("This study was deleted meanwhile.")
        return studies.find(db, slug)


def upload_of(store: Store, job: JobView) -> UploadView:
    """Return a job's file. Raises NoUploadError."""
    with store.read() as db:
        return uploads.find(db, job.study_id, job.params["upload"])


def check(store: Store, job: JobView, track: Track) -> dict[str, Any]:
    """Check a file, and store with it what importing it would do: {}."""
    study, upload = study_of(store, job.study_id), upload_of(store, job)
    shown = checked(store, study, upload, job.params["given"], track)
    uploads.keep_preview(store, upload, shown)
    return {}


def checked(
    store: Store, study: StudyView, upload: UploadView, given: Given, track: Track
) -> dict[str, Any]:
    """Return what importing a file would do, for the page. Raises TableFileError."""
    if upload.kind == LIST:
        people = list_storing.check(store, study.id, upload.text, chosen_in(given), track)
        facts = list_storing.facts(people)
        return uploads.preview(facts, people.problems, people.notes, upload.note)
    player_items.take_in(store, study.id, clock())
    text, library = upload.text, Library()
    found: model_items.Found | judge_file.Found | results.Found
    with store.read() as db:
        if upload.kind == MODELS:
            found = model_items.check(db, study, library, text, clock(), track)
        elif upload.kind == JUDGES:
            found = judge_file.check(db, study.id, text, given.get("judge", ""), track)
        else:
            found = results.check(db, study, library, text, results.given_in(given), track)
    return uploads.preview(found.facts(), found.problems, found.warnings, upload.note)


def take_in(store: Store, job: JobView, track: Track) -> dict[str, Any]:
    """Import a file and delete it: {new, same}, of a list also {people, changed}."""
    study, upload = study_of(store, job.study_id), upload_of(store, job)
    done = stored(store, study, upload, job, track)
    uploads.drop(store, upload)
    return done


def stored(
    store: Store, study: StudyView, upload: UploadView, job: JobView, track: Track
) -> dict[str, Any]:
    """Import a file. Raises TableFileError."""
    text, given, library, now = upload.text, job.params["given"], Library(), clock()
    if upload.kind == LIST:
        found = list_storing.store_list(store, study.id, text, chosen_in(given), now, track)
        return list_storing.done(found)
    by, ticket = job.made_by, job.id
    if upload.kind == MODELS:
        return dict(model_items.store_all(store, study, library, text, by, ticket, now, track))
    if upload.kind == JUDGES:
        judge = given.get("judge", "")
        return dict(judge_file.store_all(store, study.id, text, judge, by, ticket, now, track))
    typed = results.given_in(given)
    return dict(results.store_all(store, study, library, text, typed, by, ticket, now, track))


WORKS: Mapping[str, Work] = {CHECK: check, IMPORT: take_in}
