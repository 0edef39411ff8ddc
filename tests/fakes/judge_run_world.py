"""The judge's share of the stack in one process: the real state machine and the real handlers, on moto.

Every state's input and output passes through `Functions`, which can fail them, and remembers them.
"""

import importlib.util
import json
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import boto3
import pytest
from moto import mock_aws
from moto.awslambda.models import LambdaFunction
from moto.dynamodb.responses import DynamoHandler
from moto.s3.responses import S3Response

from devstack.standins.gateway import TOKEN, GatewayOptions, GatewayStandIn
from evalbook import observability
from evalbook.adapters import aws_clients
from evalbook.adapters.dynamodb.budgets import DynamoDbLedger
from evalbook.adapters.dynamodb.versions import DynamoDbVersions
from evalbook.budgets.model import Budget, BudgetKey
from evalbook.budgets.store import OpenBudget
from evalbook.domain.versions import JUDGE, ScorerKey, ScorerVersion, VersionState, version_digest
from evalbook.jsonio.reader import read_json
from tests.fakes.batches import ORGANIZATION, PROJECT
from tests.fakes.ledger import make_budgets_table
from tests.loading import Context

ROOT = Path(__file__).parents[2]
STEPS = ("prepare", "ask", "aggregate", "publish")
MODEL = "bookbag::judge-rules-1"
SCORER = ScorerKey(ORGANIZATION, PROJECT, "judge")
BUDGET = BudgetKey(ORGANIZATION, PROJECT, "budget-1")
PATIENCE_SECONDS = 60

Interference = Callable[[Callable[[], dict[str, Any]]], dict[str, Any]]
"""Is given the real step, may call it or not, and answers or raises in its place."""


class ExitError(Exception):
    """A function that ends hard, as Lambda reports it."""


class Functions:
    """The handlers as Lambda runs them: JSON in, JSON or an error's envelope out."""

    def __init__(self) -> None:
        self.handlers: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {}
        self.interferences: dict[str, list[Interference]] = {}
        self.passed: list[tuple[str, str]] = []
        """Each step's name with the text of its input or of what it said."""

    def interfere(self, step: str, *interferences: Interference) -> None:
        """Let the next calls of a step go wrong, each in one way."""
        self.interferences.setdefault(step, []).extend(interferences)

    def method(self) -> Callable[..., tuple[str, bool, str]]:
        """What takes the place of the method by which moto invokes a function."""
        return lambda function, event=None: self.invoke(function, event)

    def invoke(self, function: Any, event: str | dict[str, Any] | None = None) -> tuple[str, bool, str]:
        """Run the handler: its answer, whether it failed, and an empty log."""
        name = function.function_name
        text = event if isinstance(event, str) else json.dumps(event)
        self.passed.append((name, text))
        waiting = self.interferences.get(name, [])
        interference = waiting.pop(0) if waiting else (lambda step: step())
        try:
            answer = json.dumps(interference(lambda: self.handlers[name](json.loads(text))), allow_nan=False)
        except Exception as error:  # noqa: BLE001  (as the runtime does: whatever a handler raises is reported)
            kind = "Runtime.ExitError" if isinstance(error, ExitError) else type(error).__name__
            trace = traceback.format_tb(error.__traceback__)
            answer = json.dumps({"errorType": kind, "errorMessage": str(error), "stackTrace": trace})
            self.passed.append((name, answer))
            return answer, True, ""
        self.passed.append((name, answer))
        return answer, False, ""


def dies_before(_: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The function ends before it has done anything."""
    raise ExitError("exit status 137")


def dies_after(step: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The function has done all its work and ends before it answers."""
    step()
    raise ExitError("exit status 137")


class JudgeRunWorld:
    """Sends judge batches and looks at what comes of them."""

    def __init__(self, clients: Mapping[str, Any], names: Mapping[str, str], sso: GatewayStandIn) -> None:
        self.sqs, self.sfn = clients["sqs"], clients["stepfunctions"]
        self.dynamodb, self.s3 = clients["dynamodb"], clients["s3"]
        self.names = names
        self.sso = sso
        self.functions = Functions()
        self.ledger = DynamoDbLedger(self.dynamodb, names["BUDGETS_TABLE"])
        self.versions = DynamoDbVersions(self.dynamodb, names["REGISTRY_TABLE"])
        self.dispatch: Any = None
        self.sweep: Any = None
        self.run = 0
        self.budgets = 0
        self.key = BUDGET

    def begin(self, **parameters: Any) -> None:
        """Begin anew: a judge, a run and a budget of their own, and nothing that the gateway remembers."""
        self.run += 1
        self.sso.clear()
        self.functions.interferences.clear()
        self.functions.passed.clear()
        self.judge(**parameters)
        self.budget()

    @property
    def scorer(self) -> ScorerKey:
        """The judge of this run."""
        return replace(SCORER, name=f"judge-{self.run}")

    def judge(
        self, *, state: VersionState = VersionState.ACTIVE, time_limit_ms: int = 60_000, **parameters: Any
    ) -> None:
        """Store version 1 of the judge."""
        chosen = {
            "model": MODEL,
            "prompt_template": "Is {{output}} what was asked for?",
            "score_type": "binary",
            "time_limit_ms": time_limit_ms,
            **parameters,
        }
        text = json.dumps(chosen)
        digest = version_digest(JUDGE, read_json(text.encode()), time_limit_ms)
        self.versions.put(ScorerVersion(self.scorer, 1, JUDGE, text, time_limit_ms, digest, state))

    def budget(self, limit: int = 10_000_000) -> None:
        """Open another budget, which pays from now on."""
        self.budgets += 1
        self.key = replace(BUDGET, budget_id=f"budget-{self.budgets}")
        expires_at = int(time.time() * 1_000) + 3_600_000
        self.ledger.commit([OpenBudget(Budget.opened(self.key, limit, "evaluation", expires_at))])

    def estimate(self, output: str) -> int:
        """The most that one repeat about *output* can cost, found by judging it once in a run of its own."""
        known = {charge.logical_id for charge in self.sso.charges}
        self.send(output, run_id=f"measured-{self.run}")
        self.results()
        [new] = [charge for charge in self.sso.charges if charge.logical_id not in known]
        return self.ledger.calls([new.logical_id])[new.logical_id].request.estimate

    @property
    def money(self) -> Budget:
        """The budget as it is now."""
        found = self.ledger.budget(self.key)
        assert found is not None
        return found

    def sweep_later(self) -> dict[str, Any]:
        """Sweep when the time of everybody who owned a call is up."""
        later = int(time.time()) + 24 * 3_600
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("evalbook.entrypoints.judging.milliseconds", lambda: later * 1_000)
            answer: dict[str, Any] = self.sweep()
        return answer

    @property
    def charged(self) -> int:
        """What the stand-in has charged."""
        return sum(charge.micro_dollars for charge in self.sso.charges)

    def send(self, *outputs: Any, **changes: Any) -> dict[str, Any]:
        """Deliver one batch with a case for each output; the dispatch function's answer."""
        cases = changes.pop("cases", None) or [
            {"case_id": f"case-{number}", "output": output} for number, output in enumerate(outputs)
        ]
        body = {
            "schema_version": 1,
            "organization_id": ORGANIZATION,
            "project_id": PROJECT,
            "run_id": f"run-{self.run}",
            "batch_id": "batch-1",
            "purpose": "evaluation",
            "scorer": {"name": self.scorer.name, "version": 1},
            "budget_id": self.key.budget_id,
            "cases": cases,
            **changes,
        }
        return self.deliver(json.dumps(body))

    def deliver(self, text: str) -> dict[str, Any]:
        """Deliver one message; the dispatch function's answer."""
        record = {"messageId": "message-1", "body": text, "attributes": {"ApproximateReceiveCount": "1"}}
        context = Context(milliseconds=60_000)
        answer: dict[str, Any] = self.dispatch({"Records": [record]}, context)
        return answer

    def finished(self) -> list[dict[str, Any]]:
        """Wait until every execution has ended; the list of them, newest first."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            listed = self.sfn.list_executions(stateMachineArn=self.names["PANEL_MACHINE_ARN"])["executions"]
            if all(each["status"] != "RUNNING" for each in listed):
                return list(listed)
            assert time.monotonic() < deadline, "an execution did not end"
            time.sleep(0.05)

    def results(self) -> list[dict[str, Any]]:
        """Wait for the executions, then take what is on the results queue, by case."""
        self.finished()
        found = []
        while messages := self.sqs.receive_message(
            QueueUrl=self.names["RESULTS_QUEUE_URL"], MaxNumberOfMessages=10
        ).get("Messages", []):
            for message in messages:
                found += json.loads(message["Body"])["results"]
                self.sqs.delete_message(
                    QueueUrl=self.names["RESULTS_QUEUE_URL"], ReceiptHandle=message["ReceiptHandle"]
                )
        return sorted(found, key=lambda result: str(result["case_id"]))

    def outcomes(self) -> dict[str, str]:
        """Each case's code or, where it has none, its outcome."""
        return {result["case_id"]: result["code"] or result["outcome"] for result in self.results()}


@contextmanager
def judge_run_world(options: GatewayOptions | None = None) -> Iterator[JudgeRunWorld]:
    """Make the whole world, in a mock of its own."""
    with GatewayStandIn(options) as sso, pytest.MonkeyPatch.context() as patch:
        aws_clients._client.cache_clear()
        with mock_aws(config={"lambda": {"use_docker": True}, "stepfunctions": {"execute_state_machine": True}}):
            world = _made(sso)
            patch.setattr(DynamoHandler, "call_action", _one_at_a_time(DynamoHandler.call_action))
            patch.setattr(S3Response, "key_response", _one_at_a_time(S3Response.key_response))
            # The library's metrics are one object a process, and here several steps are taken side by side.
            patch.setattr(observability, "report_step", lambda *_: None)
            patch.setattr(LambdaFunction, "_invoke_lambda", world.functions.method())
            for name, value in world.names.items():
                patch.setenv(name, value)
            for step in STEPS:
                module = _loaded(f"judge/{step}")
                world.functions.handlers[step] = lambda event, module=module: module.lambda_handler(event, Context())
            world.dispatch = _loaded("judge/dispatch").lambda_handler
            world.sweep = lambda: _loaded("sweep").lambda_handler({}, Context())
            yield world
            world.finished()
        aws_clients._client.cache_clear()


def _one_at_a_time(action: Callable[..., Any]) -> Callable[..., Any]:
    """The services' operations are atomic; moto's, under threads, are not."""
    lock = threading.RLock()

    def locked(*arguments: Any) -> Any:
        with lock:
            return action(*arguments)

    return locked


def _made(sso: GatewayStandIn) -> JudgeRunWorld:
    services = ("sqs", "stepfunctions", "dynamodb", "s3", "lambda", "iam", "secretsmanager")
    clients = {name: boto3.client(name) for name in services}
    for table in ("registry", "results"):
        clients["dynamodb"].create_table(
            TableName=table,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        )
    make_budgets_table(clients["dynamodb"])
    for bucket in ("bodies", "panels"):
        region = clients["s3"].meta.region_name
        clients["s3"].create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": region})
    queues = {name: clients["sqs"].create_queue(QueueName=name)["QueueUrl"] for name in ("judge", "dead", "results")}
    secret = clients["secretsmanager"].create_secret(Name="sso", SecretString=TOKEN)["ARN"]
    names = {
        "REGISTRY_TABLE": "registry",
        "RESULTS_TABLE": "results",
        "BUDGETS_TABLE": "budgets",
        "BODIES_BUCKET": "bodies",
        "PANELS_BUCKET": "panels",
        "RESULTS_QUEUE_URL": queues["results"],
        "QUEUE_URL": queues["judge"],
        "DEAD_QUEUE_URL": queues["dead"],
        "SSO_URL": sso.url,
        "SSO_SECRET": secret,
        "GATEWAY_REPLAYS": str(sso.options.replays).lower(),
        "PANEL_REDRIVES": "false",
        "PANEL_MACHINE_ARN": _machine(clients),
        "SWEEP_GRACE_MS": "0",
        "POWERTOOLS_METRICS_NAMESPACE": "EvalBook",
        "POWERTOOLS_SERVICE_NAME": "evalbook",
    }
    return JudgeRunWorld(clients, names, sso)


def _machine(clients: Mapping[str, Any]) -> str:
    role = clients["iam"].create_role(RoleName="all", AssumeRolePolicyDocument="{}")["Role"]["Arn"]
    definition = (ROOT / "functions" / "judge" / "panel.asl.json").read_text(encoding="utf-8")
    for step in STEPS:
        function = clients["lambda"].create_function(
            FunctionName=step,
            Runtime="python3.13",
            Role=role,
            Handler="handler.lambda_handler",
            Code={"ZipFile": b"nothing is run of it"},
            Timeout=60,
        )
        definition = definition.replace(f"${{{step.capitalize()}FunctionArn}}", function["FunctionArn"])
    machine = clients["stepfunctions"].create_state_machine(name="judge-panel", definition=definition, roleArn=role)
    return str(machine["stateMachineArn"])


def _loaded(folder: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(folder.replace("/", "_"), ROOT / "functions" / folder / "handler.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
