"""Models: pages of imported results and of runs."""
