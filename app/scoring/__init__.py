"""Scores and agreement: pure functions on plain values; knows neither the game nor a database."""
