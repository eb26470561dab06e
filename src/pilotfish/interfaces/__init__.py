"""Ways in and out: one protocol each, no logic."""
