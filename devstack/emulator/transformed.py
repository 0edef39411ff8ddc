"""Print the template as CloudFormation gets it: `python -m devstack.emulator.transformed > transformed.json`.

With `--digests` print what of it tests/integration/test_template_snapshot.py compares.
"""

import argparse
import hashlib
import json
from typing import Any, Final

from devstack.emulator.emulator import REGION
from devstack.emulator.template import Template, expand, load, packaged
from devstack.stack import ROOT

_DIGITS: Final = 12


def transformed(region: str = REGION) -> Template:
    """Return the project's template with the SAM transform expanded; its code lies at made-up places in S3."""
    return expand(packaged(load(ROOT / "template.yaml"), lambda name, _: f"s3://packages/{name}"), {}, region)


def digests(template: Template) -> dict[str, dict[str, str]]:
    """Return for each resource its type, and 12 hexadecimal digits for each of its attributes and properties."""
    return {
        name: {"Type": resource["Type"], **{part: _digest(value) for part, value in sorted(_parts(resource).items())}}
        for name, resource in sorted(template["Resources"].items())
    }


def _parts(resource: dict[str, Any]) -> dict[str, Any]:
    attributes = {name: value for name, value in resource.items() if name not in {"Type", "Properties"}}
    return {**attributes, **resource.get("Properties", {})}


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:_DIGITS]


def main() -> None:
    """Print the transformed template, or its digests with a resource a line."""
    parser = argparse.ArgumentParser(prog="python -m devstack.emulator.transformed", description=__doc__)
    parser.add_argument("--digests", action="store_true", help="print digests of the resources instead")
    if parser.parse_args().digests:
        lines = (f" {json.dumps(name)}: {json.dumps(parts)}" for name, parts in digests(transformed()).items())
        print("{\n" + ",\n".join(lines) + "\n}")
    else:
        print(json.dumps(transformed(), indent=1))


if __name__ == "__main__":
    main()
