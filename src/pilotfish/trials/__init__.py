"""Trials measure how well a model and a loop do, by the state of the site and not by the agent's claim."""
