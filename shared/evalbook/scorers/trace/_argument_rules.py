"""The tool_param rules of tool_call_match: what the arguments of a call must be like."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, get_args

from pydantic import Field

from evalbook.domain.case import Case
from evalbook.domain.errors import Problem
from evalbook.domain.outcome import Code, EarlyOutcome, errored
from evalbook.domain.parameters import AnyJson, Parameters, Pointer
from evalbook.jsonio.equality import json_equal
from evalbook.jsonio.pointer import parse_pointer, resolve
from evalbook.jsonio.values import ABSENT, Json, is_number, kind_of
from evalbook.scorer_kit.patterns import (
    PatternLimits,
    author_pattern_problems,
    author_pattern_warnings,
    compile_pattern,
    unicode_warnings,
)

Rule = Literal["equals", "not_equals", "matches", "one_of", "min", "max", "present", "absent", "type"]
Check = Callable[[Json], bool]
Broken = Callable[[Mapping[str, Json]], int | None]

_TYPES: Final[Mapping[str, Check]] = {
    "string": lambda value: type(value) is str,
    "number": is_number,
    "integer": lambda value: is_number(value) and value == int(value),
    "boolean": lambda value: type(value) is bool,
    "object": lambda value: type(value) is dict,
    "array": lambda value: type(value) is list,
    "null": lambda value: value is None,
    "any": lambda value: value is not ABSENT,
}


class ToolParam(Parameters):
    """One rule on one argument."""

    path: Pointer = Field(description="Which argument, from the object of all of them.")
    rule: Rule = Field(description="What is asked of it; a rule on a value needs the argument to be there.")
    value: AnyJson = Field(
        default_factory=lambda: ABSENT,
        description="What it is compared with: any value, a pattern, a list of values, a number, or type names.",
    )
    expected_path: Pointer | None = Field(
        None, description="Instead of value: where in the case's expected value it stands; not for a pattern."
    )


def rule_problems(raw: Json, pointer: str = "/tool_params") -> Iterable[Problem]:
    """Name what is wrong with the values of the rules *raw*, which may be anything at all, at *pointer*."""
    for index, rule in enumerate(raw if isinstance(raw, list) else ()):
        if isinstance(rule, dict) and rule.get("rule") in get_args(Rule):
            if rule.get("expected_path") is None:
                yield from _value_problems(rule["rule"], rule.get("value", ABSENT), f"{pointer}/{index}/value")
            else:
                yield from _expected_problems(rule, f"{pointer}/{index}")


def _expected_problems(rule: Mapping[str, Json], pointer: str) -> Iterable[Problem]:
    if "value" in rule:
        yield Problem(f"{pointer}/value", "cannot stand beside expected_path: give the one or the other")
    if rule["rule"] in ("present", "absent"):
        yield Problem(f"{pointer}/expected_path", f"is not used by {rule['rule']}")
    if rule["rule"] == "matches":
        message = "cannot give a pattern, since patterns are checked when the version is created: give it as value"
        yield Problem(f"{pointer}/expected_path", message)


def _value_problems(rule: str, value: Json, pointer: str) -> Iterable[Problem]:
    if rule in ("present", "absent"):
        if value is not ABSENT:
            yield Problem(pointer, f"is not used by {rule}")
    elif value is ABSENT:
        yield Problem(pointer, f"is required by {rule}")
    elif rule == "matches":
        if type(value) is not str:
            yield Problem(pointer, f"must be a pattern, not {kind_of(value)}")
        else:
            yield from author_pattern_problems(value, pointer)
    elif rule in ("min", "max") and not is_number(value):
        yield Problem(pointer, f"must be a number, not {kind_of(value)}")
    elif rule == "one_of" and not (type(value) is list and value):
        yield Problem(pointer, "must be an array of at least one value")
    elif rule == "type" and not _are_types(value):
        yield Problem(pointer, f"must be one or an array of {', '.join(_TYPES)}")


def _are_types(value: Json) -> bool:
    names = value if type(value) is list else [value]
    return bool(names) and all(type(name) is str and name in _TYPES for name in names)


def rule_warnings(rules: Iterable[ToolParam], pointer: str = "/tool_params") -> Iterable[Problem]:
    """Name what is accepted in the patterns of *rules*, at *pointer*, and yet worth knowing."""
    for index, rule in enumerate(rules):
        if rule.rule == "matches":
            yield from author_pattern_warnings(rule.value, f"{pointer}/{index}/value")
            yield from unicode_warnings(rule.value, f"{pointer}/{index}/value")


def first_broken_rule(rules: Sequence[ToolParam], limits: PatternLimits) -> Callable[[Case], Broken]:
    """Return a function from a case to one that names the first of *rules* that a call's arguments break.

    Where they satisfy all, the latter returns None. The former ends the scorer where the case's expected value has not
    what a rule takes from it.
    """
    fixed = [None if rule.expected_path is not None else _check(rule, rule.value, limits) for rule in rules]
    paths = [parse_pointer(rule.path) for rule in rules]

    def bound(case: Case) -> Broken:
        checks = [
            (path, check or _check(rule, _expected(case, index, rule), limits))
            for index, (path, check, rule) in enumerate(zip(paths, fixed, rules, strict=True))
        ]
        return lambda arguments: next(
            (index for index, (path, check) in enumerate(checks) if not check(resolve(arguments, path))), None
        )

    return bound


def reads_expected(raw: Json) -> bool:
    """Whether one of the rules *raw*, which may be anything at all, takes its value from the case."""
    rules = raw if isinstance(raw, list) else ()
    return any(isinstance(rule, dict) and rule.get("expected_path") is not None for rule in rules)


def _expected(case: Case, index: int, rule: ToolParam) -> Json:
    value = resolve(case.expected, parse_pointer(rule.expected_path or ""))
    if value is ABSENT:
        message = f"There is no expected value where rule {index} takes its value from."
        raise EarlyOutcome(errored(Code.EXPECTED_MISSING, message))
    if any(_value_problems(rule.rule, value, "")):
        message = f"The expected value that rule {index} takes is {kind_of(value)} that {rule.rule} cannot use."
        raise EarlyOutcome(errored(Code.EXPECTED_WRONG_TYPE, message))
    return value


def _check(rule: ToolParam, value: Json, limits: PatternLimits) -> Check:
    if rule.rule == "absent":
        return lambda found: found is ABSENT
    holds = _MAKERS[rule.rule](value, limits)
    # An argument that is not there is neither equal nor unequal to anything: only `absent` takes it.
    return lambda found: found is not ABSENT and holds(found)


def _of_type(names: str | list[str]) -> Check:
    checks = [_TYPES[name] for name in ([names] if isinstance(names, str) else names)]
    return lambda value: any(check(value) for check in checks)


def _matching(pattern: str, limits: PatternLimits) -> Check:
    compiled = compile_pattern(pattern, timeout_ms=limits.match_timeout_ms, max_input_chars=limits.max_input_chars)
    return lambda value: type(value) is str and compiled.matches(value)


_MAKERS: Final[Mapping[Rule, Callable[[Any, PatternLimits], Check]]] = {
    "present": lambda _, __: _TYPES["any"],
    "equals": lambda wanted, _: lambda value: json_equal(value, wanted),
    "not_equals": lambda wanted, _: lambda value: not json_equal(value, wanted),
    "one_of": lambda choices, _: lambda value: any(json_equal(value, choice) for choice in choices),
    "min": lambda least, _: lambda value: is_number(value) and value >= least,
    "max": lambda most, _: lambda value: is_number(value) and value <= most,
    "type": lambda names, _: _of_type(names),
    "matches": _matching,
}
