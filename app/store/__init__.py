"""Tables and their queries, one file per noun. Nothing commits: use cases do (`Store.write`)."""
