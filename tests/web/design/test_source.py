"""A block of the authors' package, made on the design pages."""

import pytest

from tests.web.design.designing import part

pytestmark = pytest.mark.one_database

LINE = {
    "blocks.0.task": "P-Over",
    "blocks.0.seeds": "0",
    "blocks.0.source": "reference",
    "do": "save",
}


def test_source_is_chosen_for_a_line_and_brings_its_own_instructions(researcher):
    researcher.get("/admin/new-study").send("title", title="Winter")
    part(researcher, "cells").send("revision", do="add.blocks").send("revision", **LINE)
    assert "nothing is undone" in part(researcher, "texts").answer.text
    assert "reference package" in researcher.get("/admin/studies/winter/design").answer.text
    shown = researcher.get("/admin/studies/winter/cell?key=P-Over/0/semantic/1/reference").answer
    assert shown.status_code == 200
    assert "=== Your task: defeat" in shown.text
    opened = researcher.client.post("/admin/studies/winter/actions/open", follow_redirects=False)
    assert opened.headers["location"] == "/admin/studies/winter"
