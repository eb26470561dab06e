"""Adapter: messages in, a reply out, whichever model is behind it."""
