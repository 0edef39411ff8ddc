"""A model of the engine that counts what a match costs: `modelled` makes it, and nothing else is used from outside."""

from evalbook.regex_safety.engine_model.cost import UNITS_PER_MILLISECOND, CostOf, modelled

__all__ = ["UNITS_PER_MILLISECOND", "CostOf", "modelled"]
