"""No download that opens in a spreadsheet has a cell that is run as a formula."""

import csv
import io
import json
import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa
from starlette.routing import Route
from typer.main import get_command

import app as package
from app import cli
from app.store.people.accounts import account
from app.store.rating.items import item
from app.store.rating.judges import judge_run
from app.study import jobs
from app.study.csv_text import csv_of
from app.study.design import studies
from app.study.people import audit as audit_log
from app.study.rating import player_items
from app.study.report.work import BUNDLE, works
from app.web import audit
from app.web.routes import STAFF
from tests.rated import store_round
from tests.study.story import NOON, Story
from tests.walker import PageReader
from tests.web.export.test_jobs import FLAGS

FORMULA = "=1+1"
RUNS = re.compile(r"[=+\-@\t\r]")
NUMBER = re.compile(r"-?[0-9.]+(e-?[0-9]+)?")
OWN = "/admin/studies/story"
BUNDLES = (f"{OWN}/bundle.zip?format=excel", f"{OWN}/bundle.zip?format=csv")
RATED = "/admin/studies/demo/rating/rounds/1"
ROUTES = {  # every route with a CSV file, alone or in a ZIP file
    f"/admin/studies/{{slug}}/{rest}"
    for rest in (
        "download/{table}/{flavour}",
        "bundle.zip",
        "recruit/{name}.csv",
        "signs.csv",
        "audit.csv",
        "rating/items.csv",
        "rating/rounds/{number}/agreement/{name}",
        "report/report.zip",
        "report/{folder}/{name}.{suffix}",
    )
}
AS_STORED = re.compile(r"[?&]raw=1|/download/\w+/csv$|[?]format=csv$")  # by choice
BY_FORM = {"recruit/links": {"count": "2"}, "recruit/links/given": {"ids": FORMULA}}
WRITE_CSV = {"export": "--format", "payments": "--raw", "report": "--raw", "study link": "--raw"}
WRITE_OTHER = {"manifest", "variant export"}  # JSON
MAKE_CSV = {"study/csv_text.py", "study/export/encode.py", "parity/report.py"}  # last: a program


def story_of(server):
    """Whatever someone else can name is a formula: IDs, texts, items, judges, annotators."""
    story = Story(server.store, people={"groups": ["left"]})
    who = {"platform": "link", "external_id": FORMULA, "external_session": FORMULA}
    token = story.enter(**who)
    story.type(token, 0, 0, FORMULA, *story.solution(token, 0, 0))
    story.explain(token, 0, 0, inputs=FORMULA, how=FORMULA)
    player_items.take_in(server.store, story.person(token).study_id, story.now())
    with server.store.write() as db:
        store_round(db, studies.find(db, "demo").id, size=90, per_level=5)
        named = ((judge_run, "judge"), (item, "external_id"))
        for table, column in named:
            db.execute(sa.update(table).values({column: FORMULA + table.c[column]}))
        raters = account.c.role == "annotator"
        db.execute(sa.update(account).where(raters).values(name=FORMULA + account.c.name))
    return story


def files_of(address, answer):
    """Return the CSV files in an answer: {name: text}."""
    kind = answer.headers.get("content-type", "")
    if kind.startswith("text/csv"):
        return {address: answer.content.decode("utf-8-sig")}
    if kind == "application/zip":
        archive = zipfile.ZipFile(io.BytesIO(answer.content))
        names = [name for name in archive.namelist() if name.endswith(".csv")]
        return {f"{address} {name}": archive.read(name).decode("utf-8-sig") for name in names}
    return {}


def visit(client, *starts):
    """Yield (address, answer) of every page and file that the pages of a study lead to."""
    waiting, seen = [*starts], {*starts}
    while waiting:
        address = waiting.pop()
        answer = client.get(address)
        assert answer.status_code == 200, address
        yield address, answer
        if answer.headers.get("content-type", "").startswith("text/html"):
            links = {one.partition("#")[0] for one in PageReader(answer.text).links}
            new = {one for one in links if one.startswith((OWN, RATED)) and not skipped(one)} - seen
            seen |= new
            waiting += sorted(new)


def skipped(address):
    return re.search(r"/(try|cell|design|jobs|adjudicate)\b|figures/|zip.*raw", address)


def risky(text):
    """Return the cells that a spreadsheet would run."""
    cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
    return [one for one in cells if RUNS.match(one) and not NUMBER.fullmatch(one)]


def route_of(address):
    path = address.partition("?")[0]
    routes = [one for router in STAFF for one in router.routes if isinstance(one, Route)]
    gets = (one for one in routes if "GET" in (one.methods or ()))
    return next(one.path for one in gets if one.path_regex.match(path))


@pytest.mark.long
def test_no_file_that_a_study_leads_to_runs_in_a_spreadsheet(server, researcher):
    story_of(server)
    routes, stored = set(), set()
    for address, answer in visit(researcher.client, OWN, RATED, *BUNDLES):
        files = files_of(address, answer)
        routes |= {route_of(address)} if files else set()
        found = {name: risky(text) for name, text in files.items()}
        if AS_STORED.search(address):
            stored |= {route_of(address) for cells in found.values() if cells}
        else:
            assert {name: cells for name, cells in found.items() if cells} == {}
    assert routes - ROUTES == set(), "these download CSV files: add them to ROUTES"
    assert ROUTES - routes == set(), "no page links to these"
    assert len(stored) >= 5  # the files would have formulas


def test_every_route_with_a_csv_file_is_recorded_as_a_download():
    missing = sorted(ROUTES - audit.DOWNLOADS)
    assert missing == [], "add them to DOWNLOADS in app/web/audit.py"


def test_links_do_not_run_in_a_spreadsheet_unless_asked_for(server, researcher):
    story_of(server)
    for path, fields in BY_FORM.items():
        answer = researcher.client.post(f"{OWN}/{path}", data=fields)
        assert answer.headers["content-type"].startswith("text/csv")
        assert risky(answer.text) == []
    answer = researcher.client.post(f"{OWN}/{path}", data={**fields, "raw": "1"})
    assert risky(answer.text) == [FORMULA]


def test_bundle_that_nobody_chose_a_format_for_does_not_run(server, researcher):
    story_of(server)
    page = researcher.get(f"{OWN}/exports").answer.text
    assert re.findall(r'name="format"\s+value="(\w+)" checked', page) == ["excel"]
    with server.store.read() as db:
        study_id = studies.find(db, "story").id
    for flavour in ("excel", "csv"):
        params, now = {**FLAGS, "flavour": flavour}, datetime.now(UTC)
        job = jobs.add(server.store, study_id, BUNDLE, params, "ada", now)
        with server.store.read() as db:
            view = jobs.find(db, study_id, job, now)
        made = works(server.runner.folder)[BUNDLE](server.store, view, lambda things, *_: things)
        jobs.end(server.store, job, "done", result=json.dumps(made))
        files = files_of("job", researcher.client.get(f"{OWN}/jobs/{job}/file"))
        assert any(FORMULA in text for text in files.values())
        assert any(map(risky, files.values())) == (flavour == "csv"), flavour


def test_audit_files_do_not_run_in_a_spreadsheet_unless_asked_for(server, researcher):
    story_of(server)
    audit_log.record(server.store, audit_log.Action(1, FORMULA, "GET /admin/x", "story"), NOON)
    for path in ("/admin/audit.csv", f"{OWN}/audit.csv"):
        assert risky(researcher.client.get(path).text) == []
        assert FORMULA in risky(researcher.client.get(f"{path}?raw=1").text)


def commands(group, name=""):
    for one, command in getattr(group, "commands", {}).items():
        own = f"{name} {one}".strip()
        yield own, command
        yield from commands(command, own)


def test_every_command_that_writes_a_table_can_leave_texts_as_stored():
    options = {
        name: {flag for one in command.params for flag in one.opts}
        for name, command in commands(get_command(cli.app))
    }
    assert {name for name, flags in options.items() if "--out" in flags} == {
        *WRITE_CSV,
        *WRITE_OTHER,
    }
    assert all(flag in options[name] for name, flag in WRITE_CSV.items())


def test_only_one_place_makes_such_files():
    root = Path(package.__file__).parent
    found = {
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        if re.search(r"csv\.(writer|DictWriter)", path.read_text("utf-8"))
    }
    assert found <= MAKE_CSV
    assert "study/csv_text.py" in found


def test_text_that_a_spreadsheet_may_split_cannot_run_either():
    text = csv_of([["a;=1", "b\n@x", "\uff1d1", "3 - 2; 1", -0.5, "x\t+1"]])
    (row,) = csv.reader(io.StringIO(text, newline=""))
    assert row == ["a;'=1", "b\n'@x", "'\uff1d1", "3 - 2; 1", "-0.5", "x\t'+1"]
