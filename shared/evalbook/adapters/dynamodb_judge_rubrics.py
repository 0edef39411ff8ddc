"""The registry's rubric versions as judging reads them."""

from typing import TYPE_CHECKING, Any

from evalbook.adapters.aws import AWS_ERRORS, error_code
from evalbook.errors import StoreUnavailable
from evalbook.judges.rubric import Rubric, read_rubric
from evalbook.strict_json import read_json

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoDbJudgeRubrics:
    """A `Rubrics`."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def rubric(self, organization_id: str, project_id: str, name: str, number: int) -> tuple[Rubric, str] | None:
        """A rubric version and its digest, or None.

        Raises:
            StoreUnavailable: The registry did not answer.
        """
        key: dict[str, Any] = {
            "pk": {"S": f"ORG#{organization_id}#PROJECT#{project_id}"},
            "sk": {"S": f"RUBRICVERSION#{name}#{number:08d}"},
        }
        try:
            answer = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True)
        except AWS_ERRORS as error:
            raise StoreUnavailable(f"the registry answered {error_code(error)}") from error
        item: dict[str, Any] | None = answer.get("Item")
        if item is None:
            return None
        return read_rubric(read_json(item["content"]["S"].encode(), bounded=False)), item["digest"]["S"]
