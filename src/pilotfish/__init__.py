"""Pilotfish: the web agent that you run yourself."""

__version__ = "0.1.0"
