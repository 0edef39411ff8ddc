"""A plug-in for pytest: the fixture `evalbook` scores a recorded output and fails the test where it does not pass."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from types import ModuleType

    from evalbook.library import CaseResult

Check = Callable[..., "CaseResult"]


def pytest_configure(config: pytest.Config) -> None:
    """Announce the marker."""
    config.addinivalue_line(
        "markers", "evalbook(implementation, parameters, **members): what the fixture evalbook scores outputs with"
    )


@pytest.fixture
def evalbook(request: pytest.FixtureRequest) -> Check:
    """Return `check(implementation, parameters, output=..., ...)`: it returns the result, or fails the test.

    With the marker `evalbook` on the test, implementation, parameters and members come from there, and
    `check(output=...)` is enough.
    """
    marker = request.node.get_closest_marker("evalbook")

    def check(
        implementation: str | None = None, parameters: Mapping[str, Any] | None = None, /, **members: Any
    ) -> "CaseResult":
        __tracebackhide__ = True
        if implementation is None and marker is not None:
            implementation, parameters = (*marker.args, None, None)[:2]
            members = {**marker.kwargs, **members}
        if implementation is None:
            raise TypeError("name an implementation, or put @pytest.mark.evalbook(implementation, ...) on the test")
        result: CaseResult = evalbook_library().score(implementation, parameters, **members)
        if not result.passed:
            code = f" ({result.code})" if result.code else ""
            pytest.fail(f"{result.scorer}: {result.outcome}{code}: {result.explanation}", pytrace=False)
        return result

    return check


def evalbook_library() -> "ModuleType":
    """Return the library, imported when a test first scores: a run without one does not pay for it."""
    return import_module("evalbook.library")
