"""Keeps what must outlive the process: journals, conversations, commands, settings and small blobs."""
