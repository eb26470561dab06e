"""Honest chores: what people ask for every day must go through, with a question only where one is justified."""
