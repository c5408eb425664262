"""The container files, as far as a linter, schemas and facts can check them without an engine."""

import json
import os
import re
import shlex
import subprocess
import sys
from ipaddress import ip_network
from pathlib import Path

import psycopg
import pyrage
import pytest
import yaml
from typer.testing import CliRunner

from app.cli import app as cli
from app.cli.server import GRACE
from app.settings import FOR_COMPOSE, Settings, names_in
from app.store import migrate
from tests import databases, pages
from tests.conftest import new_name

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = Path(sys.executable).parent
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COPIED = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())


def run(program, *arguments):
    done = subprocess.run(
        [PROGRAMS / program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_every_server_in_the_compose_file_trusts_the_proxy_beside_it(compose):
    """Otherwise all visitors would have the proxy's address, and the scheme would be http."""
    ours = [one for one in compose["services"].values() if one.get("image") == "hjstudy"]
    assert len(ours) >= 3
    for one in ours:
        own = Settings(trusted_proxies=one["environment"]["HJSTUDY_TRUSTED_PROXIES"])
        trusted = names_in(own.trusted_proxies)
        assert {str(ip_network(name)) for name in trusted} == {"172.16.0.0/12", "192.168.0.0/16"}


def test_linter_finds_nothing_in_the_dockerfile():
    assert run("hadolint", "Dockerfile") == (0, "")


def test_linter_sees_a_mistake(tmp_path):
    (tmp_path / "Dockerfile").write_text(DOCKERFILE.replace("USER 10001", "USER root"))
    assert run("hadolint", str(tmp_path / "Dockerfile"))[0] == 1


def test_compose_file_fits_the_compose_specification():
    code, output = run(
        "check-jsonschema", "--builtin-schema", "vendor.compose-spec", "docker-compose.yml"
    )
    assert code == 0, output


def test_compose_file_with_a_misspelt_key_does_not_fit(tmp_path):
    wrong = (ROOT / "docker-compose.yml").read_text().replace("depends_on:", "depend_on:")
    (tmp_path / "wrong.yml").write_text(wrong)
    code, _ = run(
        "check-jsonschema",
        "--builtin-schema",
        "vendor.compose-spec",
        str(tmp_path / "wrong.yml"),
    )
    assert code == 1


def test_everything_the_dockerfile_copies_is_there_and_nothing_the_app_needs_is_forgotten():
    sources = {name for line in COPIED for name in line.split()}
    assert all((ROOT / name).exists() for name in sources)
    assert {"app", "templates", "static", "migrations", "requirements/run.txt"} <= sources


def test_image_runs_as_an_ordinary_user_from_pinned_bases():
    assert re.findall(r"^USER (\d+)$", DOCKERFILE, re.MULTILINE) == ["10001"]
    bases = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert len(set(bases)) == 1
    assert re.fullmatch(r"python:3\.\d+-slim-\w+", bases[0])


def test_image_says_itself_whether_it_answers():
    """Without this, nothing waits for a server that is still starting."""
    [line] = re.findall(r"^HEALTHCHECK .*?\n(?=[A-Z])", DOCKERFILE, re.MULTILINE | re.DOTALL)
    program = json.loads(line.partition("CMD ")[2].replace("\\\n", ""))
    assert "http://127.0.0.1:8000/healthz" in program[-1]
    compile(program[-1], "HEALTHCHECK", "exec")


def test_containers_of_the_app_cannot_change_their_own_files(compose):
    ours = [name for name, one in compose["services"].items() if one.get("image") == "hjstudy"]
    assert len(ours) >= 3
    for name in ours:
        assert compose["services"][name]["read_only"] is True, name
        assert compose["services"][name]["tmpfs"] == ["/tmp"], name  # noqa: S108


def test_image_is_made_with_the_tools_of_the_makefile():
    tools = "--require-hashes -r requirements/tools.txt"
    assert tools in DOCKERFILE
    assert tools in (ROOT / "Makefile").read_text()


def test_image_installs_nothing_whose_hash_is_not_pinned():
    joined = re.sub(r"\\\n *", " ", DOCKERFILE)
    installing = re.findall(r"pip install (.*?)(?= && |\n)", joined)
    assert len(installing) == 4
    packages = [one for one in installing if not one.endswith(" -e .")]
    assert len(packages) == 3
    assert [one for one in packages if "--require-hashes -r requirements/" not in one] == []
    assert [one for one in packages if "==" in one] == []


def test_data_and_secrets_stay_out_of_the_image():
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".git", ".venv", "var", "secrets"} <= {name.strip("/") for name in ignored}


def test_app_starts_only_after_one_migration_on_a_healthy_database(compose):
    app, migrate = compose["services"]["app"], compose["services"]["migrate"]
    assert app["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
    assert migrate["depends_on"]["db"]["condition"] == "service_healthy"
    assert (migrate["command"], migrate["restart"]) == (["migrate"], "no")
    assert compose["services"]["db"]["healthcheck"]["test"][:2] == ["CMD", "pg_isready"]


def test_clocks_and_deletion_dates_are_kept_by_a_container_of_their_own(compose):
    sweep = compose["services"]["sweep"]
    assert sweep["command"] == ["sweep", "--every", "5"]
    assert (sweep["image"], sweep["restart"]) == ("hjstudy", "unless-stopped")
    assert sweep["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
    assert sweep["healthcheck"] == {"disable": True}  # the image's asks a server


def test_backups_are_made_by_a_container_of_their_own(compose, tmp_path, monkeypatch):
    backup = compose["services"]["backup"]
    command = backup["command"]
    assert (backup["image"], backup["restart"]) == ("hjstudy", "unless-stopped")
    assert backup["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
    assert f"backups:{command[command.index('--to') + 1]}" in backup["volumes"]
    assert command[-2] == "--encrypt-to"
    assert re.fullmatch(r"\$\{HJSTUDY_BACKUP_KEY:\?.+\}", command[-1])
    at = command.index("--every")
    once = [
        *command[:at],
        *command[at + 2 : -1],
        str(pyrage.x25519.Identity.generate().to_public()),
    ]
    once[once.index("--to") + 1] = str(tmp_path / "backups")
    monkeypatch.setenv("HJSTUDY_DATABASE_URL", f"sqlite:///{tmp_path / 'hjstudy.db'}")
    migrate.upgrade(f"sqlite:///{tmp_path / 'hjstudy.db'}")
    assert CliRunner().invoke(cli, once).exit_code == 0
    assert [one.suffix for one in sorted((tmp_path / "backups").iterdir())] == [".age", ".sha256"]


def test_backups_use_a_client_that_is_not_older_than_the_server(compose):
    (client,) = re.findall(r"postgresql-client-(\d+)=\1", DOCKERFILE)
    (server,) = re.findall(r"postgres:(\d+)", compose["services"]["db"]["image"])
    assert int(client) >= int(server)


def test_only_the_proxy_is_reached_from_outside_and_the_rest_can_be_many(compose):
    published = {name for name, one in compose["services"].items() if "ports" in one}
    assert published == {"proxy"}
    assert compose["services"]["app"]["deploy"]["replicas"] == "${HJSTUDY_REPLICAS:-2}"
    command = compose["services"]["proxy"]["command"]
    assert command[command.index("--to") + 1] == "app:8000"
    assert "--from" in command  # a name, not a port: the proxy gets a certificate for it


def test_rows_and_certificates_outlive_the_containers(compose):
    mounts = [text for one in compose["services"].values() for text in one.get("volumes", [])]
    used = {text.partition(":")[0] for text in mounts}
    assert used == set(compose["volumes"])
    assert compose["services"]["db"]["volumes"] == ["postgres:/var/lib/postgresql/data"]


def test_variables_of_the_compose_file_are_not_mistaken_for_settings(compose):
    used = set(re.findall(r"\$\{(HJSTUDY_\w+)", str(compose)))
    assert used == FOR_COMPOSE
    given = [one.get("environment", {}) for one in compose["services"].values()]
    assert not FOR_COMPOSE & {name for one in given for name in one}


def test_compose_file_contains_no_secret(compose):
    given = [one.get("environment", {}) for one in compose["services"].values()]
    names = {name for one in given for name in one}
    assert {"HJSTUDY_DATABASE_URL_FILE", "POSTGRES_PASSWORD_FILE"} <= names
    assert not {"HJSTUDY_DATABASE_URL", "POSTGRES_PASSWORD"} & names


def test_stopping_leaves_requests_the_time_that_the_server_gives_them(compose):
    """An engine kills what has not ended in time: by default 10 s, which the server may need."""
    ours = [one for one in compose["services"].values() if one.get("image") == "hjstudy"]
    assert {int(one["stop_grace_period"].removesuffix("s")) > GRACE for one in ours} == {True}


def docker_lines():
    """Return the commands of the operations page for containers, as words."""
    found = pages.blocks(ROOT / "docs" / "operations.md")
    lines = [line for block in found for line in block.lines() if line.startswith("docker ")]
    return [shlex.split(line) for line in lines]


def test_commands_in_containers_name_services_and_commands_that_exist(compose):
    programs = 0
    for line in docker_lines():
        verb, *rest = line[2:]
        named = [word for word in rest if word in compose["services"]]
        assert named or verb == "up", line
        after = rest[rest.index(named[0]) + 1 :] if named else []
        if verb in {"run", "exec"} and named[0] != "db":
            own = after if verb == "run" else after[1:]  # the image's entry point is the command
            command, left = pages.command_of(own)
            command.make_context("hjstudy", left)
            programs += 1
    assert programs > 2


def test_restoring_in_containers_starts_no_migration_and_can_read_the_key(compose):
    """A migration would fill the empty database, and restoring overwrites nothing."""
    (line,) = [one for one in docker_lines() if "restore" in one]
    service = next(word for word in line if word in compose["services"])
    assert "migrate" in compose["services"][service]["depends_on"]
    assert "--no-deps" in line
    assert line[line.index("--user") + 1] == "root"  # age-keygen's file is its owner's alone


@pytest.mark.postgres
def test_database_that_the_page_renames_and_makes_takes_the_backup(tmp_path, monkeypatch):
    programs = databases.installed_programs()  # pg_dump must not be older than the server
    monkeypatch.setenv("PATH", os.pathsep.join([str(programs or ""), os.environ["PATH"]]))
    name = new_name()
    url = databases.create_database(name)
    try:
        migrate.upgrade(url)
        monkeypatch.setenv("HJSTUDY_DATABASE_URL", url)
        assert CliRunner().invoke(cli, ["backup", "--to", str(tmp_path)]).exit_code == 0
        (made,) = tmp_path.glob("*.dump")
        restore = ["restore", str(made)]
        assert CliRunner().invoke(cli, restore).exit_code == 1  # the database has tables
        (line,) = [one for one in docker_lines() if "psql" in one]
        with psycopg.connect(url, dbname="postgres", autocommit=True) as db:
            for at in (at for at, word in enumerate(line) if word == "--command"):
                own = line[at + 1].replace("replaced", f"{name}_old")
                db.execute(re.sub("DATABASE hjstudy", f"DATABASE {name}", own))
        assert CliRunner().invoke(cli, restore).exit_code == 0
        assert migrate.is_current(url)
    finally:
        databases.drop_database(name)
        databases.drop_database(f"{name}_old")
