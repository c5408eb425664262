"""Columns of participants' data: participant, block, episode, turn, timing, answer, explanation."""

from collections.abc import Mapping

from app.study.column_kinds import (
    AFTERWARDS,
    BLOCK,
    COMMAND,
    EPISODE,
    RELEASE,
    SOURCE,
    VARIANT,
    VERSION,
    WHO,
    TableSpec,
    table,
)

PLAY: Mapping[str, TableSpec] = {
    "participant": table(
        "a person who consented or declined",
        WHO,
        """
        study_kind demo, pilot, real or bots
        design_version:int design version that the participant started with
        arrival:int 1, 2, ... in the order of consenting or declining; test people count too
        state active, finished, no_consent, screened_out, failed_check, over_quota, withdrawn, ...
        end_reason stable code that explains the state
        excluded why the participant is excluded from analysis (shareable: yes); empty = included
        tag group of participants, such as linguist
        consent_hash sha256 of version and text of the consent page
        created_at:time when the row was created
        consented_at:time when they chose 'I agree'
        instructions_at:time when they left the instructions
        practice_at:time when they left the practice
        finished_at:time when they finished the study
        ended_at:time when the participant stopped being active
        duration_ms:int from consent to finish
        resume_count:int number of returns after a gap longer than the idle limit
        longest_gap_s:int longest gap, in seconds
        blocks:int blocks assigned
        episodes:int main episodes assigned
        episodes_finished:int main episodes ended
        actions:int stored actions of the main episodes
        analysed:bool the participant counts in baseline and summary
        left_out why not: test, no_consent, screened_out, ..., excluded, no_episode; empty = counts
        is_erased:bool the participant's data were erased; only this tombstone is left
        page current or last page: consent, ..., w1-g2, w1-g2-rule, ..., finished; empty once erased
        """,
    ),
    "block": table(
        "a variant assigned to a participant",
        WHO,
        BLOCK,
        VARIANT,
        """
        family attribute or procedural
        form rule form: additive, compositional, conditional, override
        classes:int number of classes
        roles:int number of roles
        distractors:int demonstrations that do not follow the rule
        n_tries:int attempts that a brute-force player needs
        episodes:int main episodes assigned
        episodes_finished:int main episodes ended
        episodes_won:int main episodes won
        explanations:int rule forms sent
        """,
        VERSION,
        SOURCE,
    ),
    "episode": table(
        "an episode (direct format: a question about one guardian)",
        EPISODE,
        """
        variant_episode:int index into the variant's episodes
        entity name of the guardian
        class class of the guardian
        role role of the guardian
        answer what the hidden rule requires
        ref_length:int actions of the shortest solution
        n_tries:int attempts that a brute-force player needs
        budget:int number of actions allowed; empty = no limit
        state open, won or lost
        voided:bool a researcher voided the episode; it never counts
        success:bool the guardian was defeated (direct: the answer was correct); empty while open
        actions_used:int number of actions used
        attempts:int failed attempts, plus 1 on success; empty while open
        t:number actions_used / ref_length; empty while open, in practice and in the direct format
        norm_eff:number (n_tries / t - 1) / (n_tries - 1); empty without success
        attempt_norm_eff:number the same with t = attempts, but not below 0
        mistyped:int actions that were not understood
        stated_item direct format: item as typed; otherwise empty
        stated_activity direct format: perform or drink
        stated_placed direct format: before or after
        stated_times:int direct format: number of times, if the rule decides it
        started_ms:ms time of the first action
        ended_ms:ms time of the last action
        duration_ms:int from the first to the last action
        finished_at:time when it ended
        engine_name engine that ran the episode
        engine_version version of the engine's rules and words
        code_version version of hjstudy
        replay_ok:bool replaying the episode gives exactly the stored data
        """,
        VERSION,
        """
        floor_oracle:number expected ECSR in this episode of a bot that knows the rule
        floor_inducer:number the same of a bot that tries the answers that demonstrations leave open
        floor_enumerator:number the same of a bot that tries every possible answer
        floor_copycat:number the same of a bot that tries the answers shown
        floor_eliminator:number the same of a bot that tries the least often shown answers first
        floor_neighbour:number the same of a bot that copies the same class, then the same role
        floor_prior:number the same of a bot that knows the tables, but no demonstrations or words
        words_hash SHA-256 of the words before the first action (see language); empty = other engine
        player_kind participant; model and agent are in model_episode
        """,
        SOURCE,
        """
        language language of the pages; if not en, words_hash is of it, a line break, English words
        """,
    ),
    "turn": table(
        "a command",
        EPISODE,
        """
        seq:int 1 = first action of the episode
        raw as typed, without invisible characters; shareable bundles leave some out (text_reason)
        """,
        COMMAND,
        """
        message text shown to the player
        """,
        AFTERWARDS,
        """
        received_ms:ms server clock
        client_ms:ms browser clock at sending; empty without JavaScript
        think_ms:int time since the last result, by the browser's monotonic clock
        taps:int number of names and verbs inserted by tapping; empty without JavaScript
        digest blake2b-128 over the previous digest and this row; empty = a command was left out
        """,
        VERSION,
        RELEASE,
    ),
    "timing": table(
        "the times of an episode",
        EPISODE,
        """
        actions:int stored actions
        lead_ms:int from the participant's previous step to the first action: reading and thinking
        wall_ms:int from the first to the last action
        active_ms:int wall_ms minus all gaps longer than idle_limit_ms
        idle_ms:int sum of the gaps longer than idle_limit_ms
        idle_gaps:int number of gaps longer than idle_limit_ms
        idle_limit_ms:int the study's idle limit (idle_minutes in its clocks)
        longest_gap_ms:int longest time between two actions; empty with fewer than two
        first_think_ms:int first action: time since the page loaded; empty without JavaScript
        think_ms:int sum of turn.think_ms of all actions; empty without JavaScript
        hidden_ms:int how long the page was hidden; empty without process data
        hidden_times:int how often the page was hidden; empty without process data
        clock_back_ms:int how far the server clock was set back in the episode; empty = not measured
        """,
        VERSION,
    ),
    "answer": table(
        "an answer to a question, or the final comment; every try has its own row",
        WHO,
        """
        phase before, comprehension or after
        attempt:int 1 = first try
        question the question's key in the study file
        value the answer as given
        is_right:bool matches the correct answer in the study file; empty = there is none
        created_at:time when it was sent
        kind choice, number, text or comment; the last two are free text
        """,
        RELEASE,
        VERSION,
    ),
    "explanation": table(
        "a rule form that was sent",
        WHO,
        BLOCK,
        """
        episode_id ID of the episode: participant, block and position
        episode_index:int 1 = first episode of the block; players learn from earlier episodes
        task A-Add ... P-Over, or a task of the study
        seed:int variant seed
        lexicon semantic, nonce or a lexicon of the study
        coverage share of the source demonstrations that is shown: 0, 1/3, 2/3, 1, 2
        format episodic or direct
        variant_hash sha256 of the variant's canonical JSON
        explanation_id ID of the explanation
        asked after_episode or after_block
        is_last:bool the last explanation of its block
        form one (a single text) or three (parts)
        text the explanation as one text (form one)
        inputs which traits matter (form three)
        output what they decide (form three)
        how how they decide it (form three)
        do_not_know:bool 'I do not know' was ticked
        confidence:int 0 to 100; empty = not given
        found_how how the participant found the rule
        design_version:int design version that the participant started with
        created_at:time when it was sent
        """,
        RELEASE,
    ),
}
