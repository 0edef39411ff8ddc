"""EvalBook scorers: deterministic scorers and LLM judges over recorded outputs and traces."""
