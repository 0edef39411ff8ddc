"""Schemas of the subset, and values that they tell apart, drawn from a seed: far faster than strategies."""

from decimal import Decimal
from random import Random

from evalbook.jsonio.values import Json

_WHOLE_NUMBERS = [0, 1, 2, 3, -1, 2**53, 2**53 + 1, 2**70, 10**399, 100]
_FRACTIONS = [Decimal(text) for text in ("1.0", "0.1", "0.3", "0.30000000000000000000001", "1E399", "1E-399", "-0.0")]
_LARGE_FRACTIONS = [Decimal("9007199254740993.0"), Decimal("9007199254740993.5"), Decimal("1E2")]
_OTHERS = [None, True, False, "", "a", "ab", "1", "ü", "😀"]
_NAMES = ["a", "b", "ab"]
_PATTERNS = ["^a", "b$", "^[a-z]$", r"^\d", "."]
_TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]

_COUNTS = [bound + what for bound in ("min", "max") for what in ("Length", "Items", "Contains", "Properties")]
_BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]
_LEAVES = ["type", "enum", "const", "multipleOf", "pattern", "uniqueItems", "required", "dependentRequired", "$ref"]
_ONE = ["not", "if", "then", "else", "items", "contains", "additionalProperties", "propertyNames"]
_UNEVALUATED = ["unevaluatedItems", "unevaluatedProperties"]
_LISTS = ["allOf", "anyOf", "oneOf", "prefixItems"]
_MAPS = ["properties", "dependentSchemas"]


class Generator:
    """Draws from *seed*; without *fractions* every number is whole and written so."""

    def __init__(self, seed: int, *, fractions: bool, patterned: bool) -> None:
        self._random = Random(seed)
        self._numbers = _WHOLE_NUMBERS + (_FRACTIONS + _LARGE_FRACTIONS if fractions else [])
        applicators = _ONE + _UNEVALUATED + _LISTS + _MAPS + (["patternProperties"] if patterned else [])
        # What holds schemas comes up more often, so that schemas get deep.
        self._keywords = _COUNTS + _BOUNDS + _LEAVES + 2 * applicators

    def document(self) -> Json:
        """A schema with two definitions; its references may lead in a loop, which the subset refuses."""
        schema = self.schema(3)
        return {**(schema if isinstance(schema, dict) else {}), "$defs": {"a": self.schema(2), "b": self.schema(2)}}

    def value(self, depth: int = 3) -> Json:
        """Any value, nested at most *depth* deep."""
        kind = self._random.random()
        if depth == 0 or kind < 0.5:
            return self._random.choice(_OTHERS + self._numbers)
        if kind < 0.75:
            return [self.value(depth - 1) for _ in range(self._random.randint(0, 3))]
        return {name: self.value(depth - 1) for name in self._names(3)}

    def schema(self, depth: int) -> Json:
        """A schema, nested at most *depth* deep."""
        if depth == 0 or self._random.random() < 0.08:
            return self._random.choice([True, False, {}])
        chosen = self._random.sample(sorted(set(self._keywords)), 2) + self._random.choices(self._keywords, k=2)
        return {keyword: self._value_of(keyword, depth - 1) for keyword in chosen[: self._random.randint(0, 4)]}

    def _names(self, most: int) -> list[str]:
        return self._random.sample(_NAMES, self._random.randint(0, most))

    def _value_of(self, keyword: str, depth: int) -> Json:
        random = self._random
        if keyword in _LISTS:
            return [self.schema(depth) for _ in range(random.randint(1, 3))]
        if keyword in _MAPS:
            return {name: self.schema(depth) for name in self._names(3)}
        if keyword == "patternProperties":
            return {pattern: self.schema(depth) for pattern in random.sample(_PATTERNS, 2)}
        if keyword in _COUNTS:
            return random.randint(0, 2)
        return self._leaf(keyword) if keyword in _LEAVES + _BOUNDS else self.schema(depth)

    def _leaf(self, keyword: str) -> Json:
        random = self._random
        drawn = {
            "type": random.choice([random.choice(_TYPES), random.sample(_TYPES, random.randint(1, 3))]),
            "enum": [self.value(2) for _ in range(random.randint(0, 3))],
            "const": self.value(2),
            "multipleOf": abs(random.choice(self._numbers)) or 3,
            "pattern": random.choice(_PATTERNS),
            "uniqueItems": random.random() < 0.8,
            "required": self._names(2),
            "dependentRequired": {name: self._names(2) for name in self._names(2)},
            "$ref": random.choice(["#", "#/$defs/a", "#/$defs/b"]),
        }
        return drawn.get(keyword, random.choice(self._numbers))
