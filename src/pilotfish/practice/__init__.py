"""A small local site that behaves like real ones and logs what was done to it, with tasks and questions."""
