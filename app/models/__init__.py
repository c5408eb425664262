"""Asking models over the network. Commands and jobs import it, never the server."""
