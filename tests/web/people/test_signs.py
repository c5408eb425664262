"""The page of signs of automation, and its table."""

import csv
import io

from tests.walker import one_line

PAGE = "/admin/studies/demo/signs"


def test_page_and_table_list_people_with_the_numbers_behind_their_signs(researcher, player, look):
    player.type(*look.solution(player.token)).to_rule()
    url = player.page.form("confidence").action
    answer = player.client.post(
        f"/p/{player.token}/process",
        data={"events": '[["open", 1, "", null], ["client", 1, "webdriver", null]]'},
    )
    assert answer.status_code < 400, url
    player.explain("The class of the guardian decides which weapon it takes.")
    name = look.person(player.token).public_id
    page = researcher.get("/admin/studies/demo")
    assert PAGE in page.page.links
    page = researcher.get(PAGE)
    assert f"/admin/participants/{name}" in page.page.links
    assert "driven by a program (1)" in "".join(page.page.text)
    replay = f"/admin/participants/{name}/replay?rule=1.1"
    assert replay in page.page.links
    alone = researcher.get(replay.partition("?")[0]).page
    assert "Signs of automation" not in one_line(researcher.answer.text)
    asked = next(one for one in alone.links if one.endswith("signs=1"))
    assert "Signs of automation: driven" in one_line(researcher.get(asked).answer.text)
    beside = one_line(researcher.get(replay).answer.text)
    assert '<option value="1" selected>World 1, guardian 1' in beside
    assert "Signs of automation: driven by a program" in beside
    assert "<dt>characters written about rules</dt><dd>56</dd>" in beside
    table = researcher.client.get(f"{PAGE}.csv").text
    [row] = csv.DictReader(io.StringIO(table))
    assert (row["participant"], row["sign_automated"], row["sign_even"]) == (
        name,
        "yes",
        "not observed",
    )
