"""What the documentation shows works: links lead somewhere, commands exist, blocks run."""

import ast
import csv
import json
import re
import runpy
import tomllib
from collections import Counter

import httpx
import pytest
import yaml

from app.study.rating import rubric
from tests import pages
from tests.pages import PAGES, ROOT, blocks, name_of

# programs of others that blocks name, besides hjstudy and make
OTHERS = {
    *("adduser", "cd", "chown", "cp", "docker", "export", "git", "mkdir", "python3", "source"),
    *("sudo", "systemctl"),
    *(".venv/bin/pytest", ".venv/bin/uv", "Rscript", "pip"),
}
CHECKS = {
    "json": json.loads,
    "yaml": yaml.safe_load,
    "python": ast.parse,
    "toml": tomllib.loads,
    "text": str,  # traces (tests/game/test_differences.py), layouts and a Caddyfile
    "nginx": str,
    "ini": str,
    "r": str,  # run where R is installed (tests/study/export)
}
RUN_ELSEWHERE = {"docs/api.md"}  # tests/models/test_api_examples.py runs all of it
SHELL = ("sh", "bash")
GONE = {404, 410}  # others may only refuse programs
BY_HAND = ("install", "serve", "example")  # notes of blocks that tests of their own run
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
PLACEHOLDER = re.compile(r"^\[|\]$|\\\|.*")


def all_blocks(*languages):
    return [
        (page, block) for page in PAGES for block in blocks(page) if block.language in languages
    ]


def test_links_lead_to_files_and_headings():
    broken = {name_of(page): pages.broken_links(page) for page in PAGES}
    assert {name: links for name, links in broken.items() if links} == {}
    assert sum(len(pages.LINK.findall(page.read_text())) for page in PAGES) > 150


def test_docs_name_the_versions_of_the_guidelines():
    text = (ROOT / "docs/rating.md").read_text()
    found = re.search(r"newest version \(`(.+?)`\)[^`]+\(`(.+?)`\)", text)
    assert found.groups() == (rubric.DEFAULT_VERSION, rubric.CRITERIA_VERSION)


def test_link_to_nowhere_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# One two\n[a](#one-two) [b](#two) [c](none.md) [d](page.md#one-two)\n")
    assert pages.broken_links(page) == ["#two", "none.md"]
    page.write_text("[a](https://a.org/b#c) [b](http://a.org) [c](https://a) [d](htps://a.org)")
    assert pages.broken_links(page) == ["http://a.org", "https://a", "htps://a.org"]


@pytest.mark.timeout(300)
@pytest.mark.long
def test_addresses_elsewhere_answer():
    """Skipped, with their names, where some cannot be reached: that says nothing about them."""
    found = {link: status_of(link) for link in pages.external_links()}
    assert len(found) > 3
    assert {link: status for link, status in found.items() if status in GONE} == {}
    if unknown_yet := [link for link, status in found.items() if not status]:
        pytest.skip(f"no network to these links: {', '.join(unknown_yet)}")


def status_of(link):
    """Return how a server answers (0 = none does)."""
    try:
        return httpx.get(link, timeout=20, follow_redirects=True).status_code
    except httpx.HTTPError:
        return 0


def test_every_page_of_the_docs_has_its_place_in_the_site():
    nav = (ROOT / "mkdocs.yml").read_text().partition("nav:")[2]
    listed = set(re.findall(r": (\S+\.md)$", nav, re.MULTILINE))
    missing = {path.name for path in (ROOT / "docs").glob("*.md")} - listed
    assert missing == set()


def test_every_block_is_of_a_kind_that_is_checked():
    known = {*SHELL, *CHECKS}
    kinds = {block.language for page in PAGES for block in blocks(page)}
    assert kinds - known == set()
    for _, block in all_blocks(*CHECKS):
        CHECKS[block.language](block.text)


def test_every_command_of_a_block_parses():
    checked = 0
    for page, block in all_blocks(*SHELL):
        for line in [] if name_of(page) in RUN_ELSEWHERE else block.lines():
            checked += 1
            problem = wrong_with(line)
            assert problem is None, f"{name_of(page)}: {line}: {problem}"
    assert checked > 30


def wrong_with(line):
    """Return why a line of a shell block cannot work; None if it can."""
    words = pages.words_of(line)
    if words is None:
        program, *rest = line.split()
        if program == "make":
            wanted = {word for word in rest if re.fullmatch("[a-z-]+", word)}
            return None if wanted <= TARGETS else f"no target {wanted - TARGETS}"
        return None if program in OTHERS else "an unknown program"
    try:
        command, left = pages.command_of(words)
        command.make_context("hjstudy", left)
    except Exception as error:  # noqa: BLE001 - any error is a mistake of the page
        return repr(error)
    return None


@pytest.mark.parametrize(
    "line",
    ["hjstudy nope", "hjstudy serve --nope 1", "hjstudy export --study s", "make nope", "nope"],
)
def test_command_that_cannot_work_is_found(line):
    assert wrong_with(line) is not None


@pytest.mark.long
def test_commands_in_sentences_and_tables_exist_with_their_options():
    wrong, checked = [], 0
    for page in PAGES:
        for span in pages.SPAN.findall(pages.prose(page)):
            if span.split()[0] not in pages.OURS or span.split()[1:] in ([], ["COMMAND", "--help"]):
                continue
            words = [PLACEHOLDER.sub("", word) for word in span.split()[1:]]
            if not words[0] or words[0].startswith("-"):
                continue
            checked += 1
            wrong += [f"{name_of(page)}: {span}: {word}" for word in unknown(words)]
    assert wrong == []
    assert checked > 100


def unknown(words):
    """Return the parts that are no command, or no option of it."""
    try:
        command, left = pages.command_of(words)
    except (KeyError, IndexError):
        return [] if len(words) == 1 and pages.is_group(words[0]) else [" ".join(words)]
    known = {name for one in command.params for name in [*one.opts, *one.secondary_opts]}
    options = {word.strip(",") for word in left if re.match("--?[a-z]", word)}
    return sorted(options - known - {"--help"})


def follow(page, hjstudy, folder):
    """Do what a page says, in order; returns what its commands printed."""
    outputs = []
    for block in blocks(ROOT / "docs" / page):
        if block.title:
            (folder / block.title).write_text(block.text, encoding="utf-8")
        if block.language == "python":
            runpy.run_path(str(folder / block.title))
        if block.language not in SHELL or block.note in BY_HAND:
            continue
        for line in block.lines():
            code, out, err = hjstudy(*pages.words_of(line))
            assert code == 0, f"{line}\n{out}{err}"
            outputs.append(out)
    return "".join(outputs)


@pytest.mark.timeout(400)  # bots play, figures are drawn
@pytest.mark.long
def test_tutorial_runs_from_top_to_bottom(hjstudy, tmp_path):
    output = follow("tutorial.md", hjstudy, tmp_path)
    assert "4 of 4 players finished" in output
    assert "0 errors, 0 mismatches" in output
    assert "oracle       success_rate 1.000" in output
    assert (tmp_path / "pilot-report" / "figures" / "success_efficiency.pdf").is_file()
    assert (tmp_path / "pilot-data" / "manifest.json").is_file()


@pytest.mark.timeout(400)
def test_two_task_study_of_the_guide_from_otree_gives_each_player_one_world_of_each_task(
    hjstudy, tmp_path
):
    wide = "participant.code,rules.1.player.explanation\nabc,Size.\n"
    (tmp_path / "all_apps_wide.csv").write_text(wide)
    output = follow("from-otree.md", hjstudy, tmp_path)
    assert "2 people with lexicon nonce\n" in output
    assert (tmp_path / "items.csv").read_text().splitlines()[1:] == ["abc,otree,Size.,A-Comp,0"]
    done = hjstudy("export", "--study", "two-tasks", "--out", "data", "--include-test")
    assert done[0] == 0, done
    (path,) = (tmp_path / "data" / "data").glob("*_level-block_data.csv")
    with path.open() as file:
        assert {row["task"] for row in csv.DictReader(file)} == {"A-Comp", "P-Cond"}
    with (tmp_path / "wins.csv").open() as file:
        wins = list(csv.DictReader(file))
    assert Counter(row["lexicon"] for row in wins) == {"semantic": 2, "nonce": 2}
    assert {row["finished"] for row in wins} == {"True"}
    assert max(int(row["wins"]) for row in wins) > 2  # bots that know the answer win every guardian
    with (tmp_path / "blocks.csv").open() as file:  # both studies of its last section
        assert sorted(row["study"] for row in csv.DictReader(file)) == ["high-pay", "low-pay"]
    assert (tmp_path / "payments.csv").read_text().startswith("participant_id,")


def rated(rater, score, *, cancelled=False):
    value = {"rating": score} if isinstance(score, int) else {"choices": [score]}
    result = [{"from_name": "score", "value": value}, {"from_name": "other", "value": {}}]
    return {"completed_by": rater, "was_cancelled": cancelled, "result": result}


def potato_state(name, ratings):
    """Return what Potato stores of an annotator: each choice in turn, the last one counts."""
    labels = {
        item: [[{"schema": scheme, "name": str(value)}, "true"] for scheme, value in chosen]
        for item, chosen in ratings.items()
    }
    return json.dumps({"user_id": name, "instance_id_to_label_to_value": labels})


def test_scripts_of_the_guides_make_tables_that_hjstudy_reads(hjstudy, facts, tmp_path):
    tasks = [
        {"id": 1, "annotations": [rated(7, 2), rated(8, 2), rated(9, 0, cancelled=True)]},
        {"id": 2, "annotations": [rated(7, "0"), rated(8, 1)]},
        {"id": 3, "annotations": [rated(7, 0), rated(8, 0)]},
    ]
    data = {"id": "a", "source": "gpt", "text": "Size.", "task": "A-Add", "seed": 0}
    whole = [{**task, "data": data, "predictions": []} for task in tasks]
    (tmp_path / "export.json").write_text(json.dumps(whole))
    for name, score in (("ann", 0), ("bo", 1)):
        (tmp_path / "annotation_output" / name).mkdir(parents=True)
        chosen = {"a": [("score", 2)], "b": [("score", 1), ("score", score)], "c": [("other", 2)]}
        state = tmp_path / "annotation_output" / name / "user_state.json"
        state.write_text(potato_state(name, chosen))
    follow("from-label-studio.md", hjstudy, tmp_path)
    found = facts("alpha", "ratings.csv", "--level", "ordinal")
    assert (found["n_units"], found["n_raters"], found["n_values"]) == (3, 2, 6)
    found = facts("alpha", "potato.csv", "--level", "ordinal")
    assert (found["n_units"], found["n_raters"], found["n_values"]) == (2, 2, 4)
    assert "b,ann,0" in (tmp_path / "potato.csv").read_text()

    survey = "ResponseId,age,rate_1,rate_2\nwording,,,\n{},,,\nR_1,30,2,0\nR_2,40,2,1\n"
    (tmp_path / "survey.csv").write_text(survey, encoding="utf-8-sig")
    follow("from-qualtrics.md", hjstudy, tmp_path)
    found = facts("alpha", "ratings.csv", "--level", "ordinal", "--wide", "items")
    assert (found["n_units"], found["n_raters"], found["n_values"]) == (2, 2, 4)

    typed = {"trial_type": "survey-text", "trial_index": 4, "response": {"Q0": "Size, by class."}}
    trials = [{"trial_type": "html"}, {**typed, "participant": "p1", "task": "A-Add", "seed": 0}]
    (tmp_path / "results.txt").write_text(json.dumps(trials))
    follow("from-jspsych.md", hjstudy, tmp_path)
    assert (tmp_path / "items.csv").read_text().splitlines() == [
        "id,source,text,task,seed",
        'p1-4,jspsych,"Size, by class.",A-Add,0',
    ]
