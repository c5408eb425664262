"""How models may lay out the same thoughts: styles for `bench.blind`.

KNOWN were written together with the neutral form, HELD_OUT after it: other notations, other
headings, other symbols. Nothing in `app/study/rating` may be changed for one of HELD_OUT alone; a
style that it fails moves to KNOWN, and another takes its place.
"""

from collections.abc import Callable, Sequence

Style = Callable[[Sequence[str]], str]
SIGNS = ("●", "▪", "✅", "🔹", "➤")


def lined(before: str, after: str = "") -> Style:
    """Return a style with something before and after each thought, a line each."""
    return lambda said: "\n".join(f"{before}{text}{after}" for text in said)


def counted(pattern: str, names: Sequence[object] = range(1, 10)) -> Style:
    """Return a style with a number or name for each thought."""
    return lambda said: "\n".join(
        pattern.format(name, text) for name, text in zip(names, said, strict=False)
    )


def framed(before: str, style: Style, after: str = "") -> Style:
    """Return a style with something before and after all thoughts."""
    return lambda said: f"{before}{style(said)}{after}"


KNOWN: dict[str, Style] = {
    "bold list": framed("## Rule\n\n", lined("- **", "**")),
    "numbers": framed("**Final answer:**\n\n", counted("{}. {}.")),
    "heading": lambda said: "### Explanation\n\n" + ".\n\n".join(said) + ".",
    "quote": lambda said: "> **Hypothesis:** " + ".\n> ".join(said) + ".\n\n---",
    "fence": framed("```\n", lined(""), "\n```"),
    "italics": lambda said: "\n\n".join(f"* _{text}_" for text in said),
    "html list": framed("<ul>", lined("<li>", "</li>"), "</ul>"),
    "html": lambda said: "<b>Conclusion:</b> " + "<br>".join(said),
    "latex": lined("\\textbf{", "}"),
    "formula": lined("$\\text{", "}$"),
    **{f"sign {sign}": lined(f"{sign} ") for sign in SIGNS},
    "tasks": lined("- [ ] "),
    "steps": counted("Step {}: {}"),
    "letters": counted("{}) {}", "abc"),
    "own tags": framed("<thinking_done/><response>", lined("<point>", "</point>"), "</response>"),
    "latex theorem": framed(
        "\\begin{theorem}[Main]\n", lined("\\textsc{\\large ", "}\\\\"), "\n\\end{theorem}"
    ),
    "table": framed("Part | Note\n:-- | --:\n", counted("{} | {}")),
    "rules between": "\n* * *\n".join,
    "asciidoc": framed(".Explanation\n====\n", lined(". "), "\n===="),
    "restructured": framed("Explanation\n~~~~~~~~~~~\n", lined("#. **", "**")),
    "yaml": framed("answer: |\n", lined("  - ")),
    "inline": counted("{}: {}", ("Inputs", "Output", "How")),
    "org": framed("* Rule\n", lined("** /", "/")),
}
HELD_OUT: dict[str, Style] = {
    "deep headings": counted("###### Finding {} of mine\n{}\n"),
    "nested html": framed(
        '<section class="a"><ol type="i">',
        lined("<li><p><em>", "</em></p></li>"),
        "</ol></section>",
    ),
    "definition list": framed("<dl>", lined("<dt>Idea</dt><dd>", "</dd>"), "</dl>"),
    "latex enumerate": framed(
        "\\begin{enumerate}\n", lined("\\item \\underline{", "}"), "\n\\end{enumerate}"
    ),
    "display formula": lined("\\[\\mathrm{", "}\\]"),
    "diamonds": lined("❖ "),
    "hands": lined("☞ "),
    "flags": lined("🏁✨ ", " 💯"),
    "small squares": lined("▫️ "),
    "double letters": counted("({}) {}", "ABC"),
    "small numerals": counted("{}. {}", ("i", "ii", "iii")),
    "steps in words": counted("**Step {}** - {}"),
    "verdict": lambda said: "**My overall verdict**: " + "; ".join(said),
    "short answer": lambda said: "_Short answer:_ " + ". ".join(said),
    "json list": lambda said: '[{"observation": "' + '"}, {"observation": "'.join(said) + '"}]',
    "struck": lined("~~", "~~"),
    "monospace": lined("`` ", " ``"),
    "script letters": lambda said: "𝓡𝓾𝓵𝓮: " + "\n".join(said),
    "wiki": framed("=== Explanation ===\n", lined("* ''''", "''''")),
    "board": framed("[quote=me]", lined("[b][i]", "[/i][/b]"), "[/quote]"),
    "typst": framed("#heading[Rule]\n", lined("- #strong[", "]")),
    "textile": framed("h3. Rule\n\n", lined("* @", "@")),
}
