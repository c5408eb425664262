"""Columns of the logs around the game: process, seat, hand, note, problem."""

from collections.abc import Mapping

from app.study.column_kinds import BLOCK, PLACE, RELEASE, WHO, TableSpec, table

LOG: Mapping[str, TableSpec] = {
    "process": table(
        "an observation of the browser's script, where the study asks for it",
        WHO,
        """
        event_index:int 1, 2, ... in the order of storing, all people together
        page path of the page below the person's own address
        kind open, hidden, blur, focus, paste, keys, resize, latency or client
        value:int milliseconds (open, hidden, latency), characters (paste), keys, pixels (resize)
        detail viewport, name of the field, browser family and device class
        client_ms:ms browser clock
        received_ms:ms server clock
        """,
        PLACE,
    ),
    "seat": table(
        "a line of the seat ledger",
        """
        study slug of the study
        participant_id random id of the person; empty: turned away before there was a person
        is_test:bool a researcher's preview or a bot under a test link
        line:int 1, 2, ... in the order of writing
        event claimed, reclaimed, done, released or refused
        reason stable code, such as consent or expired
        cells the cells concerned, JSON list of task/seed/lexicon/coverage/format
        at:time server clock
        """,
    ),
    "hand": table(
        "something that a researcher did to a person by hand",
        WHO,
        """
        line:int 1, 2, ... in the order of writing
        episode_id the episode concerned, if one is
        action extend, unstick, void, unvoid, exclude, include, end or note
        reason as typed by the researcher
        at:time server clock
        text_reason why the reason is kept back; empty = it is not
        """,
        PLACE,
    ),
    "note": table(
        "a person's notebook of one block, as it was at the end",
        WHO,
        BLOCK,
        """
        text as typed
        revision:int how often it was saved
        updated_at:time when it was saved last
        """,
        RELEASE,
    ),
    "problem": table(
        "a problem that a person reported",
        WHO,
        """
        line:int 1, 2, ... in the order of sending
        page path of the page that it was sent from
        text as typed
        created_at:time when it was sent
        """,
        RELEASE,
        PLACE,
    ),
}
