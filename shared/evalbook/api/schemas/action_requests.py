"""Bodies of requests about governed actions."""

from typing import Literal

from evalbook.contracts.model import ClosedWire, Description, Name, Ordinal


class NewActionBody(ClosedWire):
    """A judge version that is to become active, also one that was active before."""

    kind: Literal["activate_judge_configuration"]
    scorer: Name
    version: Ordinal
    reason: Description = ""


class DecisionBody(ClosedWire):
    """A decision on an action; `{}` gives no reason."""

    reason: Description = ""
