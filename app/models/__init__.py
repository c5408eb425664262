"""Asking models over the network. Only the command line imports this; the server never does."""
