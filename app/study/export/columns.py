"""The tables of exports with their columns, in order and with their meanings, as data.

The codebook (docs and bundle), the headers of the files and the rows are generated from them. The
order is fixed within a major format version; new columns go last in their table.
"""

from collections.abc import Mapping

from app.study.column_kinds import Column, TableSpec
from app.study.export.columns_figures import FIGURES
from app.study.export.columns_log import LOG
from app.study.export.columns_models import MODELS
from app.study.export.columns_play import PLAY
from app.study.export.columns_rated import RATED

FORMAT_VERSION = "1.7"  # renaming, moving or removing a column needs a new major version

SPECS: Mapping[str, TableSpec] = {**PLAY, **FIGURES, **RATED, **LOG, **MODELS}
EXPORT_COLUMNS: Mapping[str, tuple[Column, ...]] = {
    name: spec.columns for name, spec in SPECS.items()
}
TABLES: tuple[str, ...] = tuple(EXPORT_COLUMNS)
