"""Run the emulator; started by `emulator.py` with the emulator's own interpreter, so it imports nothing of ours.

Two properties of AWS are restored here: answers are not delayed by Nagle's algorithm, and requests count as sent over
TLS (the emulator is reached over loopback only), so that the own "only TLS" policies of templates are in force. A third
one comes on demand: tables that throttle, and transactions that collide.
The emulator ends with the process that holds the other end of its standard input, however that one ends.
"""

import json
import os
import shutil
import signal
import socketserver
import sys
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from ministack import app as emulator
from ministack.core import iam_evaluator

Scope = MutableMapping[str, Any]
Endpoint = Callable[[Scope, Any, Any], Awaitable[None]]

TROUBLE_PATH: Final = "/_devstack/trouble"
PERMISSIONS_PATH: Final = "/_devstack/permissions"
_TABLES: Final = "DynamoDB_"
_OWNER: Final = b"Credential=test/"
"""Begins what the stack's owner signs with; functions have the credentials of their roles."""


def over_tls(endpoint: Endpoint) -> Endpoint:
    """Give *endpoint*, an ASGI application, every request as a TLS proxy in front of it would."""

    async def proxied(scope: Scope, receive: Any, send: Any) -> None:
        if "headers" in scope:
            scope["headers"] = [*scope["headers"], (b"x-forwarded-proto", b"https")]
        await endpoint(scope, receive, send)

    return proxied


class Permissions:
    """Which statement the calls of roles were allowed by, and which were denied, since the emulator started."""

    def __init__(self) -> None:
        self._evaluate, self._enforce = iam_evaluator.evaluate, iam_evaluator.enforce
        self._seen = set[tuple[str, str, str]]()

    def watch(self) -> None:
        """Take the place of what the emulator decides with, and ask that."""
        iam_evaluator.evaluate, iam_evaluator.enforce = self._evaluated, self._enforced

    def listed(self) -> list[dict[str, str]]:
        """Give every decision once; `sid` is the statement that allowed the call, and empty where it was denied."""
        return [dict(zip(("role", "action", "sid"), each, strict=True)) for each in sorted(self._seen)]

    def _evaluated(self, context: Any, *policies: Any) -> Any:
        decided = self._evaluate(context, *policies)
        if decided.decision == "Allow":
            self._note(context.principal_arn, context.action, decided.matched_sid)
        return decided

    def _enforced(self, key: str, action: str, *rest: Any, **named: Any) -> Any:
        denied = self._enforce(key, action, *rest, **named)
        self._note(getattr(denied, "principal_arn", ""), action, "")
        return denied

    def _note(self, principal: str, action: str, sid: str) -> None:
        if ":assumed-role/" in principal:
            self._seen.add((principal.split("/")[1], action, sid))


class TroubledTables:
    """Gives *endpoint*, an ASGI application, all requests but those of functions to tables that are to fail.

    What fails and how often is said by a POST to `/_devstack/trouble`, which answers what has failed until then; a GET
    of `/_devstack/permissions` answers what roles did.
    """

    def __init__(self, endpoint: Endpoint, permissions: Permissions) -> None:
        self._endpoint = endpoint
        self._permissions = permissions
        self._order: dict[str, Any] = {}
        self._seen = Counter[str]()
        self._failed = Counter[str]()

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Answer one request."""
        headers = dict(scope.get("headers", ()))
        operation = headers.get(b"x-amz-target", b"").decode()
        if scope.get("path") == TROUBLE_PATH:
            await self._ordered(receive, send)
        elif scope.get("path") == PERMISSIONS_PATH:
            await _answer(send, 200, self._permissions.listed())
        elif self._order and _TABLES in operation and _OWNER not in headers.get(b"authorization", b""):
            await self._troubled(operation, scope, receive, send)
        else:
            await self._endpoint(scope, receive, send)

    async def _ordered(self, receive: Any, send: Any) -> None:
        before = dict(self._failed)
        self._order = json.loads(await _body(receive))
        self._failed.clear()
        await _answer(send, 200, before)

    async def _troubled(self, operation: str, scope: Scope, receive: Any, send: Any) -> None:
        body = await _body(receive)
        error = self._error(operation, json.loads(body)) if self._is_about_them(body) else None
        if error is not None:
            await _answer(send, 400, error)
            return
        message = {"type": "http.request", "body": body, "more_body": False}
        messages = iter([message])
        rest = receive

        async def again() -> Any:
            return next(messages, None) or await rest()

        await self._endpoint(scope, again, send)

    def _is_about_them(self, body: bytes) -> bool:
        return any(json.dumps(table).encode() in body for table in self._order["tables"])

    def _error(self, operation: str, request: dict[str, Any]) -> dict[str, Any] | None:
        if self._is_due("throttle_every"):
            return {"__type": "com.amazonaws.dynamodb.v20120810#ThrottlingException", "message": "too fast"}
        if operation.endswith("TransactWriteItems") and self._is_due("collide_every"):
            others = [{"Code": "None"} for _ in request["TransactItems"][1:]]
            return {
                "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
                "Message": "a collision",
                "CancellationReasons": [*others, {"Code": "TransactionConflict", "Message": "another transaction"}],
            }
        return None

    def _is_due(self, kind: str) -> bool:
        every = self._order.get(kind, 0)
        self._seen[kind] += 1
        due = bool(every) and self._seen[kind] % every == 0
        self._failed[kind] += due
        return due


async def _body(receive: Any) -> bytes:
    body: bytes = b""
    while True:
        message: dict[str, Any] = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            return body


async def _answer(send: Any, status: int, value: Any) -> None:
    body = json.dumps(value).encode()
    headers = [(b"content-type", b"application/x-amz-json-1.0"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def end_with_the_owner() -> None:
    """Block until standard input closes, then delete the emulator's files and end this process group."""
    sys.stdin.buffer.read()
    shutil.rmtree(os.environ["TMPDIR"], ignore_errors=True)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    threading.Thread(target=end_with_the_owner, daemon=True).start()
    socketserver.StreamRequestHandler.disable_nagle_algorithm = True
    permissions = Permissions()
    permissions.watch()
    emulator.app = TroubledTables(over_tls(emulator.app), permissions)
    emulator.main()
