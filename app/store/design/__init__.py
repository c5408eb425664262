"""Design: study files, drafts, versions, freezing, variants, test links."""
