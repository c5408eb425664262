import csv
import json

import pytest

STUDY = """
slug: autumn
title: Hidden rules
blocks:
  - {task: A-Over, seeds: 0-1}
  - {task: P-Comp, seeds: [3], lexicon: nonce}
"""


@pytest.fixture
def made(facts, tmp_path):
    (tmp_path / "autumn.yaml").write_text(STUDY)
    return facts("study", "create", "autumn.yaml")


def test_create_makes_an_open_study_and_prints_its_link(made, facts):
    assert (made["slug"], made["state"]) == ("autumn", "open")
    assert made["link"] == "https://study.example.org/s/autumn"
    assert made["cells"] == ["A-Over/0/semantic/1", "A-Over/1/semantic/1", "P-Comp/3/nonce/1"]
    (listed,) = facts("study", "list")["studies"]
    assert (listed["slug"], listed["active"], listed["link"]) == ("autumn", 0, made["link"])


def test_study_is_created_once(made, hjstudy):
    code, out, err = hjstudy("study", "create", "autumn.yaml", "--json")
    assert (code, out) == (2, "")
    assert "autumn" in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("slug: [", "YAML"),
        ("just words", "mapping"),
        ("slug: A B\ntitle: x\nblocks: [{task: A-Add, seeds: 1}]", "slug: "),
        ("slug: a\ntitle: x\nblocks: [{task: A-Foo, seeds: 1}]", "blocks.0.task: "),
        ("slug: a\ntitle: x\nblocks: [{task: A-Add, seeds: 2-1}]", "blocks.0.seeds: "),
        ("slug: a\ntitle: x\ncolour: red\nblocks: [{task: A-Add, seeds: 1}]", "colour: "),
    ],
)
def test_wrong_study_file_names_the_field(hjstudy, tmp_path, text, message):
    (tmp_path / "wrong.yaml").write_text(text)
    code, out, err = hjstudy("study", "create", "wrong.yaml", "--json")
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_wrong_entry_of_a_list_is_named_and_the_list_not_called_missing(hjstudy, tmp_path):
    text = "slug: x\ntitle: T\nblocks:\n- {task: A-Add, seeds: [1], coverage: 0.5}\n"
    (tmp_path / "wrong.yaml").write_text(text)
    code, _, err = hjstudy("study", "create", "wrong.yaml")
    assert code == 2
    assert "blocks.0.coverage: use one of" in err
    assert "blocks: " not in err


def test_open_and_close_change_the_state(made, facts):
    assert facts("study", "close", "autumn")["state"] == "closed"
    assert facts("study", "list")["studies"][0]["state"] == "closed"
    assert facts("study", "open", "autumn")["state"] == "open"


def test_opening_prints_what_to_check(made, facts, hjstudy):
    facts("study", "close", "autumn")
    code, _, err = hjstudy("study", "open", "autumn")
    assert (code, "To check:" in err, "- Test play: " in err) == (0, True, True)
    assert any(
        one.startswith("Test play: ") for one in facts("study", "open", "autumn")["to_check"]
    )


def test_personal_links_have_ids_of_their_own(made, facts, tmp_path):
    assert facts("study", "link", "autumn")["link"] == made["link"]
    facts("study", "link", "autumn", "--count", "50", "--out", "links.csv")
    with (tmp_path / "links.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({row["participant"] for row in rows}) == 50
    assert all(row["link"] == f"{made['link']}?participant={row['participant']}" for row in rows)


def test_signed_links_carry_a_signature_and_perhaps_an_end(made, facts, tmp_path):
    for options, begin in ((("--signed",), "0."), (("--days", "3"), "1")):
        printed = facts("study", "link", "autumn", "--count", "2", "--out", "links.csv", *options)
        assert printed["signed"]
        with (tmp_path / "links.csv").open(newline="") as file:
            links = [row["link"] for row in csv.DictReader(file)]
        entries = [link.partition("&entry=")[2] for link in links]
        assert all(entry.startswith(begin) and len(entry) > 32 for entry in entries)
        assert len(set(entries)) == 2


def test_given_ids_get_signed_links_and_wrong_ones_are_named(made, facts, hjstudy, tmp_path):
    (tmp_path / "ids.txt").write_text("Participant ID\np 1\n\n p2\n")
    printed = facts("study", "link", "autumn", "--ids", "ids.txt", "--out", "links.csv")
    assert (printed["count"], printed["signed"]) == (2, True)
    with (tmp_path / "links.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == ["p 1", "p2"]
    assert rows[0]["link"].startswith(f"{made['link']}?participant=p+1&entry=0.")
    (tmp_path / "ids.txt").write_text("p1\np1\na,b\nnull\n")
    code, _, err = hjstudy("study", "link", "autumn", "--ids", "ids.txt", "--out", "links.csv")
    assert code == 2
    assert "line 2: 'p1' is already on line 1; line 3: " in err
    assert "line 4: 'null' is a placeholder" in err


def test_links_of_a_group_name_it_and_an_unknown_group_is_refused(facts, hjstudy, tmp_path):
    (tmp_path / "two.yaml").write_text(f"{STUDY}people: {{groups: [linguist]}}\n")
    link = facts("study", "create", "two.yaml")["link"]
    linguist = ("study", "link", "autumn", "--group", "linguist")
    assert facts(*linguist)["link"] == f"{link}?group=linguist"
    facts(*linguist, "--count", "2", "--out", "links.csv")
    with (tmp_path / "links.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    expected = [f"{link}?participant={row['participant']}&group=linguist" for row in rows]
    assert [row["link"] for row in rows] == expected
    code, _, err = hjstudy("study", "link", "autumn", "--group", "other")
    assert code == 2
    assert "Its groups: linguist." in err


def test_unknown_study_is_refused_everywhere(hjstudy, tmp_path):
    for arguments in (
        *(("study", "open", "x"), ("study", "close", "x"), ("study", "link", "x")),
        *(("verify", "--study", "x"), ("export", "--study", "x", "--out", "o")),
    ):
        code, out, err = hjstudy(*arguments, "--json")
        assert (code, out) == (2, "")
        assert "'x'" in err
    assert not (tmp_path / "o").exists()


def test_links_that_cannot_be_written_are_refused(made, hjstudy):
    assert hjstudy("study", "link", "autumn", "--count", "2")[0] == 2
    code, _, err = hjstudy("study", "link", "autumn", "--count", "2", "--out", "no/where.csv")
    assert code == 2
    assert "no/where.csv" in err


def test_user_gets_a_link_once_and_a_new_one_ends_the_old(facts, hjstudy):
    first = facts("user", "add", "Ada")
    again = facts("user", "add", "ada")
    assert first["link"].startswith("https://study.example.org/admin/welcome/")
    assert first["link"] != again["link"]
    code, _, err = hjstudy("user", "add", "ada", "--role", "annotator")
    assert code == 2
    assert "researcher" in err
    assert hjstudy("user", "add", "eve", "--role", "queen")[0] == 2


def test_json_is_one_document_and_messages_go_to_stderr(made, hjstudy):
    code, out, err = hjstudy("study", "link", "autumn", "--count", "3", "--out", "l.csv", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["count"] == 3
    code, out, err = hjstudy("study", "link", "autumn", "--count", "3", "--out", "l.csv")
    assert (code, out) == (0, "")
    assert "3 personal links" in err


REAL = STUDY + "kind: real\ntexts: {pay: GBP 4}\n"
CONTACT = STUDY + "kind: real\ntexts: {pay: GBP 4, contact: a@example.org}\n"
READY = CONTACT + "payment: {base_cents: 400}\n"


def test_real_study_that_is_not_ready_is_created_closed_with_the_reasons(hjstudy, facts, tmp_path):
    (tmp_path / "real.yaml").write_text(REAL)
    code, _, err = hjstudy("study", "create", "real.yaml")
    assert code == 0
    assert "The study is closed" in err
    assert "Enter the promised amount" in err
    assert "no one to contact" in err
    assert facts("study", "list")["studies"][0]["state"] == "closed"
    assert hjstudy("study", "open", "autumn")[0] == 2

    (tmp_path / "real.yaml").write_text(CONTACT)
    facts("study", "update", "real.yaml")  # the study is closed
    assert hjstudy("study", "open", "autumn")[0] == 2
    (tmp_path / "real.yaml").write_text(READY)
    facts("study", "update", "real.yaml")
    assert facts("study", "open", "autumn")["state"] == "open"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("GBP 4", "GBP 400"), "Enter the promised amount"),
        (("contact: a@example.org", "minutes: 20"), "no one to contact"),
    ],
)
def test_open_real_study_refuses_an_update_that_the_checklist_blocks(
    hjstudy, facts, tmp_path, change, reason
):
    (tmp_path / "real.yaml").write_text(READY)
    made = facts("study", "create", "real.yaml")
    assert (made["state"], made["not_ready"]) == ("open", [])
    (tmp_path / "real.yaml").write_text(READY.replace(*change))
    code, _, err = hjstudy("study", "update", "real.yaml")
    assert code == 2
    assert reason in err
    code, out, _ = hjstudy("study", "file", "autumn")
    assert (code, "contact: a@example.org" in out, "GBP 400" in out) == (0, True, False)


def test_study_that_bots_play_has_nothing_to_check(hjstudy, tmp_path):
    own = "slug: b\ntitle: B\nkind: bots\nblocks: [{task: A-Over, seeds: 0-1}]\n"
    (tmp_path / "b.yaml").write_text(own)
    code, _, err = hjstudy("study", "create", "b.yaml")
    assert (code, "To check" in err) == (0, False), err


def test_create_says_that_the_study_is_open_and_what_to_check(hjstudy, facts, tmp_path):
    (tmp_path / "real.yaml").write_text(
        f"{STUDY}kind: real\ntexts: {{contact: me@example.org}}\n"
        "payment: {bonus: 10 * successes, bonus_cap_cents: 100}\n"
    )
    code, out, err = hjstudy("study", "create", "real.yaml")
    assert (code, out) == (0, "https://study.example.org/s/autumn\n")
    assert "It is open: anyone with the link can take part." in err
    assert "- Number of participants: Anyone with the link can enter" in err
    assert "- Test play: No person has played this design to its end" in err
    assert "- Bonus: The maximum is GBP 1.00. A player who defeats all 2 guardians" in err
    text = STUDY.replace("autumn", "winter")
    (tmp_path / "pilot.yaml").write_text(text)
    assert any(one.startswith("Test play: ") for one in facts(
        "study", "create", "pilot.yaml")["to_check"])  # fmt: skip


def test_study_is_created_closed_if_asked_and_says_how_to_open_it(hjstudy, facts, tmp_path):
    (tmp_path / "autumn.yaml").write_text(STUDY)
    code, _, err = hjstudy("study", "create", "autumn.yaml", "--closed")

    assert (code, "To open it: hjstudy study open autumn" in err) == (0, True)
    assert facts("study", "list")["studies"][0]["state"] == "closed"


@pytest.mark.parametrize(("require", "needed"), [("id", "an ID"), ("signature", "a signature")])
def test_link_that_is_refused_without_more_says_so(hjstudy, tmp_path, require, needed):
    (tmp_path / "autumn.yaml").write_text(f"{STUDY}people: {{require: {require}}}\n")
    hjstudy("study", "create", "autumn.yaml")

    assert f"The first link is refused without {needed}" in hjstudy("study", "link", "autumn")[2]


def test_link_for_prolific_is_printed_apart_from_the_plain_one(hjstudy, facts, made):
    _, out, err = hjstudy("study", "link", "autumn")
    assert out == f"{made['link']}\n"
    prolific = facts("study", "link", "autumn")["prolific"]
    assert prolific.startswith(f"{made['link']}?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}&STUDY_ID=")
    assert prolific in err


def test_update_with_a_slug_shows_the_right_form(made, hjstudy):
    code, _, err = hjstudy("study", "update", "autumn", "autumn.yaml")
    assert (code, "hjstudy study update FILE.yaml" in err) == (2, True)


def test_two_studies_can_turn_away_each_others_people_in_the_documented_order(
    made, facts, hjstudy, tmp_path
):
    other = STUDY.replace("autumn", "winter") + "people: {exclude_studies: [autumn]}\n"
    (tmp_path / "winter.yaml").write_text(other)
    (tmp_path / "autumn.yaml").write_text(STUDY + "people: {exclude_studies: [winter]}\n")
    code, _, err = hjstudy("study", "update", "autumn.yaml")
    assert (code, "add its address here afterwards" in err) == (2, True)
    facts("study", "create", "winter.yaml")
    assert facts("study", "update", "autumn.yaml")["version"] == 1


@pytest.mark.parametrize("address", ["", "http://localhost:8124", "https://study.example.org"])
def test_opening_says_that_only_this_machine_can_open_the_links(
    made, facts, hjstudy, monkeypatch, address
):
    facts("study", "close", "autumn")
    monkeypatch.setenv("HJSTUDY_BASE_URL", address)
    code, _, err = hjstudy("study", "open", "autumn")

    assert (code, "- Address: Links begin with http://" in err) == (0, "https" not in address), err
    assert ("run hjstudy doctor" in err) == ("https" not in address)
