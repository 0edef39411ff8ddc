"""A case that passes, for every implementation: what is scored after a hostile input."""

import json
from typing import Any

_SPANS = {"trace": {"spans": [{"span_id": "1", "kind": "tool", "name": "t", "arguments": {"a": 1}}]}}
_RETRIEVED = {"trace": {"spans": [{"span_id": "1", "kind": "retrieval", "documents": [{"id": "d"}]}]}}
_PASSING: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "exact_match": ({}, {"output": "a", "expected": "a"}),
    "contains": ({}, {"output": "ab", "expected": "a"}),
    "not_contains": ({}, {"output": "ab", "expected": "c"}),
    "regex": ({"pattern": "a"}, {"output": "ab"}),
    "edit_similarity": ({"threshold": 1}, {"output": "a", "expected": "a"}),
    "json_schema": ({"schema": {"type": "string"}}, {"output": "a"}),
    "numeric_tolerance": ({"absolute": 0}, {"output": 1, "expected": 1}),
    "required_fields": ({"required_fields": [{"path": "/a", "type": "null"}]}, {"output": {"a": None}}),
    "required_artifacts": (
        {"required_artifacts": [{"kind": "k", "name": "n"}]},
        {"output": {"artifacts": [{"kind": "k", "name": "n", "sha256": "a" * 64}]}},
    ),
    "tool_call_match": ({"tool": "t", "tool_params": [{"path": "/a", "rule": "equals", "value": 1}]}, _SPANS),
    "trajectory": ({"required_steps": [{"name": "t"}]}, _SPANS),
    "retrieval_relevance": ({"metric": "f1", "threshold": 1}, {**_RETRIEVED, "expected": ["d"]}),
    "citation_support": ({}, {**_RETRIEVED, "output": "So it is [d]."}),
    "secret_scan": ({}, {"output": "a"}),
}


def passing_line(implementation: str) -> bytes:
    """A line of `evalbook score` that passes."""
    parameters, members = _PASSING[implementation]
    case = {"case_id": "next", **members}
    return json.dumps({"id": 1, "implementation": implementation, "parameters": parameters, "case": case}).encode()
