"""What several loops share: asking for tool calls, citing sources, keeping a todo list, estimating costs."""
