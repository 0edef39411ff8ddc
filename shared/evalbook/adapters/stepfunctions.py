"""The state machine's executions on Step Functions."""

from typing import TYPE_CHECKING, Final

from botocore.exceptions import ClientError

from evalbook.adapters.aws_clients import AWS_ERRORS, error_code
from evalbook.domain.errors import StoreUnavailable

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient
    from mypy_boto3_stepfunctions.literals import ExecutionStatusType

MAX_RESUMPTIONS: Final = 3
"""So often an execution goes on after it has failed; then it is left to a person."""

_FAILED: Final = frozenset({"FAILED", "TIMED_OUT"})
_RESUMED: Final[tuple["ExecutionStatusType", ...]] = ("FAILED", "TIMED_OUT")
_PAGE: Final = 100


class SfnExecutions:
    """An `Executions`.

    With *redrives* false, for an emulator that lacks RedriveExecution, a new execution `<name>-r<n>` takes a failed
    one's place: every step of a judge run may be taken again.
    """

    def __init__(self, client: "SFNClient", machine_arn: str, *, redrives: bool) -> None:
        self._client = client
        self._machine_arn = machine_arn
        self._redrives = redrives

    def start(self, judge_run_id: str, entry: str) -> None:
        """Start the judge run with the JSON text *entry*; where it was started before, it goes on where it had failed.

        Raises:
            StoreUnavailable: Step Functions did not answer, or takes no more for now.
        """
        if not self._started(judge_run_id, entry) and self._status(judge_run_id) in _FAILED:
            self._resume(judge_run_id, entry)

    def resume_failed(self, limit: int) -> int:
        """Let at most *limit* executions that have failed lately go on; how many do.

        Raises:
            StoreUnavailable: Step Functions did not answer.
        """
        resumed = 0
        for status in _RESUMED:
            for name in self._names(status):
                if resumed < limit and self._resume(name, self._entry(name)):
                    resumed += 1
        return resumed

    def _names(self, status: "ExecutionStatusType") -> list[str]:
        """The judge runs of the latest executions with this status, each once."""
        try:
            answer = self._client.list_executions(
                stateMachineArn=self._machine_arn, statusFilter=status, maxResults=_PAGE
            )
        except AWS_ERRORS as error:
            raise _unavailable(error) from error
        listed = [
            each["name"].partition("-r")[0]
            for each in answer["executions"]
            if each.get("redriveCount", 0) < MAX_RESUMPTIONS
        ]
        return list(dict.fromkeys(listed))

    def _resume(self, judge_run_id: str, entry: str) -> bool:
        """Redrive a failed execution, or start the next one in its place; whether one goes on now."""
        if self._redrives:
            return self._redriven(judge_run_id)
        for number in range(1, MAX_RESUMPTIONS + 1):
            name = f"{judge_run_id}-r{number}"
            if self._started(name, entry):
                return True
            if self._status(name) not in _FAILED:
                return False
        return False

    def _started(self, name: str, entry: str) -> bool:
        try:
            self._client.start_execution(stateMachineArn=self._machine_arn, name=name, input=entry)
        except ClientError as error:
            if error_code(error) == "ExecutionAlreadyExists":
                return False
            raise _unavailable(error) from error
        except AWS_ERRORS as error:
            raise _unavailable(error) from error
        return True

    def _redriven(self, name: str) -> bool:
        try:
            self._client.redrive_execution(executionArn=self._arn(name))
        except ClientError as error:
            if error_code(error) == "ExecutionNotRedrivable":
                return False
            raise _unavailable(error) from error
        except AWS_ERRORS as error:
            raise _unavailable(error) from error
        return True

    def _status(self, name: str) -> str:
        return self._described(name)[0]

    def _entry(self, name: str) -> str:
        return self._described(name)[1]

    def _described(self, name: str) -> tuple[str, str]:
        try:
            answer = self._client.describe_execution(executionArn=self._arn(name))
        except AWS_ERRORS as error:
            raise _unavailable(error) from error
        return answer["status"], answer.get("input", "{}")

    def _arn(self, name: str) -> str:
        return f"{self._machine_arn.replace(':stateMachine:', ':execution:')}:{name}"


def _unavailable(error: Exception) -> StoreUnavailable:
    return StoreUnavailable(f"Step Functions answered {error_code(error)}")
