"""Players over HTTP that are not people: they read pages, fill in what is there, follow links."""
