"""What the tests against a real gateway share: a judge, its request, and the adapter with the stand-in's token."""

import hashlib
import json
import time
from dataclasses import dataclass, field, replace

from devstack.standins.gateway import TOKEN, GatewayStandIn
from devstack.standins.gateway_catalog import RULES_MODEL, catalog_document
from evalbook.adapters.http.backoff import Backoff
from evalbook.adapters.http.catalog import HttpxCatalogs
from evalbook.adapters.http.gateway import GatewayAddress, HttpxGateway
from evalbook.adapters.http.request import HttpExchange
from evalbook.domain.case import Case
from evalbook.judges.catalog import read_catalog
from evalbook.judges.prompt import build_messages
from evalbook.judges.request import RequestLabels, request_body
from evalbook.judges.version import read_judge_parameters
from evalbook.services.judging.gateway import CompletionRequest, GatewayFailure

MODELS = read_catalog(json.dumps(catalog_document()).encode()).models
BOUNDARY = "0123456789abcdef" * 2
JUDGE = {"model": RULES_MODEL.id, "prompt_template": "Right? {{output}} {{expected}}", "score_type": "binary"}


class FixedToken:
    """One token."""

    def __init__(self, value=TOKEN):
        self.value = value

    def token(self, **_):
        return self.value


def judge(**changes):
    return read_judge_parameters({**JUDGE, **changes})


def catalogs(sso, token=TOKEN):
    return HttpxCatalogs(sso.url, FixedToken(token), pace=Backoff(draw=lambda: 0.0))


def request(name="call-1", parameters=None, *, case=None, organization_id="org-1"):
    """A logical request called *name* to the stand-in's own model."""
    parameters = parameters or judge()
    entry = MODELS[parameters.model]
    logical_id = hashlib.sha256(name.encode()).hexdigest()
    messages = build_messages(parameters, case or Case("c", output="four", expected="four"), boundary=BOUNDARY)
    body = request_body(entry, parameters, messages, RequestLabels("run-1", "5f" * 32, logical_id))
    return CompletionRequest(organization_id, "budget-1", logical_id, body, entry.served_names)


@dataclass
class Caller:
    """The adapter against one gateway; waits are short, and every attempt is noted."""

    url: str
    replays: bool
    seconds: float = 20.0
    token: str = TOKEN
    most_bytes: int = 8 * 1024 * 1024
    sent: list = field(default_factory=list)

    def complete(self, wanted, *, sent_before=False):
        gateway = HttpxGateway(
            GatewayAddress(self.url, self.replays),
            FixedToken(self.token),
            exchange=HttpExchange(self.most_bytes),
            pace=Backoff(draw=lambda: 0.01),
        )
        deadline = time.time() + self.seconds
        return gateway.complete(
            wanted,
            deadline=deadline,
            on_sent=lambda attempt, _: self.sent.append(attempt),
            sent_before=sent_before,
        )

    def fault(self, wanted, **options):
        try:
            reply = self.complete(wanted, **options)
        except GatewayFailure as failure:
            return failure.fault
        raise AssertionError(f"the call was answered: {reply}")


def caller(sso: GatewayStandIn, **options):
    return Caller(sso.url, sso.options.replays, **options)


def with_other_body(wanted):
    return replace(wanted, body=wanted.body.replace(b"Right?", b"Wrong?"))
