"""Values that every other package uses. No I/O, and nothing happens at import."""
