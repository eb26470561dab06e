"""Fits a conversation into a model's context window: what is kept, cut, summarized or left out."""
