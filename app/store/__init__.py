"""Tables and their queries, one file per noun. Nothing here commits: see `Store.write`."""
