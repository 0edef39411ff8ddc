"""The examples on the page about messages: what it sends is valid, and what it receives is what the code sends."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from evalbook.contracts.score_batch import read_batch
from evalbook.domain.versions import ScorerKey, ScorerVersion, VersionState, version_digest
from evalbook.services.scoring.score_batches import ScoreMessages
from evalbook.services.scoring.version_lookup import VersionLookup
from tests.fakes.batches import message
from tests.fakes.stores import MemoryBodies, MemoryDeadLetters, MemoryQueue, MemoryVersions
from tests.fakes.worker import InProcessWorker

DOCS = Path(__file__).parents[2] / "docs"
BLOCKS = dict(
    re.findall(r"^```json (\w+)\n(.*?)^```", (DOCS / "messages.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
)


def problems(schema, value):
    """What a published schema has against a value."""
    loaded = json.loads((DOCS / "schemas" / f"{schema}.json").read_text("utf-8"))
    return list(Draft202012Validator(loaded).iter_errors(value))


def stored_version():
    """The version that the page says the registry holds."""
    pinned, batch = json.loads(BLOCKS["version"]), json.loads(BLOCKS["score_batch"])
    key = ScorerKey(batch["organization_id"], batch["project_id"], batch["scorer"]["name"])
    digest = version_digest(**pinned)
    parameters = json.dumps(pinned.pop("parameters"))
    number = batch["scorer"]["version"]
    return ScorerVersion(key, number, parameters=parameters, digest=digest, state=VersionState.ACTIVE, **pinned)


@pytest.mark.parametrize("name", ["score_batch", "result_batch"])
def test_an_example_is_valid_by_its_published_schema(name):
    assert problems(name, json.loads(BLOCKS[name])) == []


def test_the_example_of_a_reference_stands_in_for_cases():
    batch = json.loads(BLOCKS["score_batch"])
    batch["cases_ref"] = json.loads(BLOCKS["cases_ref"])
    del batch["cases"]

    read = read_batch(json.dumps(batch).encode())

    assert problems("score_batch", batch) == []
    assert read.head.cases_ref.model_dump() == batch["cases_ref"]


def test_the_example_message_gets_the_example_results():
    versions, results = MemoryVersions(), MemoryQueue()
    versions.put(stored_version())
    lookup = VersionLookup(versions, "text")
    use_case = ScoreMessages(lookup, InProcessWorker(), MemoryBodies(), results, MemoryQueue())

    use_case.handle([message(BLOCKS["score_batch"].encode())], MemoryDeadLetters(), lambda: 3_600.0)

    assert [json.loads(body) for body in results.bodies] == [json.loads(BLOCKS["result_batch"])]
