"""Columns of what people did: participant, block, episode, turn, timing, answer, explanation."""

from collections.abc import Mapping

from app.study.column_kinds import (
    BLOCK,
    EPISODE,
    RELEASE,
    VARIANT,
    VERSION,
    WHO,
    TableSpec,
    table,
)

PLAY: Mapping[str, TableSpec] = {
    "participant": table(
        "a person who agreed or declined",
        WHO,
        """
        study_kind demo, pilot or real
        design_version:int version of the design the person runs under
        arrival:int 1, 2, ... in the order of consent or refusal
        state active, finished, no_consent, screened_out, failed_check, over_quota, withdrawn, ...
        end_reason stable code beside the state
        excluded why the person is excluded from analysis (shareable: yes); empty = included
        tag group, such as linguist
        consent_hash sha256 of consent version and text
        created_at:time when the row was made
        consented_at:time time of 'I agree'
        instructions_at:time instructions left
        practice_at:time practice left
        finished_at:time end of the finish transaction
        ended_at:time when the state stopped being active
        duration_ms:int from consent to finish
        resume_count:int returns after a gap longer than the idle limit
        longest_gap_s:int longest gap, seconds
        blocks:int blocks assigned
        episodes:int main episodes assigned
        episodes_finished:int of these ended
        actions:int stored actions of the main episodes
        analysed:bool the person counts in baseline and summary
        left_out why not: test, no_consent, screened_out, ..., excluded, no_episode; else empty
        is_erased:bool the person left and their data were erased: only this tombstone is kept
        page page the person stands before or left: consent, ..., w1-g2, finished; empty once erased
        """,
    ),
    "block": table(
        "a variant assigned to a person",
        WHO,
        BLOCK,
        VARIANT,
        """
        family attribute or procedural
        form rule form: additive, compositional, conditional, override
        classes:int number of classes
        roles:int number of roles
        distractors:int demonstrations without a pattern
        n_tries:int attempts of a brute-force player
        episodes:int main episodes assigned
        episodes_finished:int of these ended
        episodes_won:int of these won
        explanations:int rule forms sent
        """,
        VERSION,
    ),
    "episode": table(
        "an episode (a guardian to defeat, or to answer for)",
        EPISODE,
        """
        variant_episode:int index into the variant's episodes
        entity name of the guardian
        class class of the guardian
        role role of the guardian
        answer what the hidden rule requires
        ref_length:int actions of a perfect solution
        n_tries:int attempts of a brute-force player
        budget:int actions allowed; empty = no limit
        state open, won or lost
        voided:bool voided by hand: counts nowhere
        success:bool the guardian was defeated (direct: the answer was right); empty while open
        actions_used:int actions used
        attempts:int failed defeats at the guardian, + 1 on success; empty while open
        t:number actions_used / ref_length of an ended episode; empty in practice and direct format
        norm_eff:number (n_tries / t - 1) / (n_tries - 1) of a success; else empty
        attempt_norm_eff:number the same with t = attempts, at least 0
        mistyped:int actions that were not understood
        stated_item direct format: the item as typed; empty elsewhere
        stated_activity direct format: perform or drink
        stated_placed direct format: before or after
        stated_times:int direct format: how many times, where the rule decides it
        started_ms:ms time of the first action
        ended_ms:ms time of the last action
        duration_ms:int from the first to the last action
        finished_at:time when it ended
        engine_name engine that ran the episode
        engine_version version of its rules and words
        code_version version of the server
        replay_ok:bool the episode replays to exactly what is stored
        """,
        VERSION,
    ),
    "turn": table(
        "a command",
        EPISODE,
        """
        seq:int 1 = first action of the episode
        raw exactly as typed (CRLF as LF); empty in a shareable bundle where it holds an id
        verb verb understood; empty = none
        argument name understood, as the world writes it; empty = none
        parse_status ok, normalised, or what was wrong: unknown_verb, missing_argument, ...
        ok:bool the action did something
        code observation code
        params its parameters, JSON list
        message the words shown
        done:bool the episode is over after this action
        success:bool the guardian is defeated by this action
        attempt:int attempt this action belongs to
        actions_used:int actions used after this one
        location where the player stands afterwards
        item item carried afterwards; empty = none
        coins:int coins left
        did what this attempt did so far, JSON list
        received_ms:ms server clock
        client_ms:ms browser clock at sending; empty without script
        think_ms:int browser's monotonic time since the last answer
        taps:int names inserted by tapping; empty without script
        digest blake2b-128 over the previous digest and this row
        """,
        VERSION,
    ),
    "timing": table(
        "an episode, by the clock",
        EPISODE,
        """
        actions:int stored actions
        lead_ms:int from the person's step before to the first action: reading and thinking
        wall_ms:int from the first to the last action
        active_ms:int wall_ms without the gaps longer than idle_limit_ms
        idle_ms:int sum of the gaps longer than idle_limit_ms
        idle_gaps:int how many gaps were longer than idle_limit_ms
        idle_limit_ms:int the study's idle limit (idle_minutes of the clocks)
        longest_gap_ms:int longest time between two actions; empty with fewer than two
        first_think_ms:int first action: browser's time since the page came; empty without script
        think_ms:int sum of the browser's times before each action; empty without script
        hidden_ms:int time the page was hidden; empty without process data
        hidden_times:int how often it was hidden; empty without process data
        """,
        VERSION,
    ),
    "answer": table(
        "an answer to a question or the end comment; each new try is a row of its own",
        WHO,
        """
        phase before, comprehension or after
        attempt:int 1 = first try
        question the question's key in the study file
        value the answer as given
        is_right:bool against a stated answer; empty where none is stated
        created_at:time when it was sent
        kind choice, number, text or comment; text and comment are free text
        """,
        RELEASE,
        VERSION,
    ),
    "explanation": table(
        "a rule form that was sent",
        WHO,
        BLOCK,
        """
        episode_id name of the episode: participant, world, guardian
        episode_index:int 1 = first episode of the block; later ones are informed by earlier ones
        task A-Add ... P-Over, or an own task
        seed:int variant seed
        lexicon semantic, nonce or an own one
        coverage shown share of the source demonstrations: 0, 1/3, 2/3, 1, 2
        format episodic or direct
        variant_hash sha256 of the variant's canonical JSON
        explanation_id name of the explanation
        asked after_episode or after_block
        is_last:bool the last explanation of its block
        form one (a single text) or three (parts)
        text the rule as one text (form one)
        inputs which traits matter (form three)
        output what they decide (form three)
        how how they decide it (form three)
        do_not_know:bool 'I do not know' was ticked
        confidence:int 0 to 100; empty = not given
        found_how how it was found
        design_version:int version of the design the person runs under
        created_at:time when it was sent
        """,
        RELEASE,
    ),
}
