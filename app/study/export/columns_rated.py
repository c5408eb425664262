"""Columns of rating: item, sample, rating, adjudication, judge."""

from collections.abc import Mapping

from app.study.column_kinds import PLACE, RELEASE, TableSpec, table

ITEM = """
study slug of the study
item_id ID of the item: explanation_id, or the ID in the import (models)
item_kind player or model
source players, or the model's name
participant_id author of a player's item; otherwise empty
task A-Add ... P-Over, or a task of the study
seed:int variant seed
lexicon semantic, nonce or a lexicon of the study
coverage share of the source demonstrations that is shown
variant_hash sha256 of the variant's canonical JSON
"""
CRITERIA = """
value:int 0 wrong, 1 part of the structure, 2 right structure; empty = criteria mode or skipped
inputs:int 0 to 2, criteria mode
output:int 0 to 2, criteria mode
structure:int 0 to 2, criteria mode
generality:int 0 to 2, criteria mode
"""

RATED: Mapping[str, TableSpec] = {
    "item": table(
        "an explanation to rate, by a player or a model",
        ITEM,
        """
        cluster author: participant_id, or model and variant
        text the explanation; three parts become one labelled text
        is_erased:bool the author's data were erased
        created_at:time when it became an item
        """,
        RELEASE,
        PLACE,
    ),
    "sample": table(
        "an item in the frame of a validation sample",
        ITEM,
        """
        sample:int number of the sample within the study
        judge_run:int number of the judge run whose levels define the strata
        level:int judge level of the item
        stratum stratum of the item
        place:int 1, 2, ... in the order of drawing; empty = not drawn
        weight:number weight of a drawn item: size of its stratum / items drawn from it
        draw_seed:int seed of the draw
        """,
        PLACE,
    ),
    "rating": table(
        "an item assigned to an annotator, rated or not",
        ITEM,
        """
        round:int number of the rating round within the study
        mode overall (one score) or criteria (four)
        rubric_version version of the guidelines
        rubric_hash sha256 of the guidelines
        sample:int number of the round's sample, if it has one
        role main, gold or training
        rater pseudonym of the annotator, the same in all rounds of a study
        repeat:int 1 = hidden repeat; 0 = first showing
        position:int 1, 2, ... in the annotator's order
        """,
        CRITERIA,
        """
        skip_reason why the item was skipped; empty = rated, or not saved yet
        is_flagged:bool the annotator flagged the item
        comment comment as typed by the annotator
        revisions:int number of saves; 0 = not saved yet
        first_value:int value of the first save
        first_inputs:int inputs of the first save
        first_output:int output of the first save
        first_structure:int structure of the first save
        first_generality:int generality of the first save
        first_at:time when it was first saved
        saved_at:time when it was last saved
        active_ms:int time the page was visible and in use, summed over all saves
        wall_ms:int time from opening the page to saving, summed over all saves
        text_reason why the comment was left out; empty = not left out
        first_skip_reason skip_reason of the first save
        known_value:int known answer to gold and training items; otherwise empty
        known_inputs:int known answer, criteria mode
        known_output:int known answer, criteria mode
        known_structure:int known answer, criteria mode
        known_generality:int known answer, criteria mode
        rule_version version of the rules' wording when the round opened; empty = not stored
        first_rule_version version shown at the first save; empty = no save, or not stored
        saved_rule_version version shown at the last save; empty = no save, or not stored
        """,
        PLACE,
        """
        presentation form in which raters saw the text; empty = as written
        ask_source when annotators are asked who wrote it: off, item (each time), round (at its end)
        source_guess person, model or unknown, in the annotator's view; empty = not answered
        first_source_guess source_guess as first answered
        guessed_at:time when source_guess was saved
        gold_feedback:bool annotators saw the answer after each gold item
        gold_least:int annotators with a lower % of right gold items were paused; 0 = never
        handed_from pseudonym of the annotator who had the item before; empty = never handed over
        """,
    ),
    "adjudication": table(
        "the newest decision on an item on which annotators of a round disagreed",
        ITEM,
        """
        round:int number of the rating round within the study
        """,
        CRITERIA,
        """
        comment reason for the decision
        revision:int number of decisions so far
        decided_at:time when it was decided
        text_reason why the comment was left out; empty = not left out
        """,
        PLACE,
        """
        opinions scores that adjudicators gave independently, such as 0; 2; empty = one decided
        """,
    ),
    "model_result": table(
        "an episode of a model, or its answer in the direct format",
        """
        study slug of the study
        model name of the model, as in the file, or label of the run
        task A-Add ... P-Over, or a task of the study
        seed:int variant seed
        lexicon semantic, nonce or a lexicon of the study
        coverage share of the source demonstrations that is shown
        format episodic or direct
        variant_hash sha256 of the variant's canonical JSON; empty = not a variant of the study
        episode_index:int 1 = first held-out guardian of the variant
        success:bool the episode was won, or the stated answer was correct
        actions_used:int actions of the episode; 1 in the direct format
        ref_length:int actions of the shortest solution
        n_tries:int attempts that a brute-force player needs
        rv:number RV of the model's explanation of the variant, 0 to 1
        source rows (CSV or JSON Lines), reference (result file of herosjourney) or run (hjstudy)
        """,
    ),
    "judge": table(
        "a judge's answer for an item",
        ITEM,
        """
        judge_run:int number of the judge run within the study
        run_kind file (imported) or llm (asked by hjstudy)
        judge name of the judge
        model model behind the judge
        prompt_version version of its prompt
        parameters JSON with the parameters, such as temperature
        status ok or malformed
        """,
        CRITERIA,
        """
        problem why the answer is malformed
        raw the judge's answer as received
        created_at:time when it was stored
        text_reason why the raw answer was left out; empty = not left out
        """,
        PLACE,
    ),
}
