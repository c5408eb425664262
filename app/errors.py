"""The errors of this package: a stable code for programs, a sentence for people. No imports."""


class HjstudyError(Exception):
    """An expected error.

    `code` is stable (`noun/what`); the message is a plain sentence that says what to do.
    `for_commands`: the sentence for the command line, which no player reads; '' = the message.
    """

    code = "hjstudy/error"
    for_commands = ""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class GameError(HjstudyError):
    """Bad data for the game itself: a lexicon, a task, a variant."""

    code = "game/error"


class FieldError(GameError):
    """One named field of a file or form is wrong; `field` is its path, such as `tables.regime`."""

    code = "game/field"

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field, self.problem = field, problem


class StudyError(HjstudyError):
    """A use case refused a request. `field`: of the form it is about, '' = none in particular."""

    code = "study/error"

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class StoreError(HjstudyError):
    """The database cannot be used as requested."""

    code = "store/error"


class BusyError(StoreError):
    """The write lock, a row or a connection was not free in time; retrying is safe."""

    code = "store/busy"

    def __init__(self) -> None:
        super().__init__("The server is busy. Nothing was stored; please try again.")


class UnavailableError(StoreError):
    """The database cannot be reached, read or changed; `reason` says why, in the driver's words.

    The cause is outside the program: a disk that is full or read-only, a PostgreSQL that is
    stopped. Retrying is safe. A commit whose answer was lost may have been stored.
    """

    code = "store/unavailable"

    def __init__(self, reason: str) -> None:
        super().__init__(f"The database is not available: {reason}")
        self.reason = reason
