"""Help for small models: lists of possible moves, rules that need no model, and repair of what a model chose."""
