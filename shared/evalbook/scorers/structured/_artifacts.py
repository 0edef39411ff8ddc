"""The artifacts that a case reports: in its output, its subject, the links of its trace."""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from evalbook.domain.case import Case
from evalbook.jsonio.pointer import Tokens, resolve
from evalbook.jsonio.values import ABSENT, Absent, Json

Source = Literal["output", "subject", "trace"]
ArtifactKey = tuple[str, str]

_DIGEST: Final = re.compile(r"[0-9A-Fa-f]{64}")


def well_formed_digest(value: Json) -> str | None:
    """*value* in lower case, if it is a SHA-256 digest, 64 hexadecimal digits; None for anything else."""
    return value.lower() if type(value) is str and _DIGEST.fullmatch(value) else None


def reported_artifacts(case: Case, sources: frozenset[Source], output_path: Tokens) -> Mapping[ArtifactKey, set[str]]:
    """Return every artifact that the *sources* of *case* list, by kind and name, with its well-formed digests.

    What is not listed as `{"kind", "name", "sha256"}` lists nothing.
    """
    found: dict[ArtifactKey, set[str]] = {}
    for entry in _entries(case, sources, output_path):
        if type(entry) is not dict:
            continue
        kind, name, digest = entry.get("kind"), entry.get("name"), well_formed_digest(entry.get("sha256"))
        if type(kind) is str and type(name) is str:
            digests = found.setdefault((kind, name), set())
            digests.update([digest] if digest else ())
    return found


def _entries(case: Case, sources: frozenset[Source], output_path: Tokens) -> Iterator[Json]:
    lists: dict[Source, Json | Absent] = {
        "output": _of_output(case.output, output_path),
        "subject": _member(case.subject, "artifacts"),
        "trace": _member(case.trace, "links"),
    }
    for source, entries in lists.items():
        if source in sources and type(entries) is list:
            yield from entries


def _of_output(output: Json | Absent, path: Tokens) -> Json | Absent:
    """Return the list of artifacts: the member of what is at *path*, or what is there where the path was chosen."""
    value = ABSENT if output is ABSENT else resolve(output, path)
    return value if path and type(value) is list else _member(value, "artifacts")


def _member(value: Json | Absent, name: str) -> Json | Absent:
    return value.get(name, ABSENT) if type(value) is dict else ABSENT


def _digest(value: str) -> str:
    digest = well_formed_digest(value)
    if digest is None:
        raise ValueError("must be 64 hexadecimal digits and nothing else")
    return digest


class RequiredArtifact(BaseModel):
    """An artifact that the case must list."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, hide_input_in_errors=True)

    kind: Annotated[str, Field(min_length=1)]
    name: Annotated[str, Field(min_length=1)]
    sha256: Annotated[str, AfterValidator(_digest), Field(description="Without it any well-formed digest does.")] = ""


def missing_artifacts(required: list[RequiredArtifact], reported: Mapping[ArtifactKey, set[str]]) -> list[str]:
    """Name each required artifact that is not reported, by its index, and say in what way."""
    missing = []
    for index, artifact in enumerate(required):
        digests = reported.get((artifact.kind, artifact.name))
        if not digests or (artifact.sha256 and artifact.sha256 not in digests):
            missing.append(f"{index} ({_how_missing(digests)})")
    return missing


def _how_missing(digests: set[str] | None) -> str:
    if digests is None:
        return "not listed"
    return "listed with another digest" if digests else "listed without a well-formed digest"
