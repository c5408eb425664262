"""What `verify` checks and what it does not, in words: for its report and the documentation."""

CHECKED = (
    "every stored command, replayed: codes, parameters, states, wording, how each episode ended",
    "the chain of digests over every column of each turn",
    "the digest of each explanation",
    "each variant against its hash, and its certificate against a new one",
    "each design's study file against spec_hash, and its variants against its cells",
    "each study's kind (people, bots) against its newest published design",
    "the free part of each published study file against the log of changes, such as main_rv",
    "each block's cell, task, seed, lexicon, coverage, format and variant against the design",
    "the consent hash of each participant against the text of their design",
    "that everyone who finished has every block, explanation and answer that the design asks for",
    "the chained log of each participant: state, times, is_test, exclusion, consent, group",
    "every stored answer of models' runs, fed into the method again: prompts, commands, outcomes",
    "by the same log: blocks, episodes, answers, explanations, seats, manual actions",
)
ONLY_ANCHORED = (
    "ratings, items, samples, judges, adjudications, model results, process data, "
    "problem reports, decisions on texts: compare with a manifest (verify --manifest)"
)
NOT_CHECKED = (
    "platform IDs and lists (identity, platform_record, upload): they decide payments, not results",
    (
        "notebooks (in exports: note) and unsent texts (draft): each save replaces them, and no "
        "result is computed from them"
    ),
    "what may change at any time: title and state of a study",
    "accounts, logins, form tickets, jobs and secrets: they hold no data of participants",
)


MOVED = (
    "models' episodes and turns against this manifest, which is older than the upgrade that moved "
    "them: they were replayed from the models' answers, which were compared; make a new manifest"
)


def lists(
    *, with_manifest: bool, is_earlier: bool = False
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what was checked and what was not. `is_earlier`: see `anchors.is_earlier`."""
    if with_manifest:
        return (
            *CHECKED,
            "every row that the manifest lists",
            "the audit log, up to the manifest",
        ), (*((MOVED,) if is_earlier else ()), *NOT_CHECKED)
    return CHECKED, (ONLY_ANCHORED, *NOT_CHECKED)
