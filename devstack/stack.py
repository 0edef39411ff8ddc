"""The whole local stack as one object: start it, talk to it with boto3, stop it."""

from collections.abc import Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Final, Self

import boto3
from botocore.config import Config

from devstack.emulator.deploy import Deployed, Deployer
from devstack.emulator.emulator import REGION, Emulator
from devstack.emulator.function_faults import FunctionFaults
from devstack.emulator.template import load
from devstack.standins.gateway import TOKEN, GatewayOptions, GatewayStandIn
from devstack.standins.oidc import Issuer

ROOT: Final = Path(__file__).resolve().parent.parent
NAME: Final = "evalbook"
CREDENTIAL: Final = "test"  # key id and secret; the emulator takes it for the account's owner
_CONFIG: Final = Config(connect_timeout=5, read_timeout=60, retries={"mode": "standard", "total_max_attempts": 3})
_FAULTS: Final = "function-faults"
_SSO_SECRET: Final = {"SsoSecretArn": TOKEN}


def _asks_for_sso(template: Path) -> bool:
    return "SsoUrl" in load(template).get("Parameters", {})


def _issued(template: Path, issuer: Issuer) -> Mapping[str, str]:
    """The parameters that tell a template of the issuer, if it asks for one."""
    return {"TokenIssuer": issuer.url} if "TokenIssuer" in load(template).get("Parameters", {}) else {}


class Stack:
    """A context manager: the template deployed on an emulator of its own, ended with everything it started.

    *secrets* are values by the name of the template's parameter that takes the secret's ARN. Where the template asks
    for Bookbag SSO, its stand-in answers as `sso`, behaving by the options *sso*.
    """

    _faulty: ClassVar[bool] = False

    def __init__(
        self,
        template: Path = ROOT / "template.yaml",
        *,
        parameters: Mapping[str, str] = MappingProxyType({}),
        secrets: Mapping[str, str] = MappingProxyType({}),
        port: int | None = None,
        sso: GatewayOptions | None = None,
    ) -> None:
        self._template = template
        self._issuer = Issuer()
        self.sso = GatewayStandIn(sso)
        self._parameters = parameters
        self._secrets = {**(_SSO_SECRET if _asks_for_sso(template) else {}), **secrets}
        self._emulator = Emulator(ROOT, port)
        self._clients: dict[str, Any] = {}
        self._deployed = Deployed({}, {})
        self._exits = ExitStack()

    def __enter__(self) -> Self:
        """Start the emulator and deploy.

        Raises:
            StackError: the emulator did not start, or a resource could not be made.
        """
        with self._exits:
            self._exits.enter_context(self._issuer)
            self._exits.enter_context(self._emulator)
            self._exits.enter_context(self.sso)
            book = self._emulator.directory / _FAULTS if self._faulty else None
            deployer = Deployer(self.client("cloudformation"), self.client("s3"), book)
            known = {**_issued(self._template, self._issuer), **self._sso_parameters()}
            parameters = {**known, **self._parameters, **self._stored_secrets()}
            self._deployed = deployer.deploy(self._template, NAME, parameters, ROOT / "shared")
            self._exits = self._exits.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """End everything that was started."""
        self._exits.close()

    def _sso_parameters(self) -> dict[str, str]:
        """Tell the template of the stand-in, and of an emulator that cannot redrive executions."""
        if not _asks_for_sso(self._template):
            return {}
        replays = str(self.sso.options.replays).lower()
        return {"SsoUrl": self.sso.url, "GatewayReplays": replays, "PanelRedrives": "false"}

    def _stored_secrets(self) -> dict[str, str]:
        """Store the secrets, each named by the parameter that takes its ARN."""
        return {
            name: self.client("secretsmanager").create_secret(Name=name, SecretString=value)["ARN"]
            for name, value in self._secrets.items()
        }

    @property
    def endpoint(self) -> str:
        """The URL that every AWS API of this stack answers on."""
        return self._emulator.endpoint

    @property
    def emulator(self) -> Emulator:
        """The emulator below the stack."""
        return self._emulator

    @property
    def outputs(self) -> Mapping[str, str]:
        """The template's outputs: queue URLs, the table's and the bucket's name."""
        return self._deployed.outputs

    @property
    def issuer(self) -> Issuer:
        """The issuer whose tokens the HTTP API takes."""
        return self._issuer

    @property
    def api_url(self) -> str:
        """The URL of the HTTP API."""
        return f"{self.endpoint}/_aws/execute-api/{self.outputs['ApiId']}/$default"

    def physical_id(self, logical_id: str) -> str:
        """Return the name, URL or ARN (what `Ref` gives) of a resource of the template."""
        return self._deployed.resources[logical_id]

    def client(self, service: str) -> Any:
        """Return the boto3 client of *service* (such as "sqs") for this stack; the same one each time."""
        if service not in self._clients:
            session = boto3.Session(CREDENTIAL, CREDENTIAL, region_name=REGION)
            client = session.client(service, endpoint_url=self.endpoint, config=_CONFIG)
            self._clients[service] = self._exits.enter_context(closing(client))
        return self._clients[service]

    def logs(self, log_group: str) -> list[str]:
        """Return the lines that functions wrote to the log group with this logical id, oldest first."""
        pages = (
            self.client("logs").get_paginator("filter_log_events").paginate(logGroupName=self.physical_id(log_group))
        )
        return [event["message"] for page in pages for event in page["events"]]


class FaultyStack(Stack):
    """A stack whose functions go wrong where `faults` says so."""

    _faulty = True

    @property
    def faults(self) -> FunctionFaults:
        """What is to go wrong."""
        return FunctionFaults(self._emulator.directory / _FAULTS)
