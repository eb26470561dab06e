"""Interfaces of the product: one protocol each, no logic."""
