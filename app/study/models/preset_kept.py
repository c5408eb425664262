"""The preset of a run: one of the published ones, but a hidden budget is hidden from models too."""

import json
from dataclasses import replace

from app.agents.presets import KNOWN, Preset
from app.store.base import AnyRow
from app.study.design.studies import StudyView


def preset_for(study: StudyView, name: str) -> Preset:
    """Return a preset for a study: models do not read a budget that the study hides."""
    preset = KNOWN[name]
    return replace(preset, budget_shown=preset.budget_shown and study.spec.options.show_budget)


def preset_of(row: AnyRow) -> Preset:
    """Return the preset of a run's row.

    In runs from before the settings had `budget_shown`, models read the budget as the preset says,
    whatever the study shows.
    """
    preset = KNOWN[row.preset]
    shown = json.loads(row.settings).get("budget_shown", preset.budget_shown)
    return replace(preset, budget_shown=shown)
