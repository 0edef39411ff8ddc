"""Fuzz the HTTP API on the local stack with schemathesis, against the document that it serves."""

import argparse
import os
import subprocess
import sys
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from devstack.emulator.environment import prepared_environment
from devstack.errors import StackError
from devstack.stack import ROOT, Stack

_CHECKS: Final = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,"
    "response_schema_conformance,unsupported_method,allow_header_conformance"
)
_UNLIMITED: Final = {"SandboxRunsAMinute": "10000"}
_SEED: Final = "20261130"
_SEEDS: Final = (
    ("/scorers", b'{"name": "s"}'),
    ("/scorers/s/versions", b'{"implementation": "exact_match"}'),
    ("/rubrics", b'{"name": "r"}'),
    ("/rubrics/r/versions", b'{"instructions": "x", "criteria": [{"key": "k", "title": "t"}]}'),
)
_KNOWN: Final = """
[parameters]
"path.scorer" = "s"
"path.version" = 1
"path.rubric" = "r"
"""
"""For a second pass: with names that exist, requests get further."""
_SCOPES: Final = "scorer.read scorer.write scorer.approve sandbox.run budget.write calibration.run dataset.read_body"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; 0 where every answer was one that the document describes, and none a 500."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=100, help="examples an operation (default: %(default)s)")
    parser.add_argument("--schemathesis", type=Path, help="the program (default: one of an environment of its own)")
    options = parser.parse_args(arguments)
    try:
        program = options.schemathesis or prepared_environment(ROOT, "fuzz") / "schemathesis"
        with Stack(parameters=_UNLIMITED) as stack, TemporaryDirectory() as folder:
            return _fuzzed(stack, program, options.examples, Path(folder))
    except StackError as error:
        print(error, file=sys.stderr)
        return 1


def _fuzzed(stack: Stack, program: Path, examples: int, folder: Path) -> int:
    claims = {"sub": "fuzz", "org": "acme", "projects": "fuzz", "scope": _SCOPES}
    bearer = f"Bearer {stack.issuer.token(claims)}"
    for path, body in _SEEDS:
        headers = {"Authorization": bearer, "Content-Type": "application/json"}
        request = urllib.request.Request(stack.api_url + path, body, headers)  # noqa: S310  (ours)
        urllib.request.urlopen(request, timeout=40).close()  # noqa: S310  (ours)
    command = [str(program), "run", str(ROOT / "docs" / "openapi.json"), "--url", stack.api_url]
    command += ["--header", f"Authorization: {bearer}", "--checks", _CHECKS, "--max-examples", str(examples)]
    command += ["--phases", "examples,coverage,fuzzing", "--seed", _SEED, "--continue-on-failure"]
    command += ["--suppress-health-check", "all", "--request-timeout", "60", "--no-color", "--warnings", "off"]
    environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": os.environ.get("HOME", "/")}
    codes = []
    for known in ("", _KNOWN):
        (folder / "schemathesis.toml").write_text(known)
        codes.append(subprocess.run(command, check=False, env=environment, cwd=folder).returncode)
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
