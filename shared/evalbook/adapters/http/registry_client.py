"""The HTTP API of a deployment, as a client."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, Self

import httpx

from evalbook.domain.limits import API_ANSWER_DEPTH
from evalbook.jsonio.canonical import plain_json
from evalbook.jsonio.reader import NotStrictJson, read_json
from evalbook.jsonio.values import Json
from evalbook.services.registry.transfer_port import ApiRefused

_TIMEOUT_SECONDS: Final = 40.0
_PAGE: Final = 100


class HttpRegistry:
    """A `RegistryApi`; a context manager that closes its connections."""

    def __init__(self, url: str, token: str, project: str | None, transport: httpx.BaseTransport | None = None) -> None:
        named = {"X-Bookbag-Project": project} if project else {}
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", **named}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=_TIMEOUT_SECONDS, transport=transport)

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connections."""
        self._http.close()

    def get(self, path: str) -> Json | None:
        """What is at *path*; None where nothing is."""
        answer = self._asked("GET", path)
        return None if answer.status_code == httpx.codes.NOT_FOUND else _read(answer)

    def pages(self, path: str) -> Iterator[Json]:
        """Every entry of the list at *path*."""
        cursor: str | None = None
        while True:
            more = {"cursor": cursor} if cursor else {}
            page = _read(self._asked("GET", path, params={"limit": _PAGE, **more}))
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def post(self, path: str, body: Json) -> Json:
        """Post *body*, an object, or nothing where it is None."""
        return _read(self._asked("POST", path, content=None if body is None else plain_json(body)))

    def put(self, path: str, body: Json) -> Json:
        """Put *body*."""
        return _read(self._asked("PUT", path, content=plain_json(body)))

    def _asked(self, method: str, path: str, **more: Any) -> httpx.Response:
        try:
            return self._http.request(method, path, **more)
        except httpx.HTTPError as error:
            raise ApiRefused(f"{method} {path}: no answer ({type(error).__name__})") from error


def _read(answer: httpx.Response) -> Json:
    if answer.is_success:
        with suppress(NotStrictJson):
            return read_json(answer.content, max_depth=API_ANSWER_DEPTH)
    raise ApiRefused(f"{answer.request.method} {answer.request.url.path}: {answer.status_code} {_reason(answer)}")


def _reason(answer: httpx.Response) -> str:
    """What a problem says, each of its places on a line of its own."""
    try:
        problem = read_json(answer.content)
    except NotStrictJson:
        return answer.reason_phrase
    if not isinstance(problem, dict):
        return answer.reason_phrase
    places = [f"\n  {each['pointer']}: {each['message']}" for each in problem.get("problems", [])]
    return f"{problem.get('code', '')} {problem.get('detail', problem.get('message', ''))}{''.join(places)}".strip()
