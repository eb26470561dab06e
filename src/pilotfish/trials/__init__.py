"""Trials: how well a model and a loop do, judged by the site's own state and not by the agent's word."""
