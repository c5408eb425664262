"""Benchmarks: each compares two things within one run and prints their ratio."""
