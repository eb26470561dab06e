"""The server and its protocols."""
