"""Counts the work of a check, so that every check ends, and ends alike on every machine."""


class OutOfSteps(Exception):
    """The work allowed is used up."""


class Steps:
    """How much work is left; what is taken here is taken from *whole* too."""

    __slots__ = ("left", "whole")

    def __init__(self, allowed: int, whole: "Steps | None" = None) -> None:
        self.left = allowed
        self.whole = whole

    def take(self, count: int) -> None:
        """Use *count* steps; raises `OutOfSteps` when they are used up."""
        self.left -= count
        if self.whole is not None:
            self.whole.take(count)
        if self.left < 0:
            raise OutOfSteps
