"""The extension in a real Chromium, against a real server."""
