"""Columns of rating: item, sample, rating, adjudication, judge."""

from collections.abc import Mapping

from app.study.column_kinds import PLACE, RELEASE, TableSpec, table

ITEM = """
study slug of the study
item_id name of the item: a player's explanation_id, or the id that an import gave
item_kind player or model
source players, or the model's name
participant_id of a player's item; else empty
task A-Add ... P-Over, or an own task
seed:int variant seed
lexicon semantic, nonce or an own one
coverage shown share of the source demonstrations
variant_hash sha256 of the variant's canonical JSON
"""
CRITERIA = """
value:int 0 wrong, 1 part of the structure, 2 right structure; empty: criteria mode or skipped
inputs:int 0 to 2, criteria mode
output:int 0 to 2, criteria mode
structure:int 0 to 2, criteria mode
generality:int 0 to 2, criteria mode
"""

RATED: Mapping[str, TableSpec] = {
    "item": table(
        "an explanation that can be rated: a player's or a model's",
        ITEM,
        """
        cluster author: a player's id, or model and variant
        text the explanation; three parts as one labelled text
        is_erased:bool its author left and had their data erased
        created_at:time when it became an item
        """,
        RELEASE,
        PLACE,
    ),
    "sample": table(
        "an item of the frame that a validation sample was drawn from",
        ITEM,
        """
        sample:int number of the sample within the study
        judge_run:int number of the judge run whose level stratifies
        level:int judge level of the item
        stratum stratum of the item
        place:int 1, 2, ... in the order of drawing; empty: not drawn
        weight:number weight of a drawn item: size of its stratum / drawn from it
        draw_seed:int seed of the draw
        """,
        PLACE,
    ),
    "rating": table(
        "an item before a rater, rated or not",
        ITEM,
        """
        round:int number of the rating round within the study
        mode overall (one score) or criteria (four)
        rubric_version version of the guidelines
        rubric_hash sha256 of the guidelines
        sample:int number of the sample that the round is made of, if it is of one
        role main, gold or training
        rater pseudonym, the same in a whole study
        repeat:int 1 = a hidden second showing
        position:int 1, 2, ... in the rater's order
        """,
        CRITERIA,
        """
        skip_reason why it cannot be rated; empty = rated, or not come to yet
        is_flagged:bool the rater wants it looked at
        comment as typed by the rater
        revisions:int how often it was saved; 0 = not yet
        first_value:int value as first given
        first_inputs:int as first given
        first_output:int as first given
        first_structure:int as first given
        first_generality:int as first given
        first_at:time first saved
        saved_at:time saved last
        active_ms:int page in view and in use, all saves together
        wall_ms:int from page made to saved, all saves together
        text_reason why the comment is kept back; empty = it is not
        first_skip_reason skip reason as first given
        known_value:int answer known beforehand, of gold and training items; else empty
        known_inputs:int as known, criteria mode
        known_output:int as known, criteria mode
        known_structure:int as known, criteria mode
        known_generality:int as known, criteria mode
        rule_version our wording of the rules when the round opened; empty: not stored then
        first_rule_version wording on the page of the first save; empty: none, or not stored then
        saved_rule_version wording on the page of the last save; empty: none, or not stored then
        """,
        PLACE,
    ),
    "adjudication": table(
        "a decision where raters disagreed; the newest of an item and round",
        ITEM,
        """
        round:int number of the rating round within the study
        """,
        CRITERIA,
        """
        comment why
        revision:int how often it was decided
        decided_at:time when it was decided
        text_reason why the comment is kept back; empty = it is not
        """,
        PLACE,
    ),
    "model_result": table(
        "an episode of a model (or its answer in the direct format), imported beside the study",
        """
        study slug of the study
        model as the file names it
        task A-Add ... P-Over, or an own task
        seed:int variant seed
        lexicon semantic, nonce or an own one
        coverage shown share of the source demonstrations
        format episodic or direct
        variant_hash sha256 of the variant's canonical JSON; empty: no variant of the study
        episode_index:int 1 = first held-out guardian of the variant
        success:bool won, or stated right
        actions_used:int actions of the episode; 1 in the direct format
        ref_length:int actions of the shortest solution
        n_tries:int attempts of a brute-force player
        rv:number RV of the model's explanation of the variant, 0 to 1
        source rows (our lines) or reference (the reference package's result file)
        """,
    ),
    "judge": table(
        "a judge's answer on an item",
        ITEM,
        """
        judge_run:int number of the judge run within the study
        run_kind file (imported) or llm (asked by the server)
        judge name of the judge
        model model behind it
        prompt_version version of its prompt
        parameters JSON: temperature and the like
        status ok or malformed
        """,
        CRITERIA,
        """
        problem why it is malformed
        raw the judge's answer as it came
        created_at:time when it was stored
        text_reason why the raw answer is kept back; empty = it is not
        """,
        PLACE,
    ),
}
