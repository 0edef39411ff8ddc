"""Judges on the running stack, and the store of their actions as the functions see it."""

import json
from typing import Any
from uuid import uuid4

import boto3

from devstack.emulator.emulator import REGION
from devstack.stack import CREDENTIAL
from evalbook.adapters.dynamodb.actions import DynamoDbActions
from evalbook.adapters.dynamodb.table import Table
from evalbook.domain.records import AuditStamp, Project
from evalbook.services.governance.actions import Action, ActionKey, approve

JUDGE = {"model": "bookbag::judge-rules-1", "prompt_template": "Judge\n{{output}}", "score_type": "binary"}
STRICT = JUDGE | {"prompt_template": "Judge strictly\n{{output}}"}


def table(stack: Any) -> Table:
    """The registry's table, over a connection of its own."""
    session = boto3.Session(CREDENTIAL, CREDENTIAL, region_name=REGION)
    client = session.client("dynamodb", endpoint_url=stack.endpoint)
    return Table(client, stack.outputs["RegistryTableName"])


def new_judge(author: Any, *parameters: dict[str, Any]) -> str:
    """Create a scorer with judge versions; its name."""
    name = f"j-{uuid4().hex[:8]}"
    author("POST", "/scorers", {"name": name})
    for each in parameters:
        made = author("POST", f"/scorers/{name}/versions", {"implementation": "judge", "parameters": each})
        assert made.status_code == 201
    return name


def requested(author: Any, name: str, version: int = 1) -> str:
    """Request an activation; the action's path."""
    body = {"kind": "activate_judge_configuration", "scorer": name, "version": version}
    made = author("POST", "/actions", body)
    assert made.status_code == 201
    return str(made.headers["Location"])


def approve_and_crash(stack: Any, author: Any, path: str, by: str = "bob") -> Action:
    """Write an approval as its function does before it carries the action out, and no more."""
    store = DynamoDbActions(table(stack))
    action = store.action(ActionKey(Project(author.org, author.project), path.rpartition("/")[2]))
    assert action is not None
    step = approve(action, AuditStamp(by, action.requested.at), "")
    assert store.take(step)
    return step.after


def resume(stack: Any) -> Any:
    """What the function answers that the schedule invokes."""
    answer = stack.client("lambda").invoke(FunctionName=stack.physical_id("ActionsFunction"), Payload="{}")
    return json.loads(answer["Payload"].read())
