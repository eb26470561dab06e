"""Runs one task: drives its loop, calls models and tools, and records everything in the journal."""
