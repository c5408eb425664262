"""The deterministic game: pure functions and small frozen values; standard library only."""
