"""A small local site that behaves like real ones and remembers what was done to it; tasks and questions over it."""
