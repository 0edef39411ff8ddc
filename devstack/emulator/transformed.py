"""Print the template as CloudFormation gets it: `python -m devstack.emulator.transformed > transformed.json`."""

import json

from devstack.emulator.emulator import REGION
from devstack.emulator.template import Template, expand, load, packaged
from devstack.stack import ROOT


def transformed(region: str = REGION) -> Template:
    """Return the project's template with the SAM transform expanded; its code lies at made-up places in S3."""
    return expand(packaged(load(ROOT / "template.yaml"), lambda name, _: f"s3://packages/{name}"), {}, region)


if __name__ == "__main__":
    print(json.dumps(transformed(), indent=1))
