"""What fits into a model's window, and what is left out first."""
