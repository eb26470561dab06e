"""Pure values that every other floor speaks: no I/O, nothing happens at import."""
