"""What was approved and left there is carried out on a schedule, and what nobody decided on is ended."""

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from evalbook.domain.errors import Retryable
from evalbook.services.governance.actions import ActionKey, ActionState
from evalbook.services.governance.workflow import ActionWorkflow, later

POSTPONED: Final = "postponed"
_AGAIN_AFTER: Final = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class ResumeActions:
    """Takes open actions of all projects; runs may overlap, and people may decide meanwhile."""

    course: ActionWorkflow

    def run(self, limit: int) -> Counter[str]:
        """Bring up to *limit* actions on; how many are in which state now, `postponed` those that wait for another run.

        Raises:
            StoreUnavailable: What is due could not be read.
        """
        return Counter(self._resumed(key) for key in self.course.store.due(self.course.clock(), limit))

    def _resumed(self, key: ActionKey) -> str:
        try:
            action = self.course.carry_out(self.course.current(key))
            if action.state is not ActionState.APPROVED:
                return action.state.value
            # Others get their turn before it.
            self.course.store.postpone(action, later(self.course.clock(), _AGAIN_AFTER))
        except Retryable:
            return POSTPONED
        return POSTPONED
