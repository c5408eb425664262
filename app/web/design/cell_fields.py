"""The fields about cells: which there are, who gets which, and in which order."""

from app.game.model import COVERAGES
from app.web.design.parts import Entry, Section, Table, same

CELLS = Section(
    "cells",
    "Cells and order",
    "A cell is one variant: a task with a seed. A line with several seeds defines several cells.",
    (
        Table(
            "blocks",
            "Cells",
            "Line",
            (
                Entry("task", "Task", "select"),
                Entry("seeds", "Seeds", "seeds"),
                Entry("lexicon", "Words", "select"),
                Entry("coverage", "Coverage", "select", options=same(*COVERAGES)),
                Entry("distractors", "Distractors", "number"),
                Entry(
                    "format",
                    "Format",
                    "select",
                    options=(("episodic", "played"), ("direct", "answered once")),
                ),
                Entry("quota", "Quota", "maybe"),
                Entry(
                    "source",
                    "From",
                    "select",
                    options=(("hjstudy", "hjstudy"), ("reference", "the authors’ package")),
                ),
            ),
            {
                "task": "",
                "seeds": "0",
                "lexicon": "semantic",
                "coverage": "1",
                "distractors": 4,
                "format": "episodic",
                "quota": None,
                "source": "hjstudy",
            },
            "Seeds: such as 0-3 or 0,2,5. Words: semantic words are real, nonce words are made up. "
            "Coverage: the share of accounts with the rule that is shown; 2 shows two of each. "
            "Distractors: accounts without a pattern, 0 to 8. Quota: if empty, the players per "
            "cell under Participants apply. From: the authors’ package brings its own words, rules "
            "and budgets; it must be installed (hjstudy[reference]). You can change quotas at any "
            "time; the rest is frozen by the first real consent.",
            "No cells yet. Choose ‘Add a line’, then a task and its seeds.",
        ),
        Entry("per_player", "Worlds per player", "number"),
        Entry(
            "order",
            "Order",
            "select",
            "Which cells a player gets, and in which order. With several tasks, only latin makes "
            "each of them come first equally often.",
            (
                ("balanced", "balanced: the emptiest cells first, chance breaks ties"),
                ("latin", "Latin square over tasks"),
                ("fixed", "fixed: as listed"),
            ),
        ),
        Entry(
            "between",
            "Treatment",
            "select",
            "What differs between players: each plays cells with one value of it only, and the "
            "next player gets the value with the fewest players.",
            (
                ("none", "none: anyone may get any cells"),
                ("lexicon", "the words"),
                ("coverage", "the coverage"),
                ("format", "the format"),
                ("task", "the task"),
            ),
        ),
        Entry(
            "seed",
            "Seed of the order",
            "number",
            "Breaks ties. The same seed gives the same order.",
        ),
        Entry(
            "options.episodes_per_block",
            "Guardians in each world",
            "maybe",
            "Leave empty for all.",
        ),
        Entry(
            "options.permute_outputs",
            "Shuffle which word stands for which answer",
            "check",
        ),
        Entry("options.salt", "Secret mixed into the seeds", hint="Makes variants unpredictable."),
    ),
)
