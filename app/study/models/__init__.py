"""Models: results from elsewhere, imported to compare with participants."""
