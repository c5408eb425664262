"""What models are asked, in which words, and how their answers are read.

Each method is a generator that yields an `Ask` and receives the answer's text. Nothing here knows
a network, a clock or a database, so stored answers fed in again give the same prompts and moves.
"""
