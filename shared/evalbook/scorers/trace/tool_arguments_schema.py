"""tool_arguments_schema (X-03): every call's arguments are valid against that tool's own schema."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Literal

from pydantic import Field

from evalbook.domain.case import Case
from evalbook.domain.errors import Problem
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Code, Grade, inconclusive
from evalbook.domain.parameters import AnyJson
from evalbook.jsonio.values import Json
from evalbook.jsonschema_subset.checking import author_patterns, schema_problems
from evalbook.jsonschema_subset.compiled import CompiledSchema
from evalbook.scorer_kit.patterns import (
    PatternLimits,
    author_pattern_problems,
    author_pattern_warnings,
    compile_pattern,
)
from evalbook.scorers.trace._calls import kept_arguments, tool_calls
from evalbook.scorers.trace._schema_grades import checked, graded
from evalbook.scorers.trace._tool_schemas import definitions, form_problems
from evalbook.traces.wire import read_trace

_NO_CALLS = inconclusive(Code.NO_CALLS, "The trace records no call of the tools that have a schema.")


class ToolArgumentsSchemaParameters(PatternLimits):
    """The tools with their schemas, and what a call of another tool means."""

    tools: list[dict[str, AnyJson]] = Field(
        min_length=1, description="Tools by name and schema, or their definitions as model APIs take them."
    )
    unknown_tools: Literal["fail", "ignore"] = Field("fail", description="What a call of a tool without schema does.")

    @classmethod
    def reads_arguments(cls, raw: Mapping[str, Json]) -> bool:  # noqa: ARG003
        """Whether arguments are read: always."""
        return True

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse unknown forms, repeated names and schemas that json_schema would refuse."""
        yield from form_problems(raw.get("tools"))
        for index, (_, schema, _, place) in definitions(raw.get("tools")):
            for problem in schema_problems(schema, author_pattern_problems):
                yield Problem(f"/tools/{index}{place}{problem.pointer}", problem.message)

    def warnings(self) -> Iterable[Problem]:
        """Warn of patterns that can run into their time limit on a long text."""
        for index, (_, schema, _, place) in definitions(self.tools):
            for pattern, pointer in author_patterns(schema):
                yield from author_pattern_warnings(pattern, f"/tools/{index}{place}{pointer}")


@scorer(parameters=ToolArgumentsSchemaParameters, needs=(Need.TRACE,))
def tool_arguments_schema(parameters: ToolArgumentsSchemaParameters) -> ScoreFunction:
    """Passes when every tool call's arguments are valid against that tool's own schema."""
    compiled = partial(
        compile_pattern, timeout_ms=parameters.match_timeout_ms, max_input_chars=parameters.max_input_chars
    )
    found: list[Any] = [each for _, each in definitions(parameters.tools)]
    schemas = {name: CompiledSchema(schema, compiled) for name, schema, _, _ in found}
    ignores = parameters.unknown_tools == "ignore"

    def score(case: Case) -> Grade:
        calls = tool_calls(read_trace(case))
        known = [place for place, call in enumerate(calls) if call.name in schemas]
        arguments = kept_arguments([calls[place] for place in known])
        unknown = 0 if ignores else len(calls) - len(known)
        if not known and not unknown:
            return _NO_CALLS
        kept = zip(known, arguments, strict=True)
        return graded({place: checked(schemas[calls[place].name], each) for place, each in kept}, unknown)

    return score
