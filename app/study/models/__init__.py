"""Models: their results, played elsewhere, beside people."""
