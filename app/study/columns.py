"""What every export holds: tables, columns and their order, as data.

The order is fixed within a major format version. docs/codebook.md says what each column means.
"""

from collections.abc import Mapping
from typing import NamedTuple

FORMAT_VERSION = "1.0"  # a renamed, moved or removed column makes a new major version


class Column(NamedTuple):
    """One column. `kind`: text, int, number (float), bool, time (UTC) or ms (since 1970)."""

    name: str
    kind: str


def columns(text: str) -> tuple[Column, ...]:
    """Read `name:kind name:kind ...`; a name alone is text."""
    pairs = (part.partition(":") for part in text.split())
    return tuple(Column(name, kind or "text") for name, _, kind in pairs)


WHO = "study participant_id is_test:bool"
BLOCK = f"{WHO} block_id block_index:int task seed:int lexicon coverage format variant_hash"
EPISODE = (
    f"{WHO} kind block_id block_index:int episode_id episode_index:int "
    "task seed:int lexicon coverage format variant_hash"
)

EXPORT_COLUMNS: Mapping[str, tuple[Column, ...]] = {
    "participant": columns(
        f"""{WHO} study_kind design_version:int arrival:int state end_reason excluded tag
        consent_hash created_at:time consented_at:time instructions_at:time practice_at:time
        finished_at:time ended_at:time duration_ms:int resume_count:int longest_gap_s:int
        blocks:int episodes:int episodes_finished:int actions:int"""
    ),
    "block": columns(
        f"""{BLOCK} family form classes:int roles:int distractors:int n_tries:int
        episodes:int episodes_finished:int episodes_won:int explanations:int"""
    ),
    "episode": columns(
        f"""{EPISODE} variant_episode:int entity class role answer
        ref_length:int n_tries:int budget:int state voided:bool success:bool actions_used:int
        attempts:int t:number norm_eff:number attempt_norm_eff:number mistyped:int
        stated_item stated_activity stated_placed stated_times:int
        started_ms:ms ended_ms:ms duration_ms:int finished_at:time
        engine_name engine_version code_version replay_ok:bool"""
    ),
    "turn": columns(
        f"""{EPISODE} seq:int raw verb argument parse_status ok:bool code params message
        done:bool success:bool attempt:int actions_used:int location item coins:int did
        received_ms:ms client_ms:ms think_ms:int taps:int digest"""
    ),
    "answer": columns(f"{WHO} phase attempt:int question value is_right:bool created_at:time"),
    "explanation": columns(
        f"""{WHO} block_id block_index:int episode_id episode_index:int
        task seed:int lexicon coverage format variant_hash
        explanation_id asked is_last:bool form text inputs output how do_not_know:bool
        confidence:int found_how design_version:int created_at:time"""
    ),
}
TABLES: tuple[str, ...] = tuple(EXPORT_COLUMNS)
