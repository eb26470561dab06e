"""The memory of each user: facts, how new ones are merged in, and the search in former messages."""
