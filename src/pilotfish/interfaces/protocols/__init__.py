"""Protocols of other programs: OpenAI chat completions, AG-UI and MCP."""
