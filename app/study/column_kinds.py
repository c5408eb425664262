"""How columns are declared: one line each, `name:kind what it means`."""

from typing import NamedTuple

KINDS = {
    "text": "text",
    "int": "whole number",
    "number": "number",
    "bool": "true/false",
    "time": "time, UTC",
    "ms": "ms since 1970, UTC",
}
UNITS = {"_ms": "milliseconds", "_s": "seconds", "_cents": "cents", "_minutes": "minutes"}


class Column(NamedTuple):
    """One column. `kind`: one of KINDS; `about`: what it contains, in words."""

    name: str
    kind: str
    about: str

    @property
    def unit(self) -> str:
        """Return the unit of a number, or '' if it has none."""
        if self.kind == "ms":
            return "milliseconds since 1970-01-01T00:00Z"
        if self.kind not in ("int", "number"):
            return ""
        return next((unit for end, unit in UNITS.items() if self.name.endswith(end)), "")


class TableSpec(NamedTuple):
    """One table: what a row stands for, and its columns in order."""

    row: str
    columns: tuple[Column, ...]


def table(row: str, *texts: str) -> TableSpec:
    """Parse columns, one per line; a name without `:kind` is text, empty lines are skipped."""
    columns = []
    for line in "\n".join(texts).splitlines():
        if line.strip():
            head, _, about = line.strip().partition(" ")
            name, _, kind = head.partition(":")
            columns.append(Column(name, kind or "text", about.strip()))
    return TableSpec(row, tuple(columns))


WHO = """
study slug of the study
participant_id random ID of the participant, the same in every table of the study
is_test:bool participant of a test link: a researcher or a bot trying out the study
"""
BLOCK = """
block_id ID of the block: participant and position
block_index:int 1 = the participant's first block
"""
VARIANT = """
task A-Add ... P-Over, or a task of the study
seed:int variant seed
lexicon semantic, nonce or a lexicon of the study
coverage share of the source demonstrations that is shown: 0, 1/3, 2/3, 1, 2
format episodic or direct
variant_hash sha256 of the variant's canonical JSON
"""
EPISODE = f"""
{WHO}
kind main or practice
{BLOCK}
episode_id ID of the episode: participant, block and position
episode_index:int 1 = first episode of the block; players learn from earlier episodes
{VARIANT}
"""
PLACE = """
block_id ID of the row's block; empty = belongs to no block
episode_index:int 1 = first episode of the block (explanations: written after it); empty = none
"""
VERSION = """
design_version:int design version that the participant started with
"""
COMMAND = """
verb verb as understood; empty = none
argument name as understood, in the world's spelling; empty = none
parse_status ok, normalised, or the error: unknown_verb, missing_argument, ...
ok:bool the action had an effect
code code of the result
params parameters of the result, JSON list
"""
AFTERWARDS = """
done:bool the episode is over after this action
success:bool the guardian is defeated by this action
attempt:int number of the attempt that the action belongs to
actions_used:int actions used, including this one
location location of the player afterwards
item item carried afterwards; empty = none
coins:int coins left afterwards
did what the player has done so far in this attempt, JSON list
"""
SOURCE = """
source hjstudy, or reference: a variant of the authors' package, played in its world
"""
RELEASE = """
release unreviewed, released or withheld: a researcher's decision on exactly this text
text_reason why the text was left out; empty = not left out
"""
