"""Scores and agreement: pure functions on plain values, independent of game and database."""
