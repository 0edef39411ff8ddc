"""Family trace: tool_call_match and trajectory."""
