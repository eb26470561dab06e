"""The database's history: one file per step, applied in order when a store is opened."""
