"""Columns of computed tables: baseline, summary, variant, flow."""

from collections.abc import Mapping

from app.study.column_kinds import BLOCK, SOURCE, VARIANT, VERSION, WHO, TableSpec, table

FIGURES: Mapping[str, TableSpec] = {
    "baseline": table(
        "a unit: one participant in one block",
        WHO,
        BLOCK,
        VARIANT,
        """
        analysed:bool the participant counts; summary uses only these rows
        left_out why the participant does not count; empty = counts
        episodes:int episodes that count: with an action, not voided, not still in progress
        successes:int episodes won (direct format: correct answers)
        unfinished:int episodes begun but never finished, counted as failures
        voided:int episodes that a researcher voided; they never count
        success_rate:number successes / episodes
        norm_eff:number mean norm_eff of the successes; empty without one
        ecsr:number sum of norm_eff / episodes, where failures are 0
        attempt_norm_eff:number norm_eff computed from attempts instead of actions
        attempt_ecsr:number ecsr computed from attempts instead of actions
        first_success_rate:number success_rate of the first episode of the block only
        first_norm_eff:number norm_eff of the first episode, if it was won
        first_ecsr:number ecsr of the first episode
        first_attempt_norm_eff:number attempt_norm_eff of the first episode
        first_attempt_ecsr:number attempt_ecsr of the first episode
        clean_norm_eff:number norm_eff if mistyped commands cost no action
        clean_ecsr:number ecsr if mistyped commands cost no action
        finished_success_rate:number success_rate with unfinished episodes as missing
        finished_ecsr:number ecsr with unfinished episodes as missing
        figure_reason why values are empty: no_episode, direct_format, no_success
        rv:number RV of the last explanation, from the study's main ratings (see rv_source)
        rv_source judge, human or final: the study's main ratings
        rv_judge:number mean RV over judges: score / 2, or sum of the four criteria / 8
        rv_human:number mean RV over ratings: value / 2, or sum of the four criteria / 8
        rv_final:number RV of the adjudicated rating, or else rv_human
        first_rv_judge:number rv_judge of the first explanation of the block
        first_rv_human:number rv_human of the first explanation of the block
        first_rv_final:number rv_final of the first explanation of the block
        rv_reason why rv is empty: no_explanation, not_rated, no_episode (none counts)
        """,
        VERSION,
        """
        first_clean_norm_eff:number clean_norm_eff of the first episode of the block only
        first_clean_ecsr:number clean_ecsr of the first episode
        first_finished_success_rate:number finished_success_rate of the first episode
        first_finished_ecsr:number finished_ecsr of the first episode
        """,
        SOURCE,
    ),
    "summary": table(
        "one measure of a task in one condition",
        """
        study slug of the study
        task A-Add ... P-Over, or a task of the study; all = mean of the tasks' values
        lexicon semantic, nonce or a lexicon of the study
        coverage share of the source demonstrations that is shown
        format episodic or direct
        scope all (episodes; RV: last explanation) or first (of each block; RV: first explanation)
        figure success_rate, norm_eff, ecsr, attempt_ecsr, rv_judge, rv_human, rv_final
        value:number mean over units
        low:number lower bound of the 95 % interval (over players; shares: with made-up episodes)
        high:number upper bound
        reason why there is no value or no interval; empty = there are both
        players:int players behind the value
        units:int units (player x block) behind the value
        replicates:int bootstrap replicates
        seed:int seed of the bootstrap
        """,
    ),
    "variant": table(
        "a variant that a participant or a model was given, or the subject of an explanation",
        """
        study slug of the study
        variant_hash sha256 of the variant's canonical JSON
        task A-Add ... P-Over, or a task of the study
        seed:int variant seed
        lexicon semantic, nonce or a lexicon of the study
        coverage share of the source demonstrations that is shown
        family attribute or procedural
        form rule form: additive, compositional, conditional, override
        classes:int number of classes
        roles:int number of roles
        distractors:int demonstrations that do not follow the rule
        demonstrations:int demonstrations shown, including distractors
        episodes:int held-out guardians
        n_tries:int attempts that a brute-force player needs
        unique:bool the demonstrations determine the correct answer for every held-out guardian
        rules_consistent:int rules of the task's form that fit all demonstrations
        twins:int rules of the form with class and role swapped that also fit
        rivals:int rules of other forms that also fit
        contextual_bias:number probability that copying a shown answer is right at the first attempt
        share_determined:number share of held-out guardians whose answer is determined
        conditions the paper's conditions by name, JSON object of true/false
        floor_oracle:number expected ECSR of a player who knows the rule
        floor_enumerator:number expected ECSR of trying every answer in random order
        floor_copycat:number expected ECSR of copying shown answers
        floor_inducer:number expected ECSR of trying the answers that the demonstrations leave open
        floor_eliminator:number expected ECSR of trying the least often shown answers first
        floor_neighbour:number expected ECSR of copying the same class, then the same role
        floor_prior:number expected ECSR of trying the likeliest answers, without knowing any words
        certificate the complete certificate, JSON
        content the complete variant, canonical JSON: world, rule and answers
        """,
        SOURCE,
    ),
    "flow": table(
        "a stage of the study, or a reason why people left it there",
        """
        study slug of the study
        stage arrived, consented, instructions, practice, played, finished; analysed
        stage_index:int 1 = arrived
        kind reached (the stage) or left (reached no later stage that is still known)
        reason state and reason code, or left_out (stage analysed); empty for reached
        people:int number of people
        """,
    ),
}
