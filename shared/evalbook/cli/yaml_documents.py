"""YAML read as JSON: the same values, numbers with the digits they were written with."""

from decimal import Decimal
from typing import Any

from evalbook.domain.errors import Problem, Refused


def read_yaml(text: bytes) -> Any:
    """Return the document in *text*; raise Refused where it is no YAML, or PyYAML is not there."""
    try:
        import yaml
    except ImportError:
        raise Refused([Problem("", "YAML needs PyYAML: pip install 'evalbook-scorers[yaml]'")]) from None

    class Loader(yaml.SafeLoader):
        """Numbers exactly, dates as the texts that they are, a repeated key refused."""

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:  # noqa: FBT001, FBT002
            keys = [each.value for each, _ in node.value]
            if len(set(keys)) < len(keys):
                raise yaml.YAMLError("a key is repeated")
            return super().construct_mapping(node, deep=deep)

    Loader.add_constructor("tag:yaml.org,2002:float", _exact)
    Loader.add_constructor("tag:yaml.org,2002:timestamp", _text)
    try:
        return yaml.load(text, Loader)  # noqa: S506  (made from the safe loader)
    except (yaml.YAMLError, ArithmeticError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 1}" if mark else ""
        raise Refused([Problem("", f"the suite is no YAML{where}")]) from None


def _text(loader: Any, node: Any) -> str:
    text: str = loader.construct_scalar(node)
    return text


def _exact(loader: Any, node: Any) -> Decimal:
    number = Decimal(_text(loader, node).replace("_", ""))
    if not number.is_finite():
        raise ArithmeticError("NaN and infinities are no JSON")
    return number
