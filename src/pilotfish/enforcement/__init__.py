"""Enforces the policy within a run: judges actions, asks the person, fills in secrets, reviews downloads."""
