"""What an agent can do: one typed async function each."""
