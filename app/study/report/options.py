"""The settings of a report, printed in every report and with every figure."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from app.errors import StudyError

MAIN_RV = ("final", "human", "judge")
MOST_REPLICATES = 200_000
FIELDS = {name: name for name in ("seed", "replicates", "main_rv", "idle_minutes")}


class ReportError(StudyError):
    """A report cannot be made as requested."""

    code = "report/failed"


@dataclass(frozen=True, slots=True)
class Options:
    """Settings of a report.

    `seed`: of every bootstrap and permutation. `replicates`: of the bootstrap. `main_rv`: which
    ratings count as RV; '' = the study's default. `keep_excluded`: include participants whom a
    researcher excluded. `idle_minutes`: episodes with a longer gap between two actions are left out
    of results on time.
    """

    seed: int = 1
    replicates: int = 10_000
    main_rv: str = ""
    keep_excluded: bool = False
    idle_minutes: int = 5

    def checked(self, names: Mapping[str, str] = FIELDS) -> "Options":
        """Return these options. Raises ReportError: a value is out of bounds.

        `names`: the label of each of `FIELDS` for messages.
        """
        if not 0 <= self.seed < 2**32:
            raise ReportError(
                f"{names['seed']}: enter a whole number from 0 to 4294967295.", "seed"
            )
        if not 100 <= self.replicates <= MOST_REPLICATES:  # noqa: PLR2004 - a tail of 2.5 %
            raise ReportError(
                f"{names['replicates']}: enter a whole number from 100 to {MOST_REPLICATES}.",
                "replicates",
            )
        if self.main_rv not in ("", *MAIN_RV):
            raise ReportError(f"{names['main_rv']}: choose one of {', '.join(MAIN_RV)}.", "main_rv")
        if self.idle_minutes < 1:
            raise ReportError(
                f"{names['idle_minutes']}: enter a whole number of at least 1.", "idle_minutes"
            )
        return self

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as JSON data."""
        return asdict(self)
