"""Deploy a template to the emulator: packages to S3, then CreateStack, as `sam deploy` does."""

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from botocore.exceptions import ClientError

from devstack.emulator.emulator import REGION
from devstack.emulator.functions import on_this_machine, package
from devstack.emulator.http_api import spell_out
from devstack.emulator.permissions import with_emulated_names
from devstack.emulator.template import expand, load, packaged, with_numbers
from devstack.errors import StackError

_BUCKET: Final = "devstack-packages"
_POLL_SECONDS: Final = 0.05
_DEPLOY_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class Deployed:
    """A stack that is complete: its outputs, and the physical id of each logical id."""

    outputs: Mapping[str, str]
    resources: Mapping[str, str]


class Deployer:
    """Puts templates on the emulator behind the given CloudFormation and S3 clients.

    Functions go wrong where that is laid down in the folder *faults*.
    """

    def __init__(self, cloudformation: Any, s3: Any, faults: Path | None = None) -> None:
        self._cloudformation = cloudformation
        self._s3 = s3
        self._faults = faults

    def deploy(self, template: Path, stack: str, parameters: Mapping[str, str], shared: Path) -> Deployed:
        """Return *stack* made from the SAM template at *template*, its functions importing from *shared*.

        Raises:
            StackError: a resource could not be made, for example one of a type that the emulator lacks.
        """
        self._s3.create_bucket(Bucket=_BUCKET)

        def locate(_: str, path: str) -> str:
            local = template.parent / path
            is_package = local.is_dir()
            return self._upload(package(local, shared, self._faults) if is_package else local.read_bytes())

        local = packaged(on_this_machine(load(template)), locate)
        plain = with_emulated_names(with_numbers(spell_out(expand(local, parameters, REGION)), parameters))
        self._create(stack, plain, parameters)
        return self._described(stack)

    def _upload(self, content: bytes) -> str:
        key = hashlib.sha256(content).hexdigest()
        self._s3.put_object(Bucket=_BUCKET, Key=key, Body=content)
        return f"s3://{_BUCKET}/{key}"

    def _create(self, stack: str, template: Mapping[str, Any], parameters: Mapping[str, str]) -> None:
        # By URL: as on AWS, a template in the request itself may have 51,200 bytes at most.
        location = self._upload(json.dumps(template).encode()).removeprefix("s3://")
        try:
            self._cloudformation.create_stack(
                StackName=stack,
                TemplateURL=f"https://s3.amazonaws.com/{location}",
                Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()],
                Capabilities=["CAPABILITY_IAM"],
            )
        except ClientError as error:
            raise StackError(f"the template was refused: {error.response['Error']['Message']}") from error
        self._wait_for(stack)

    def _wait_for(self, stack: str) -> None:
        deadline = time.monotonic() + _DEPLOY_SECONDS
        while (status := self._stack(stack)["StackStatus"]) == "CREATE_IN_PROGRESS" and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)
        if status != "CREATE_COMPLETE":
            raise StackError(f"the stack is {status}:\n{self._failures(stack)}")

    def _stack(self, stack: str) -> dict[str, Any]:
        description: dict[str, Any] = self._cloudformation.describe_stacks(StackName=stack)["Stacks"][0]
        return description

    def _failures(self, stack: str) -> str:
        events = self._cloudformation.describe_stack_events(StackName=stack)["StackEvents"]
        return "\n".join(
            f"  {event['LogicalResourceId']} ({event['ResourceType']}): {event.get('ResourceStatusReason', '')}"
            for event in reversed(events)
            if event["ResourceStatus"].endswith("FAILED")
        )

    def _described(self, stack: str) -> Deployed:
        outputs = self._stack(stack).get("Outputs", [])
        resources = self._cloudformation.describe_stack_resources(StackName=stack)["StackResources"]
        return Deployed(
            outputs={each["OutputKey"]: each["OutputValue"] for each in outputs},
            resources={each["LogicalResourceId"]: each["PhysicalResourceId"] for each in resources},
        )
