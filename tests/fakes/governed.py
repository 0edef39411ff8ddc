"""What governed actions meet: a catalog that can be down, a clock that is set, stores that fail at one moment."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from evalbook.domain.errors import StoreUnavailable
from evalbook.judges.catalog import Catalog, read_catalog
from evalbook.services.governance.actions import Action
from evalbook.services.governance.judge_activation import ActivationRequest
from evalbook.services.judging.gateway import CatalogUnavailable
from evalbook.services.registry.version_check import NewVersion
from tests.fakes.judge_runs import CATALOG, MODEL
from tests.fakes.registry import PROJECT, Outside, RegistryHouse, governed_house

NAME = "tone"
ANN, BOB, CID = "ann", "bob", "cid"
JUDGE = {"model": MODEL, "prompt_template": "Judge\n{{output}}", "score_type": "binary"}
STRICT = JUDGE | {"prompt_template": "Judge strictly\n{{output}}"}


@dataclass
class SomeCatalogs:
    """A `Catalogs` with one model, or none; `down` makes it unavailable."""

    down: bool = False
    empty: bool = False

    def catalog(self, _: str) -> Catalog:
        if self.down:
            raise CatalogUnavailable("the gateway did not answer")
        models = [] if self.empty else CATALOG["models"]
        return read_catalog(json.dumps({**CATALOG, "models": models}).encode())


@dataclass
class SetClock:
    """A clock that says what it was set to."""

    text: str = "2026-11-30T12:00:00Z"

    def __call__(self) -> str:
        return self.text


@dataclass
class FailingActions:
    """An `ActionStore` before another one: `before` and `after` name methods whose next call fails, undone or done."""

    store: Any
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            if name in self.before:
                self.before.remove(name)
                raise StoreUnavailable("the table did not answer")
            answer = getattr(self.store, name)(*arguments)
            if name in self.after:
                self.after.remove(name)
                raise StoreUnavailable("the answer was lost")
            return answer

        return call


class Governed:
    """A scorer with two judge versions, and the people around it."""

    def __init__(self, client: object, calibrations: Any = None) -> None:
        self.catalogs, self.clock = SomeCatalogs(), SetClock()
        self.actions = FailingActions(None)

        def wrapped(store: Any) -> Any:
            self.actions.store = store
            return self.actions

        outside = Outside(catalogs=self.catalogs, clock=self.clock, calibrations=calibrations, wrap_actions=wrapped)
        self.house: RegistryHouse = governed_house(client, outside)
        self.house.scorers.create(PROJECT, NAME, "", ANN)
        for parameters in (JUDGE, STRICT):
            self.add(parameters)

    def add(self, parameters: dict[str, Any], implementation: str = "judge") -> int:
        """Make the next version; its number."""
        made = self.house.scorers.add_version(PROJECT, NAME, NewVersion(implementation, parameters), ANN)
        return made.version.number

    def request(self, version: int = 1, by: str = ANN, reason: str = "") -> str:
        """Request an activation; the action's id."""
        return self.house.judges.request(PROJECT, ActivationRequest(NAME, version, reason), by).key.action_id

    def approve(self, action_id: str, by: str = BOB) -> Action:
        """Approve an action."""
        return self.house.judges.approve(PROJECT, action_id, by, "looks good")

    def reject(self, action_id: str, by: str = BOB) -> Action:
        """Reject an action."""
        return self.house.judges.reject(PROJECT, action_id, by, "too strict")

    def get(self, action_id: str) -> Action:
        """An action as it stands."""
        return self.house.judges.get(PROJECT, action_id)

    def activated(self, version: int) -> None:
        """Request and approve an activation."""
        self.approve(self.request(version))

    @property
    def active(self) -> int | None:
        """The number of the active version."""
        return self.house.scorers.get(PROJECT, NAME).active

    def trail(self, action_id: str) -> list[tuple[str | None, str]]:
        """Who brought an action into which state."""
        events = self.house.judges.events(self.get(action_id))
        return [(event.by, event.after.value) for event in events]
