"""Thin adapters of the API for agents: a client, a Gymnasium environment, an MCP server.

The server never imports them. Each needs only HTTP and a key.
"""
