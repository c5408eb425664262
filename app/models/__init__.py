"""Asking models over the network. Commands and the processes of jobs import it, never the server."""
