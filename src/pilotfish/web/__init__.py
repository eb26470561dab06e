"""The web without a browser: fetches, extracts, searches and ranks. It uses no model and no run."""
