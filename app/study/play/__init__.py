"""Play: entry, consent, steps, seats, clocks, the game, forms, questions, the end."""
