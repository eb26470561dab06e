"""Searching the web: one file for each provider, and the chain that tries them in turn."""
