"""The short form, in which small models do chores: the loop, the reply and the history."""
