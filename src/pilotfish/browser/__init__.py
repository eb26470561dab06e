"""Drives a browser: sessions, perception of pages, and actions on them. It knows no model and no run."""
