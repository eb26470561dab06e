"""The database migrations: one file per step, applied in order when a store is opened."""
