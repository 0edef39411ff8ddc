"""The pure halves of LLM judging: version, prompt, reply, panel, estimate."""
