"""From nothing to the first answer under the real runtime client: the score function against one that only imports."""

import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.measuring import table
from tests.runtime_api import RuntimeApi

ROUNDS = 9
ENVIRONMENT = {
    "SCORER_FAMILY": "text",
    "REGISTRY_TABLE": "registry",
    "BODIES_BUCKET": "bodies",
    "RESULTS_QUEUE_URL": "http://127.0.0.1/results",
    "QUEUE_URL": "http://127.0.0.1/queue",
    "DEAD_QUEUE_URL": "http://127.0.0.1/dead",
    "POWERTOOLS_SERVICE_NAME": "evalbook",
    "POWERTOOLS_METRICS_NAMESPACE": "EvalBook",
    "AWS_DEFAULT_REGION": "eu-west-1",
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
}
BARE = """
import aws_lambda_powertools
import boto3
import pydantic
from aws_lambda_powertools import Logger, Metrics


def lambda_handler(event, context):
    return {"batchItemFailures": []}
"""


def milliseconds(function: str) -> float:
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        with RuntimeApi(function, ENVIRONMENT) as api:
            api.invoke({"Records": []})
            times.append((time.perf_counter() - started) * 1_000)
    return median(times)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "handler.py").write_text(BARE, "utf-8")
        bare, ours = milliseconds(folder), milliseconds("score")
    print(f"Milliseconds of wall time, medians of {ROUNDS} starts.\n")
    row = (f"{bare:.0f}", f"{ours:.0f}", f"{ours / bare:.2f}")
    print(table(("boto3, pydantic, Powertools", "score function", "ratio"), [row]))


if __name__ == "__main__":
    main()
