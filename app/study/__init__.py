"""Use cases: where game, scoring and store meet. `now` is passed in; no request, no HTML."""
