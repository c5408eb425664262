"""Models: imported results, and runs with what they asked, did and answered."""
