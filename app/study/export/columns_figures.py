"""Columns of what is worked out: baseline, summary, variant, flow."""

from collections.abc import Mapping

from app.study.column_kinds import BLOCK, VARIANT, VERSION, WHO, TableSpec, table

FIGURES: Mapping[str, TableSpec] = {
    "baseline": table(
        "a unit: a person and a block, so person x task where a task is played in one block",
        WHO,
        BLOCK,
        VARIANT,
        """
        analysed:bool the person counts: the summary is made of these rows
        left_out why the person does not count; empty = counts
        episodes:int episodes that count: with an action, not voided, not still in play
        successes:int of these won (direct format: right answers)
        unfinished:int of these begun and never finished: failures here
        voided:int episodes voided by hand: counted nowhere
        success_rate:number successes / episodes
        norm_eff:number mean norm_eff of the successes; empty without one
        ecsr:number sum of norm_eff / episodes, failures count 0
        attempt_norm_eff:number norm_eff with attempts for actions
        attempt_ecsr:number ecsr with attempts for actions
        first_success_rate:number the same figures of the first episode of the block alone
        first_norm_eff:number norm_eff of the first episode, if it was won
        first_ecsr:number ecsr of the first episode
        first_attempt_norm_eff:number the same with attempts for actions
        first_attempt_ecsr:number the same with attempts for actions
        clean_norm_eff:number norm_eff where mistyped commands cost nothing
        clean_ecsr:number ecsr where mistyped commands cost nothing
        finished_success_rate:number unfinished episodes taken as missing, not as failures
        finished_ecsr:number unfinished episodes taken as missing, not as failures
        figure_reason why figures are empty: no_episode, direct_format, no_success
        rv:number RV of the last explanation by the study's main source (see rv_source)
        rv_source judge, human or final: which ratings the study names as the main ones
        rv_judge:number mean judge score / 2
        rv_human:number mean rating / 2
        rv_final:number adjudicated rating / 2; without one rv_human
        first_rv_judge:number the same of the first explanation of the block
        first_rv_human:number the same of the first explanation of the block
        first_rv_final:number the same of the first explanation of the block
        rv_reason why rv is empty: no_explanation, not_rated, no_episode (none that counts)
        """,
        VERSION,
        """
        first_clean_norm_eff:number clean_norm_eff of the first episode of the block alone
        first_clean_ecsr:number clean_ecsr of the first episode
        first_finished_success_rate:number finished_success_rate of the first episode
        first_finished_ecsr:number finished_ecsr of the first episode
        """,
    ),
    "summary": table(
        "a figure of a task in one condition",
        """
        study slug of the study
        task A-Add ... P-Over, or an own task; all = mean of the tasks' figures
        lexicon semantic, nonce or an own one
        coverage shown share of the source demonstrations
        format episodic or direct
        scope all (episodes; RV: last explanation) or first (of each block; RV: first explanation)
        figure success_rate, norm_eff, ecsr, attempt_ecsr, rv_judge, rv_human, rv_final
        value:number mean over units
        low:number lower end of the 95 % interval (bootstrap over players)
        high:number upper end
        reason why there is no value or no interval; empty = there is one
        players:int players behind the value
        units:int units (player x block) behind the value
        replicates:int bootstrap replicates
        seed:int seed of the bootstrap
        """,
    ),
    "variant": table(
        "a variant that somebody here was given, or an explanation here is about",
        """
        study slug of the study
        variant_hash sha256 of the variant's canonical JSON
        task A-Add ... P-Over, or an own task
        seed:int variant seed
        lexicon semantic, nonce or an own one
        coverage shown share of the source demonstrations
        family attribute or procedural
        form rule form: additive, compositional, conditional, override
        classes:int number of classes
        roles:int number of roles
        distractors:int demonstrations without a pattern
        demonstrations:int demonstrations shown, distractors among them
        episodes:int held-out guardians
        n_tries:int attempts of a brute-force player
        unique:bool the demonstrations leave one prediction for each held-out guardian: the truth
        rules_consistent:int rules of the task's form that fit all demonstrations
        twins:int rules of the form with class and role exchanged that fit, too
        rivals:int rules of other forms that fit, too
        contextual_bias:number chance to be right at once by copying an answer that was shown
        share_determined:number share of held-out guardians with exactly one prediction left
        conditions the paper's conditions by name, JSON object of true/false
        floor_oracle:number expected ECSR of a player who knows the rule
        floor_enumerator:number expected ECSR of trying every answer in order
        floor_copycat:number expected ECSR of copying answers that were shown
        floor_inducer:number expected ECSR of trying what the demonstrations leave open
        floor_eliminator:number expected ECSR of trying first what was shown least often
        floor_neighbour:number expected ECSR of copying the same class, then the same role
        floor_prior:number expected ECSR of trying first what the tables make probable
        certificate the whole certificate, JSON
        content the whole variant, canonical JSON: world, rule and answers
        """,
    ),
    "flow": table(
        "a stage of the way, or a reason why people left there",
        """
        study slug of the study
        stage arrived, consented, instructions, practice, played, finished; analysed (of all)
        stage_index:int 1 = arrived
        kind reached (got to the stage) or left (to no later one; erased people: none that is known)
        reason why: state and reason code, or (analysed) left_out; empty for reached
        people:int how many people
        """,
    ),
}
