"""Tasks: calls that go on after they were answered (extension io.modelcontextprotocol/tasks)."""
