"""WebSockets: the chat contract and the live view."""
