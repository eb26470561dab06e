"""Between a model and what it may do: judging, sealing, fencing."""
