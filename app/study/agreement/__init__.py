"""Agreement between humans and with judges: sample planner, reports, parity files."""
