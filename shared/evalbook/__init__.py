"""EvalBook's scorers: deterministic ones, judges, and their calibration.

From Python: `evalbook.score`, `evalbook.Scorer`, `evalbook.Suite`. They are resolved when first used, so that no
function pays for them at its start.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evalbook.library import CaseResult, ParametersRefused, Scorer, Suite, score

__all__ = ["CaseResult", "ParametersRefused", "Scorer", "Suite", "score"]


def __getattr__(name: str) -> Any:
    """Return a public name of the library."""
    if name in __all__:
        return getattr(import_module("evalbook.library"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
