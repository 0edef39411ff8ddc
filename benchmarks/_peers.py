"""Peers' scorers, each called the way its documentation says, as verdicts on one case."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from agentevals.trajectory.match import create_trajectory_match_evaluator
from autoevals import ExactMatch, Levenshtein, NumericDiff, ValidJSON
from pydantic_evals.evaluators import Contains, EqualsExpected, EvaluatorContext

from benchmarks._cases import SCHEMA, TOOLS
from evalbook.domain.case import Case

Verdict = Callable[[Any], bool]

_EXACT, _DISTANCE, _NUMERIC, _JSON, _EQUAL = ExactMatch(), Levenshtein(), NumericDiff(), ValidJSON(), EqualsExpected()
_STRICT = create_trajectory_match_evaluator(trajectory_match_mode="strict", tool_args_match_mode="ignore")
_SUPERSET = create_trajectory_match_evaluator(
    trajectory_match_mode="superset",
    tool_args_match_mode="ignore",
    tool_args_match_overrides={"book": lambda seen, wanted: seen["limit"] == wanted["limit"]},
)


def context(case: Case) -> EvaluatorContext[Any, Any, Any]:
    return EvaluatorContext(
        name=None,
        inputs=None,
        metadata=None,
        expected_output=case.expected,
        output=case.output,
        duration=0.0,
        _span_tree=None,
        attributes={},
        metrics={},
    )


def messages(calls: list[tuple[str, Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """Calls as agentevals reads them."""
    return [
        {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": n, "arguments": json.dumps(a)}}]}
        for n, a in calls
    ]


def conversation(case: Case) -> list[dict[str, Any]]:
    return messages([(span["name"], span["arguments"]) for span in case.trace["spans"] if span["kind"] == "tool"])


_IN_ORDER, _ONE_CALL = messages([(name, {}) for name in TOOLS]), messages([("book", {"limit": 5})])


def autoevals_exact(case: Case) -> bool:
    return bool(_EXACT(case.output, case.expected).score == 1)


def autoevals_similar(case: Case) -> bool:
    return bool(_DISTANCE(case.output, case.expected).score >= 0.9)


def autoevals_numeric(case: Case) -> bool:
    return bool(_NUMERIC(case.output, case.expected).score > 1 - 1e-6)


def autoevals_schema(case: Case) -> bool:
    # A schema given to its constructor is not looked at; one in the place of the expected value is.
    return bool(_JSON(case.output, SCHEMA).score == 1)


def pydantic_equal(case: EvaluatorContext[Any, Any, Any]) -> bool:
    return bool(_EQUAL.evaluate(case))


def pydantic_contains(texts: list[str]) -> Verdict:
    evaluators = [Contains(value) for value in texts]
    return lambda case: all(one.evaluate(case).value for one in evaluators)


def agentevals_in_order(outputs: list[dict[str, Any]]) -> bool:
    return bool(_STRICT(outputs=outputs, reference_outputs=_IN_ORDER)["score"])


def agentevals_call(outputs: list[dict[str, Any]]) -> bool:
    return bool(_SUPERSET(outputs=outputs, reference_outputs=_ONE_CALL)["score"])
