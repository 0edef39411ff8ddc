"""The deterministic implementations: one module an implementation, one package a family."""
