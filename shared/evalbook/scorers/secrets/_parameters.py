"""What an author sets on secret_scan: the detectors that run, detectors of their own, and known values to ignore."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Final, Literal, get_args

import regex
from pydantic import Field

from evalbook.domain.errors import Problem
from evalbook.domain.parameters import Parameters, ReadsOutput
from evalbook.jsonio.values import Json
from evalbook.scorer_kit.patterns import PatternLimits, author_pattern_problems, author_pattern_warnings

DetectorName = Literal[
    "aws_access_key_id",
    "github_token",
    "private_key",
    "slack_token",
    "openai_key",
    "anthropic_key",
    "google_api_key",
    "stripe_secret_key",
    "bookbag_token",
    "jwt",
]
ALL: Final[list[DetectorName]] = list(get_args(DetectorName))
_Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
_MAX_EXTRA: Final = 20
_MAX_IGNORED: Final = 1_000


class ExtraDetector(Parameters):
    """A detector of the author's own."""

    name: str = Field(pattern="^[a-z][a-z0-9_]{0,63}$", description="What findings call it.")
    pattern: str = Field(description="What it finds, checked for catastrophic backtracking.")


class SecretScanParameters(ReadsOutput, PatternLimits):
    """Which credentials are looked for, and which are known and ignored."""

    detectors: Annotated[list[DetectorName], Field(min_length=1, description="The detectors that run.")] = ALL
    extra_detectors: list[ExtraDetector] = Field(
        default_factory=list,
        max_length=_MAX_EXTRA,
        description='Detectors of your own, each `{"name": ..., "pattern": ...}`; 20 at most.',
    )
    ignore: list[_Digest] = Field(
        default_factory=list,
        max_length=_MAX_IGNORED,
        description="SHA-256 digests, in small hexadecimal letters, of findings that are known and no secrets.",
    )

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse extra detectors whose pattern cannot be used or whose name is taken."""
        taken: set[Json] = set(ALL)
        for pointer, extra in _members(raw.get("extra_detectors")):
            name, pattern = extra.get("name"), extra.get("pattern")
            if type(name) is str:
                if name in taken:
                    yield Problem(f"{pointer}/name", "is the name of another detector; give each a name of its own")
                taken.add(name)
            if type(pattern) is str:
                yield from _pattern_problems(pattern, f"{pointer}/pattern")

    def warnings(self) -> Iterable[Problem]:
        """Warn of patterns that can run into their time limit on a long text."""
        for index, extra in enumerate(self.extra_detectors):
            yield from author_pattern_warnings(extra.pattern, f"/extra_detectors/{index}/pattern")


def _members(raw: Json) -> Iterator[tuple[str, dict[str, Any]]]:
    for index, extra in enumerate(raw if isinstance(raw, list) else ()):
        if isinstance(extra, dict):
            yield f"/extra_detectors/{index}", extra


def _pattern_problems(pattern: str, pointer: str) -> Iterator[Problem]:
    refused = list(author_pattern_problems(pattern, pointer))
    yield from refused
    if not refused and regex.fullmatch(pattern, "") is not None:
        yield Problem(
            pointer, "matches the empty text, so it finds nothing in particular; ask for one character or more"
        )
