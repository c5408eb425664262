"""Why a player stops before the last page."""

from app.errors import HjstudyError


class StuckError(HjstudyError):
    """A player cannot continue: a page that leads nowhere, an error page, a wrong answer."""

    code = "bots/stuck"


class EndedError(HjstudyError):
    """A player's part ended before the last page, for instance because the study is full."""

    code = "bots/ended"

    def __init__(self, outcome: str, heading: str) -> None:
        super().__init__(f"{heading.strip()} ({outcome}).")
        self.outcome = outcome
