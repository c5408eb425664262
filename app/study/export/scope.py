"""What `verify` checks and what it does not, in words: for its report and the documentation."""

CHECKED = (
    (
        "every stored command, replayed: codes, parameters, states, wording, and how and when each "
        "episode ended"
    ),
    "the chain of digests over every column of each turn",
    "the digest of each explanation",
    "each variant against its hash, and its certificate against a new one",
    "each design's study file against spec_hash, and its variants against its cells",
    "each block's cell, task, seed, lexicon, coverage, format and variant against the design",
    "the consent hash of each participant against the text of their design",
    "that whoever finished has every block, explanation and answer that the design asks for",
    (
        "the chained log of each participant: state, times, is_test, exclusion, consent and group in "
        "their row; blocks, episodes, answers, stated answers, explanations, seats, manual actions"
    ),
)
NOT_CHECKED = (
    "platform IDs and records (identity, platform_record): they decide payments, not results",
    "accounts, logins, form tickets, jobs and secrets: they hold no data of participants",
)
