"""Adapters to models: a request with messages in, a reply out."""
