"""Reads pages: what is on them, as text and as numbered elements."""
