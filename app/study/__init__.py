"""Use cases, which combine game, scoring and store. `now` is passed in; no requests, no HTML."""
