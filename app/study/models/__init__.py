"""Models as players and judges: runs, agents, and results imported from elsewhere."""
