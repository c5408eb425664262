"""Rating: items, judges, samples, rounds, annotators, adjudication."""
