"""The parameters of json_schema: the schema, how its formats are meant, and the limits of its patterns."""

from collections.abc import Iterable, Mapping

from pydantic import Field

from evalbook.domain.errors import Problem
from evalbook.domain.parameters import AnyJson
from evalbook.jsonio.values import Json
from evalbook.jsonschema_subset.checking import author_patterns, schema_problems
from evalbook.jsonschema_subset.formats import FormatUse
from evalbook.jsonschema_subset.upgrading import upgraded
from evalbook.scorer_kit.parsing import ParsesOutput
from evalbook.scorer_kit.patterns import PatternLimits, author_pattern_problems, author_pattern_warnings


class JsonSchemaParameters(ParsesOutput, PatternLimits):
    """The schema, and the limits of its patterns."""

    document: AnyJson = Field(
        alias="schema",
        description="A JSON Schema of draft-04, 06, 07, 2019-09 or 2020-12, by its $schema (none: 2020-12).",
    )
    formats: FormatUse = Field("assert", description="Whether `format` is a check, or only an annotation.")

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse what is outside the subset, refers outside or in a loop, or would take too long."""
        if "schema" in raw:
            formats: FormatUse = "annotate" if raw.get("formats") == "annotate" else "assert"
            for problem in schema_problems(raw["schema"], author_pattern_problems, formats):
                yield Problem("/schema" + problem.pointer, problem.message)

    @classmethod
    def stored(cls, raw: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return *raw* with the schema as 2020-12 has it."""
        return {**raw, "schema": upgraded(raw["schema"]).document}

    def warnings(self) -> Iterable[Problem]:
        """Warn of patterns that can run into their time limit on a long text."""
        for pattern, pointer in author_patterns(self.document):
            yield from author_pattern_warnings(pattern, "/schema" + pointer)
