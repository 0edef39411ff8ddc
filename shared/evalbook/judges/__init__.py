"""The pure halves of LLM judging: version, prompt, reply, judge run, estimate."""
