"""The page with pay and codes: grouped, with a whole example of the return address."""

import re


def test_pay_page_groups_the_codes_and_shows_a_whole_address(researcher):
    text = researcher.get("/admin/studies/demo/design/pay").answer.text
    groups = ("Pay", "Code for participants who finish", "Codes for participants who do not finish")
    headings = re.findall("<h2>(.*?)</h2>", text)
    assert headings == [*groups, "Way back to the platform"]
    places = [text.index(f"<h2>{name}</h2>") for name in headings]
    fields = ("payment.currency", "codes.finished", "codes.screened_out", "codes.return_url")
    for start, end, name in zip(places, [*places[1:], len(text)], fields, strict=True):
        assert f'name="{name}"' in text[start:end]
    assert "https://app.prolific.com/submissions/complete?cc={code}" in text
    assert "Required for a bonus: at 0, the formula pays nothing." in text
