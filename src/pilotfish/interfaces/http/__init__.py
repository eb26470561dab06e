"""The HTTP interface: one router per thing, all under /api."""
