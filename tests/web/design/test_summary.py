"""What the design pages say that participants get and do."""

import pytest

from tests.walker import PageReader, one_line

pytestmark = pytest.mark.one_database


def test_overview_and_cells_say_what_a_participant_gets_and_does(researcher, make_study):
    make_study(
        slug="told",
        per_player=2,
        payment={"base_cents": 400},
        texts={"pay": "GBP 4", "minutes": 30, "contact": "ada@example.org"},
        questions={"after": [{"key": "age", "label": "Age?", "kind": "number"}]},
        blocks=[{"task": "A-Over", "seeds": [1]}, {"task": "P-Comp", "seeds": [2]}],
    )
    board = "/admin/studies/told/design"
    text = one_line(researcher.client.get(board).text)
    each = "2 worlds share the 30 expected minutes: at most 15 each"
    for told in ("pays GBP 4.00 for finishing", "After the game: 1, and a comment.", each):
        assert told in text
    assert "<dd>Players can ask ada@example.org.</dd>" in text
    assert each in researcher.client.get(f"{board}/cells").text
    links = [one for one in PageReader(text).links if "#" in one and one.startswith(board)]
    assert len(links) == 4
    for one in links:
        url, _, place = one.partition("#")
        assert f'id="{place}"' in researcher.client.get(url).text
