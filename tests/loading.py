"""Loading a function's handler as Lambda does: by its path, in its environment."""

import importlib.util
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FUNCTIONS = Path(__file__).parent.parent / "functions"


@dataclass(frozen=True)
class Context:
    """As much of Lambda's context as the handlers use."""

    milliseconds: int = 90_000
    aws_request_id: str = "a1b2c3d4-0000-4000-8000-000000000000"

    def get_remaining_time_in_millis(self) -> int:
        return self.milliseconds


@dataclass(frozen=True)
class Handler:
    """A loaded handler."""

    module: ModuleType

    def __call__(self, event: Mapping[str, Any], context: Context | None = None) -> dict[str, Any]:
        answer: dict[str, Any] = self.module.lambda_handler(event, context or Context())
        return answer


@contextmanager
def load_handler(name: str, environment: Mapping[str, str]) -> Iterator[Handler]:
    """Import `functions/<name>/handler.py` anew; its processes end with the block."""
    with pytest.MonkeyPatch.context() as patch:
        for variable, value in environment.items():
            patch.setenv(variable, value)
        spec = importlib.util.spec_from_file_location(f"{name}_handler", FUNCTIONS / name / "handler.py")
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        try:
            yield Handler(module)
        finally:
            _close(module)


def _close(module: ModuleType) -> None:
    if hasattr(module, "score"):
        module.score.use_case.worker.close()
    if hasattr(module, "exhausted"):
        module.exhausted.use_case.score.worker.close()
