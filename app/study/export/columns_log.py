"""Columns of the logs around the game: process, seat, hand, note, problem, sign, pause."""

from collections.abc import Mapping

from app.study.column_kinds import BLOCK, PLACE, RELEASE, WHO, TableSpec, table

LOG: Mapping[str, TableSpec] = {
    "process": table(
        "an event recorded by the browser's script, if the study records process data",
        WHO,
        """
        event_index:int 1, 2, ... in the order of storing, across all participants
        page path of the page below the participant's URL
        kind open, hidden, blur, focus, paste, keys, resize, latency or client
        value:int milliseconds (open, hidden, latency), characters (paste), keys, pixels (resize)
        detail viewport, field, or browser family and device (shareable: only what our script sends)
        client_ms:ms browser clock
        received_ms:ms server clock
        """,
        PLACE,
    ),
    "seat": table(
        "a line of the seat ledger",
        """
        study slug of the study
        participant_id random ID of the participant; empty = refused before there was a participant
        is_test:bool participant of a test link: a researcher or a bot trying out the study
        line:int 1, 2, ... in the order of writing
        event claimed, reclaimed, done, released or refused
        reason stable code, such as consent or expired
        cells cells concerned, JSON list of task/seed/lexicon/coverage/format
        at:time server clock
        """,
    ),
    "hand": table(
        "a manual action by a researcher on a participant",
        WHO,
        """
        line:int 1, 2, ... in the order of writing
        episode_id episode concerned, if any
        action extend, unstick, void, unvoid, exclude, include, end, note, bonus_sent or bonus_due
        reason as typed by the researcher
        at:time server clock
        text_reason why the reason was left out; empty = not left out
        """,
        PLACE,
    ),
    "note": table(
        "a participant's notebook for one block, as last saved",
        WHO,
        BLOCK,
        """
        text as typed
        revision:int how often it was saved
        updated_at:time when it was last saved
        """,
        RELEASE,
    ),
    "problem": table(
        "a problem that a participant reported",
        WHO,
        """
        line:int 1, 2, ... in the order of sending
        page path of the page it was sent from
        text as typed
        created_at:time when it was sent
        """,
        RELEASE,
        PLACE,
    ),
    "sign": table(
        "a participant's signs of automation: reasons to look at the replay, never verdicts",
        WHO,
        """
        observed:bool a script was seen in their browser
        sign_few_keys:bool explanations have at least 40 characters, and over 10 per keystroke
        sign_pasted:bool at least half of the explanations' characters were pasted
        sign_hidden:bool hidden_s is at least 60
        sign_even:bool the gaps between commands are almost equal (variation below 0.15)
        sign_automated:bool the browser says that a program drives it
        sign_alike:bool alike is at least 0.5
        sign_canary:bool an explanation has the word that a hidden sentence asks for
        chars:int characters of explanations; a rule repeated word for word counts once
        keys:int keystrokes on pages for a rule
        pasted:int characters pasted on these pages
        hidden_s:number longest time with the window hidden, on these pages or just before them
        variation:number standard deviation of the gaps between commands / their mean
        alike:number largest share of a text's runs of three words that another wrote too
        alike_with ID of that participant
        """,
    ),
    "pause": table(
        "an annotator paused because of gold items, or allowed to continue",
        """
        study slug of the study
        round:int number of the rating round within the study
        rater pseudonym of the annotator, the same in all rounds of a study
        line:int 1, 2, ... in the order of writing, in the study
        action pause or go_on
        right:int gold items rated right since the annotator was last allowed to continue
        rated:int gold items rated or skipped since then, right ones included
        by_threshold:bool the round's threshold paused them; false = a researcher decided
        at:time server clock
        """,
    ),
}
