"""Forms of whole notations, as raters see them: every one the same, and no meaning lost."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.study.rating.presentation import neutral

RULE = "The class decides. Then the role."
ONE, TWO = "the class decides", "then the role"


@pytest.mark.parametrize(
    "text",
    [
        f"<ul><li>{ONE}</li><li>{TWO}</li></ul>",
        f"<h3>Answer</h3><p>the <b>class</b> decides<br/>{TWO}",
        f"<rule>{ONE}</rule>\n<!-- {TWO} -->",
        f"\\textbf{{The class}} decides. $\\text{{{TWO}}}$",
        f"\\section*{{Rule}}\n\\begin{{itemize}}\n\\item {ONE}\n\\item {TWO}\n\\end{{itemize}}",
        f"\\[ \\boxed{{\\text{{{ONE}}}}} \\]\n$${TWO}$$",
        *(f"{sign} {ONE}\n{sign} {TWO}" for sign in "●▪◦‣·■★➤✅👉"),
        f"🚀 {ONE} 🎯\n{TWO} 👍🏽",
        f"- [ ] {ONE}\n- [ ] {TWO}",
        f"Step 1: {ONE}\nStep 2: {TWO}",
        f"a) {ONE}\nb) {TWO}",
        f"(i) {ONE}\n(ii) {TWO}",
        f"1) {ONE}; 2) {TWO}.".replace(";", "."),
        f"① {ONE} ② {TWO}",
        f"1️⃣ {ONE}\n2️⃣ {TWO}",
        f"Conclusion: {ONE}. Note: {TWO}",
        f"My final rule: {ONE}\nKey takeaway - {TWO}",
        f"Inputs: {ONE} How: {TWO}",
        f"**Final Answer**\n\n{ONE}\n\n\\*then the role\\*",
        f"**Rule:**{ONE}\n__Output__: {TWO}",
        f"== Rule ==\n'''the class''' decides\n{TWO}",
        f"[b]The class[/b] decides\n[list]{TWO}[/list]",
        f"𝐓𝐡𝐞 class decides\n{TWO}",
        f'{{"rule": "{ONE}", "details": ["{TWO}"]}}',
        f'```json\n{{"rule": "{ONE}", "how": "{TWO}"}}\n```',
        f'"{ONE}"\n\n"{TWO}"',
        *(
            f"{sign}{ONE}{sign}\n{sign}{TWO}.{sign}"
            for sign in ("/", "=", "~", "+", "|", "::", "!")
        ),
        f"The /class/ decides. {TWO.replace('role', '=role=')}",
        f"Mein Fazit: {ONE}. Schritt 2: {TWO}",
        f"الخلاصة: {ONE}\nالخطوة 2: {TWO}",
    ],
)
def test_notations_leave_no_trace(text):
    assert neutral(text) == RULE


@pytest.mark.parametrize(
    "text",
    [
        "Guardians of the north: iron_sword. Scouts: wand.",
        "A<b and c>d. Then 2 < 3 > 1.",
        "2*3*4, x**2, a ** b, (a)*(b)*(c) and 2 *3* 4.",
        "_x < 3.",
        "It costs $5 and $10.",
        "> 5 coins means the sword.",
        "(class a) and (class b) differ, c) does not.",
        "In 1990. A good year. 1990. X.",
        "If class == A & role != B then x; a || b | c.",
        "X² + y° is at C:\\foo\\bar.",
        "Es gilt folgende Regel: die Klasse zählt.",
        "Input - output is a table.",
        "Class A, item: sword, mage: wand.",
        "North/south and a/b/c, /s/pilot or and/or.",
        "A+b+c, x=y=z, +5 or +6, ~5 or ~6, a>=3, b>=(c), x == y == z.",
        "5:3:1, 10%, !x or !y, a|b|c, 3^2^1.",
        "5 -> 6 <- 7 and 3 => 4 >= 2.",
    ],
)
def test_meaning_stays(text):
    assert neutral(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("✅ class\n❌ place", "Yes class. No place."),
        ("- [x] class\n- [ ] place", "Yes class. No place."),
        ("class ➜ sword, a ≤ b × 2", "Class -> sword, a <= b * 2."),
        ("$\\frac{a}{b} \\leq x_{1}$", "(a)/(b) <= x_1."),
        ("😀", "😀"),
        ("Warriors: **iron_sword**", "Warriors: iron_sword."),
    ],
)
def test_signs_with_a_meaning_become_words_or_ascii(text, expected):
    assert neutral(text) == expected


WORDS = ["alpha", "Beta", "2", "x_1", "class:", "a*b", "<", ">=", "iron_sword", "don't", "$5", "3."]


@given(st.lists(st.sampled_from(WORDS), min_size=1))
def test_no_word_or_comparison_is_lost(words):
    text = f"The {' '.join(words)}"
    found = neutral(text)
    kept = r"\w+|[<>=*$]"
    assert re.findall(kept, found.lower()) == re.findall(kept, text.lower())
    assert neutral(found) == found


@given(st.text(alphabet="ab 1*_<>/$\\`#|-.:[](){}\n\"'•✓→", max_size=40))
def test_any_text_is_read_and_letters_and_numbers_stay_in_order(text):
    found = neutral(text)
    assert "\n" not in found
    assert len(found) <= 3 * len(text) + 3
