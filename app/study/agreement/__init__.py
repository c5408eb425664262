"""Agreement: human-human and human-judge, samples planned, reports and parity files."""
