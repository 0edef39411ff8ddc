"""What a model's tokens cost at most."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelPrice:
    """The highest rates that can apply to a model's tokens, in whole micro-dollars per million tokens."""

    input_rate: int
    output_rate: int
