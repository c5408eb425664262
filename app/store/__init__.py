"""Tables and their queries, one file per noun. Nothing here commits: use cases do, in `Store.write`."""
