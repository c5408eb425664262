"""Reports that the server keeps in memory are forgotten when someone whom they count withdraws."""

import json
import re

from tests.web.report.reported import PAGE, QUICK


def people(researcher, query):
    answer = researcher.get(f"{PAGE}/report.json?{query}").answer
    return json.loads(answer.text)["counts"]["people"]


def test_report_with_a_person_is_no_longer_given_out_once_they_withdraw(researcher, player, look):
    player.type(*look.solution(player.token))
    page = researcher.get(f"{PAGE}{QUICK}").answer.text
    query = re.search(r"report\.json\?([^\"]+)\"", page).group(1).replace("&amp;", "&")
    assert "of=" in query
    assert people(researcher, query) == 1
    player.get(f"/p/{player.token}/leave").send("ticket")
    assert people(researcher, query) == 0
