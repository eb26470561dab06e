"""The web without a browser: fetch, extract, search and rank. Knows no model and no run."""
