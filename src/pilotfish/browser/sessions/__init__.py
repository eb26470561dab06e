"""Keeps browsers, sessions and tabs: starting, watching, waiting, downloads, cleaning up."""
