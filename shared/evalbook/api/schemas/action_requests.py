"""Bodies of requests about governed actions."""

from typing import Literal

from evalbook.api.schemas.requests import ApiRequest, Description, Name, Ordinal


class NewActionBody(ApiRequest):
    """A judge version that is to become active, also one that was active before."""

    kind: Literal["activate_judge_configuration"]
    scorer: Name
    version: Ordinal
    reason: Description = ""


class DecisionBody(ApiRequest):
    """A decision on an action; `{}` gives no reason."""

    reason: Description = ""
