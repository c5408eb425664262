"""The page of a variant: rule and split, accounts as players see them, what they determine."""

import re

import pytest

from app.game.tasks import TASKS
from app.game.variant import generate
from app.study.design.certificate import certificate_dict
from app.study.design.certificate_words import BOTS, CONDITIONS
from app.study.design.library import lexicon
from app.study.design.studies import make_variant
from tests.walker import Walker, one_line

pytestmark = pytest.mark.one_database


def test_variant_page_is_linked_from_the_cells_and_shows_the_rule(researcher):
    page = researcher.get("/admin/studies/demo")
    links = [link for link in page.page.links if link.startswith("/admin/variants/")]
    assert len(links) == 2
    text = page.get(links[1]).answer.text
    assert "P-Comp, seed 2" in text
    assert text.count('<td class="gen">') == 1
    assert text.count('<td class="source">') == 3


def test_variant_page_shows_the_accounts_word_for_word_as_players_do(researcher, client):
    player = Walker(client).enter().leave_practice()
    shown = tales(player.answer.text)
    assert shown
    link = researcher.get("/admin/studies/demo").page.links
    own = [one for one in link if one.startswith("/admin/variants/")]
    assert tales(researcher.get(own[0]).answer.text) == shown


def tales(text):
    """Return the accounts on a page as HTML, without the tag of the list (pins are for players)."""
    part = text.partition('<ul id="tales"')[2]
    return part.partition(">")[2].partition("</ul>")[0]


def test_variant_page_names_twins_rivals_bias_and_floors(researcher):
    text = researcher.get("/admin/studies/demo/cell?key=P-Comp/2/semantic/1").answer.text
    assert "Rivals: rules of other forms that also fit (6)" in text
    assert "Twins: rules of the same form with class and role swapped (0)" in text
    for words in (
        "Contextual bias",
        "Share of cells determined",
        "enumerator",
        "give the same answer in every held-out cell",
    ):
        assert words in text


def test_page_of_a_cell_explains_its_words_and_has_none_of_the_files(researcher):
    text = researcher.get("/admin/studies/demo/cell?key=P-Comp/2/semantic/1").answer.text
    assert re.findall(r"<small>([a-z ]+)</small>", text).count("held out") == 1
    assert set(re.findall(r"<small>([a-z ]+)</small>", text)) == {"held out", "shown"}
    for term in ("Twin", "Rival", "Contextual bias", "Coverage", "ECSR"):
        assert f"<dt>{term}</dt>" in text.partition("<summary>Terms")[2].partition("</details>")[0]
    assert "bipartite" not in text
    assert f"<td>{BOTS['eliminator']}</td>" in text


def test_every_condition_of_a_certificate_and_every_bot_of_it_has_words():
    proofs = [certificate_dict(generate(t, 0, lexicon("semantic"), "1", 4)) for t in TASKS.values()]
    assert {name for one in proofs for name in one["conditions"]} == {*CONDITIONS}
    assert {name for one in proofs for name in one["floors"]} == {*BOTS}


def test_variant_page_says_what_the_certificate_says(researcher, make_study):
    spec = make_study(slug="twin", blocks=[{"task": "P-Cond", "seeds": [3]}], per_player=1).spec
    proof = certificate_dict(make_variant(spec, spec.cells()[0]))
    page = researcher.get("/admin/studies/twin/cell?key=P-Cond/3/semantic/1")
    text = one_line(page.answer.text)
    assert f"<dt>Contextual bias</dt><dd>{proof['contextual_bias']:.3f}</dd>" in text
    assert f"<dt>Share of cells determined</dt><dd>{proof['share_determined']:.3f}</dd>" in text
    assert proof["twins"]
    twin_lines = [f"<li>predicts {', '.join(one['predictions'])}</li>" for one in proof["twins"]]
    assert all(one in text for one in twin_lines)
    for cell in proof["cells"]:
        row = f"<td>{cell['class']}</td><td>{cell['role']}</td><td>{cell['truth']}</td>"
        assert f"{row}<td>{', '.join(cell['predictions'])}</td>" in text
    for name, value in proof["floors"].items():
        assert f'{name}</th><td class="num">{value:.3f}</td>' in text


def test_page_of_a_drafts_cell_is_that_of_the_variant_it_becomes(researcher):
    cell = researcher.get("/admin/studies/demo/cell?key=A-Over/1/semantic/1").answer.text
    links = researcher.get("/admin/studies/demo").page.links
    stored = next(one for one in links if one.startswith("/admin/variants/"))
    assert body(cell) == body(researcher.get(stored).answer.text)


def body(text):
    """Return a page below its heading."""
    return text.partition("<h1>")[2]


def test_cell_of_a_draft_with_a_fault_elsewhere_can_still_be_looked_at(researcher):
    researcher.get("/admin/studies/demo/design/clocks").send(
        "revision", **{"clocks.idle_minutes": ""}
    )
    page = researcher.get("/admin/studies/demo/cell?key=A-Over/1/semantic/1")
    assert page.answer.status_code == 200


def test_variant_of_no_name_is_not_found(researcher):
    assert researcher.client.get("/admin/variants/nothing").status_code == 404


def test_practice_variant_has_a_page_without_certificate(researcher, look, client):
    token = Walker(client).enter().token
    practice = next(one for one in look.episodes(token) if one.kind == "practice")
    page = researcher.get(f"/admin/variants/{practice.variant_hash}")
    assert page.answer.status_code == 200
    assert "What the accounts determine" not in page.answer.text
