"""What two people of a project do about a judge over the HTTP API: one writes and measures it, another approves it."""

import time
from collections.abc import Sequence
from typing import Final

from devstack.clients.scoring import ORGANIZATION, PROJECT
from devstack.demo.data import JsonObject
from devstack.stack import Stack
from evalbook.adapters.http.registry_client import HttpRegistry
from evalbook.domain.versions import JUDGE

AUTHOR: Final = "ann"
APPROVER: Final = "ben"
_AUTHORS_SCOPES: Final = "scorer.write scorer.read calibration.run"
_APPROVERS_SCOPES: Final = "scorer.approve"
_PATIENCE_SECONDS: Final = 300
_PAUSE_SECONDS: Final = 0.5


class JudgeAuthors:
    """Two people and a running stack."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack

    def create(self, scorer: str, parameters: JsonObject) -> int:
        """Let the author create a scorer and its first judge version, a draft; the version's number."""
        with self._api(AUTHOR, _AUTHORS_SCOPES) as author:
            author.post("/scorers", {"name": scorer})
            made = author.post(f"/scorers/{scorer}/versions", {"implementation": JUDGE, "parameters": parameters})
        return int(made["version"])

    def activate(self, scorer: str, version: int) -> JsonObject:
        """Let the author ask for a version's activation and the other approve it; the action as it is then."""
        asked = {"kind": "activate_judge_configuration", "scorer": scorer, "version": version}
        with self._api(AUTHOR, _AUTHORS_SCOPES) as author, self._api(APPROVER, _APPROVERS_SCOPES) as approver:
            action = author.post("/actions", asked)
            done: JsonObject = approver.post(f"/actions/{action['action_id']}/approval", {})
        return done

    def calibrate(self, scorer: str, version: int, cases: Sequence[JsonObject], limit: int) -> JsonObject:
        """Let the author measure a version against *cases* `{"case", "human"}` for at most *limit* micro-dollars.

        The calibration as it is when it has ended.

        Raises:
            TimeoutError: It has not ended after five minutes.
        """
        chosen = {"name": scorer, "version": version}
        asked = {"scorer": chosen, "cases": list(cases), "split": "test", "budget_limit": limit}
        with self._api(AUTHOR, _AUTHORS_SCOPES) as author:
            place = f"/calibrations/{author.post('/calibrations', asked)['calibration_id']}"
            give_up = time.monotonic() + _PATIENCE_SECONDS
            while time.monotonic() < give_up:
                found = author.get(place)
                if found and found["status"] != "running":
                    return dict(found)
                time.sleep(_PAUSE_SECONDS)
        raise TimeoutError(place)

    def _api(self, person: str, scopes: str) -> HttpRegistry:
        claims = {"sub": person, "org": ORGANIZATION, "projects": PROJECT, "scope": scopes}
        return HttpRegistry(self._stack.api_url, self._stack.issuer.token(claims), None)
