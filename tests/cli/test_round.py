"""hjstudy round hand-over: the open items of an annotator who left."""

from types import SimpleNamespace

from app.study.design.library import Library
from tests.cli.test_study import STUDY
from tests.rating_desk import Desk


def test_open_items_are_handed_over_from_the_command_line(facts, hjstudy, store, tmp_path):
    (tmp_path / "autumn.yaml").write_text(STUDY)
    facts("study", "create", "autumn.yaml")
    server = SimpleNamespace(store=store, library=Library())
    desk = Desk(SimpleNamespace(state=SimpleNamespace(server=server)), None, "autumn")
    desk.models(3)
    number = desk.open(("ann",))
    desk.annotators("cy")
    made = facts("round", "hand-over", "autumn", number, "--from", "ann", "--to", "cy")
    assert made == {"moved": 3, "left": 0, "dropped": 0}
    assert len(desk.places("cy")) == 3
    code, out, err = hjstudy("round", "hand-over", "autumn", number, "--from", "cy", "--to", "dan")
    assert (code, out) == (2, "")
    assert "There is no annotator called 'dan'." in err
    code, _, err = hjstudy("round", "hand-over", "autumn", 9, "--from", "ann", "--to", "cy")
    assert code == 2
    assert "no such rating round" in err
