"""Columns of models' runs: model_run, model_episode, model_turn, model_call."""

from collections.abc import Mapping

from app.study.column_kinds import AFTERWARDS, COMMAND, SOURCE, TableSpec, table

RUN = """
study slug of the study
run:int number of the run within the study
"""
PLAYER = """
player_kind model (asked by hjstudy) or agent (a program that plays through the API)
"""
SHAPE = """
task A-Add ... P-Over, or a task of the study
seed:int variant seed
lexicon semantic, nonce or a lexicon of the study
coverage share of the source demonstrations that is shown
format episodic or direct
variant_hash sha256 of the variant's canonical JSON
"""

MODELS: Mapping[str, TableSpec] = {
    "model_run": table(
        "a run, in which a model played variants of the study or judged explanations",
        RUN,
        """
        kind play or judge
        label name of the run in other tables: model_result.model, item.source, judge.judge
        """,
        PLAYER,
        """
        model name of the model at its endpoint, or of the agent
        method plain, react, hr, idea, ace, direct or agent; for judges: overall or criteria
        preset paper or package; for agents: participants or budget_hidden
        parameters what was sent with every request, JSON
        explains what explanations are based on: demonstrations, played or none
        playbook ACE: variants from which it learns, other or same; otherwise empty
        repeats:int for judges: scores per explanation; otherwise 1
        cells:int variants of the run
        prompt_version version of the prompts
        prompts SHA-256 of every prompt, JSON
        design_version:int version of the design whose variants were played
        engine_version version of the engine's rules and words
        code_version version of hjstudy, with its commit if it is known
        state open, finished or stopped
        problem why it stopped; left out of shareable bundles
        calls:int calls, including repeated ones
        answered:int calls with an answer
        prompt_tokens:int tokens of the prompts, as counted by the endpoint, or else estimated
        completion_tokens:int tokens of the answers, as counted by the endpoint, or else estimated
        ms:int time of all calls together, milliseconds
        price_input:number price of a million tokens of prompts; empty = not known
        price_output:number price of a million tokens of answers; empty = not known
        cost:number price of all tokens; empty = not known
        created_at:time when it was started
        finished_at:time when it was finished
        """,
    ),
    "model_episode": table(
        "an episode of a model, or its answer in the direct format",
        RUN,
        """
        label name of the run in other tables
        """,
        PLAYER,
        """
        unit name of the episode in model_turn and model_call
        """,
        SHAPE,
        """
        variant_episode:int index into the variant's episodes
        entity name of the guardian
        ref_length:int actions of the shortest solution
        n_tries:int attempts that a brute-force player needs
        budget:int number of actions allowed
        state won or lost
        ended won, lost (budget used up), patience (too many refusals) or context (prompt too long)
        actions_used:int number of actions used
        attempts:int failed attempts, plus 1 on success
        t:number actions_used / ref_length; empty in the direct format
        norm_eff:number (n_tries / t - 1) / (n_tries - 1), at least 0; empty without success
        unreadable:int answers that named no command
        stated direct format: the answer, JSON; shareable bundles leave out one that holds an ID
        advice last hypothesis, or the playbook; left out of shareable bundles
        words_hash SHA-256 of the words that the model was given; empty = not the game's own words
        engine_name engine that ran the episode
        engine_version version of the engine's rules and words
        code_version version of hjstudy
        digest digest of the last turn; empty = a command was left out
        finished_at:time when it ended
        """,
        SOURCE,
    ),
    "model_turn": table(
        "a command of a model",
        RUN,
        """
        label name of the run in other tables
        """,
        PLAYER,
        """
        unit name of the episode in model_episode
        """,
        SHAPE,
        """
        variant_episode:int index into the variant's episodes
        seq:int 1 = first action of the episode
        raw the command that the answer named; shareable bundles leave out those that hold an ID
        """,
        COMMAND,
        """
        message text shown to the model
        """,
        AFTERWARDS,
        """
        received_ms:ms server clock when the answer came
        think_ms:int time of the call that named the command
        digest blake2b-128 over the previous digest and this row; empty = a command was left out
        """,
    ),
    "model_call": table(
        "an attempt at a question to a model, or a step of an agent",
        RUN,
        """
        label name of the run in other tables
        """,
        PLAYER,
        """
        unit what the question belongs to: episode, playbook, explanation or item
        n:int number of the question within the unit
        attempt:int 1 = first; higher after transport faults
        purpose action, hypothesis, revision, reflection, duplicates, answer, explanation, judgement
        prompt_hash SHA-256 of the prompt
        status class of the answer (ok, length, empty, ...) or of the fault (rate_limited, ...)
        request JSON body of the request, with the prompt
        text what the method received
        raw body of the answer, unchanged except for *** in place of a key
        problem the fault in words
        prompt_tokens:int tokens of the prompt, as counted by the endpoint, or else estimated
        completion_tokens:int tokens of the answer, as counted by the endpoint, or else estimated
        ms:int time of this attempt
        created_at:time when the answer came
        text_reason why request, text, raw and problem were left out; empty = not left out
        """,
    ),
}
