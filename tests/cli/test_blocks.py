"""Every block of the documentation runs in a test, or says here why it does not."""

import ast
import re

import pytest

from tests import pages
from tests.pages import PAGES, ROOT, blocks, name_of

HERE = "tests/cli/test_docs_run.py"
DOCS = "tests/cli/test_docs.py"
DIFFERENCES = "tests/game/test_differences.py"
FIRST_STEPS = "tests/bare.sh follows it: `make bare-package`"  # tests/first_steps.py
PARSED = "parsed only: "
CHECKOUT = (
    f"{PARSED}they run tests themselves, for up to an hour. {HERE}::test_make_targets_and_"
    "selections_of_tests_exist asks make and pytest what they would do"
)
PROXIES = "tests/cli/test_proxies.py"
CONTAINERS = "tests/test_containers.py"
UNITS = "tests/bare.sh boots a Debian and follows it: `make units`"  # tests/units_steps.py
MCP = "tests/models/test_mcp.py"
API = "tests/models/test_api_examples.py"
SCRIPTED = f"{HERE}::test_blocks_about_models_run_against_a_scripted_endpoint"
TUTORIAL = f"{DOCS}::test_tutorial_runs_from_top_to_bottom"
SCRIPTS = f"{DOCS}::test_scripts_of_the_guides_make_tables_that_hjstudy_reads"
OTREE = (
    f"{DOCS}::test_two_task_study_of_the_guide_from_otree_gives_each_player_one_world_of_each_task"
)
GUIDES = "tests/web/rating/test_guides.py"
JATOS = f"{GUIDES}::test_results_of_several_people_that_jatos_wrote_become_items"
LABELS = f"{GUIDES}::test_snapshot_that_label_studio_wrote_becomes_items_scores_and_ratings"
POTATO = f"{GUIDES}::test_states_that_potato_wrote_become_ratings"
OTREE_ITEMS = f"{GUIDES}::test_wide_file_that_otree_wrote_becomes_items"
OURS, THEIRS = (
    f"{DIFFERENCES}::test_trace_is_what_the_{whose}_does" for whose in ("game", "package")
)
EXPLAINED = "tests/test_explained.py"
# page -> for each of its blocks, the tests or the script that run it; or `not run: ` or
# `parsed only: ` and the reason
RUN_BY = {
    "CONTRIBUTING.md": ["tests/bare.sh clones, then runs both: `make bare`"],
    "README.md": [FIRST_STEPS, "tests/bare.sh runs both: `make bare`"],
    "docs/api.md": [
        f"{HERE}::test_keys_of_the_api_are_made_listed_and_revoked",
        f"{API}::test_curl_example_shows_a_command_played_once_and_a_problem",
        f"{API}::test_python_example_plays_a_whole_run",
        f"{HERE}::test_problem_of_the_api_page_has_the_fields_of_a_real_one",
        f"{MCP}::test_command_of_the_page_serves_the_tools_on_standard_input_and_output",
    ],
    "docs/architecture.md": [f"{HERE}::test_layers_of_the_architecture_page_are_those_enforced"],
    "docs/differences.md": [OURS, *[OURS, THEIRS] * 15],
    "docs/example.md": [
        "tests/cli/test_example.py::test_example_is_a_folder_of_pages_that_need_no_server"
    ],
    "docs/exports.md": [
        f"{HERE}::test_bundle_has_the_files_that_the_page_lists",
        f"{HERE}::test_calls_that_read_a_table_change_no_cell",
        f"{HERE}::test_calls_that_read_a_table_change_no_cell",
    ],
    "docs/from-jspsych.md": [JATOS],
    "docs/from-label-studio.md": [SCRIPTS, LABELS, POTATO],
    "docs/from-otree.md": [*[OTREE] * 14, OTREE_ITEMS],
    "docs/from-qualtrics.md": [SCRIPTS],
    "docs/metrics.md": [f"{EXPLAINED}::test_example_of_the_metrics_is_what_the_code_computes"] * 3,
    "docs/models.md": [
        SCRIPTED,
        "tests/agents/test_docs.py::test_solver_of_the_docs_plays_an_episode_as_our_runs_do",
    ],
    "docs/operations.md": [
        f"{PROXIES}::test_people_behind_caddy_enter_and_log_in_each_by_their_own_address",
        f"{PROXIES}::test_people_behind_nginx_enter_and_log_in_each_by_their_own_address",
        *[UNITS] * 3,
        f"{CONTAINERS}::test_commands_in_containers_name_services_and_commands_that_exist",
        f"{HERE}::test_backup_is_made_and_restored_as_the_page_says",
        f"{CONTAINERS}::test_database_that_the_page_renames_and_makes_takes_the_backup",
        f"{HERE}::test_manifest_is_made_and_checked_as_the_page_says",
    ],
    "docs/reports.md": [f"{HERE}::test_report_is_made_and_recomputed_as_the_page_says"] * 2,
    "docs/rules.md": [f"{EXPLAINED}::test_example_of_a_rule_is_what_the_game_uses"] * 8,
    "docs/study-file.md": [f"{HERE}::test_study_files_of_the_page_make_studies"] * 3,
    "docs/task-file.md": [f"{HERE}::test_task_of_the_page_is_certified_and_played"] * 2,
    "docs/testing.md": [CHECKOUT, CHECKOUT],
    "docs/tutorial.md": [FIRST_STEPS, *[TUTORIAL] * 8, FIRST_STEPS],
}
FILE_OF_TESTS = re.compile(r"(tests/\S+\.py)::(\w+)$")
SCRIPT = re.compile(r"(tests/\w+\.sh) ")
REASON = "not run: "


def problem_with(entry):
    """Return what is wrong with an entry of the table; None if nothing."""
    if found := FILE_OF_TESTS.match(entry):
        path, name = ROOT / found[1], found[2]
        tree = ast.parse(path.read_text("utf-8")) if path.is_file() else ast.Module([], [])
        defined = {one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)}
        return None if name in defined else f"no test {entry}"
    if found := SCRIPT.match(entry):
        return None if (ROOT / found[1]).is_file() else f"no file {found[1]}"
    given = [entry.removeprefix(kind) for kind in (REASON, PARSED) if entry.startswith(kind)]
    return None if given and len(given[0].split()) > 2 else f"neither a test nor a reason: {entry}"


def test_every_block_runs_or_says_why_not():
    counted = {name_of(page): len(blocks(page)) for page in PAGES}
    listed = {name: len(entries) for name, entries in RUN_BY.items()}
    assert {name: n for name, n in counted.items() if n} == listed
    problems = [problem_with(one) for entries in RUN_BY.values() for one in entries]
    assert [one for one in problems if one] == []


@pytest.mark.parametrize("entry", [f"{HERE}::test_nothing", "tests/no.sh runs it", "later", PARSED])
def test_block_whose_test_is_gone_is_found(entry):
    assert problem_with(entry) is not None


def test_no_block_is_left_to_readers():
    """A block that nothing can run needs a reason in the table, and a number here."""
    apart = [one for entries in RUN_BY.values() for one in entries if one.startswith(REASON)]
    assert len(apart) == 0
    read = {name for name, all_of in RUN_BY.items() for one in all_of if one.startswith(PARSED)}
    assert read == {"docs/testing.md"}


def leaves(command=None, name=()):
    """Yield the words of every command."""
    command = command or pages.root()
    if not hasattr(command, "commands"):
        yield name
        return
    for key, one in command.commands.items():
        yield from leaves(one, (*name, key))


def run_in_blocks():
    """Yield the words of the commands in blocks that run."""
    for page in PAGES:
        for block, entry in zip(blocks(page), RUN_BY.get(name_of(page), ()), strict=False):
            if block.language in {"sh", "bash"} and not entry.startswith((REASON, PARSED)):
                yield from filter(None, map(pages.words_of, map(without_settings, block.lines())))


def without_settings(line):
    """Return a line without the variables that it sets for its command."""
    return re.sub(r"^(\w+=\S+ )+", "", line)


def test_every_command_is_run_by_a_test():
    """As words in a call of a test, such as `"study", "list"`, or in a block that runs."""
    tests = "".join(path.read_text("utf-8") for path in sorted((ROOT / "tests").rglob("*.py")))
    in_blocks = [tuple(words) for words in run_in_blocks()]
    missing = [
        " ".join(name)
        for name in leaves()
        if not re.search(r",\s*".join(f'"{word}"' for word in name), tests)
        and not any(words[: len(name)] == name for words in in_blocks)
    ]
    assert missing == []
