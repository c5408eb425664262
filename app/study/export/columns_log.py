"""Columns of the logs around the game: process, seat, hand, note, problem."""

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
        "a manual action of a researcher on a participant",
        WHO,
        """
        line:int 1, 2, ... in the order of writing
        episode_id episode concerned, if any
        action extend, unstick, void, unvoid, exclude, include, end or note
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
}
