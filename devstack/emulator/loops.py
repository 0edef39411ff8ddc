"""Write out what AWS::LanguageExtensions adds to a template: loops (`Fn::ForEach`) and look-ups in mappings.

Only as far as the project's template uses it. A loop stands in a section, a collection is a list of words, and a
look-up names its keys. Semantics: AWS CloudFormation User Guide, "Fn::ForEach" and "Fn::FindInMap".
"""

from collections.abc import Mapping
from typing import Any, Final

from devstack.errors import StackError

EXTENSIONS: Final = "AWS::LanguageExtensions"
_LOOP: Final = "Fn::ForEach::"
_SECTIONS: Final = ("Conditions", "Resources", "Outputs")


def written_out(template: dict[str, Any]) -> dict[str, Any]:
    """Return *template* without loops, mappings and the transform that reads them; others are returned as they are.

    Raises:
        StackError: a loop makes an entry that is there already, or a look-up finds nothing.
    """
    transforms = template.get("Transform", [])
    if not isinstance(transforms, list) or EXTENSIONS not in transforms:
        return template
    mappings = template.get("Mappings", {})
    sections: dict[str, Any] = {
        name: _resolved(_expanded(template[name], name), mappings) for name in _SECTIONS if name in template
    }
    others = [each for each in transforms if each != EXTENSIONS]
    plain = {**template, **sections, "Transform": others[0] if len(others) == 1 else others}
    return {name: section for name, section in plain.items() if name != "Mappings"}


def _expanded(section: Mapping[str, Any], place: str) -> dict[str, Any]:
    entries: dict[str, Any] = {}
    for name, entry in section.items():
        made = _iterated(entry, name) if name.startswith(_LOOP) else {name: entry}
        if repeated := sorted(entries.keys() & made.keys()):
            raise StackError(f"{place} has {', '.join(repeated)} twice; {name} makes it again")
        entries |= made
    return entries


def _iterated(loop: Any, name: str) -> dict[str, Any]:
    identifier, collection, body = loop
    entries: dict[str, Any] = {}
    for word in collection:
        made = _expanded(_replaced(body, identifier, word), name)
        if repeated := sorted(entries.keys() & made.keys()):
            raise StackError(f"{name} makes {', '.join(repeated)} more than once; its names need ${{{identifier}}}")
        entries |= made
    return entries


def _replaced(value: Any, identifier: str, word: str) -> Any:
    """Return *value* with every `${identifier}` and every reference to the identifier replaced by *word*."""
    if isinstance(value, str):
        return value.replace(f"${{{identifier}}}", word)
    if isinstance(value, list):
        return [_replaced(each, identifier, word) for each in value]
    if value == {"Ref": identifier}:
        return word
    if isinstance(value, dict):
        return {_replaced(key, identifier, word): _replaced(each, identifier, word) for key, each in value.items()}
    return value


def _resolved(value: Any, mappings: Mapping[str, Any]) -> Any:
    """Return *value* with every look-up replaced by what it finds, and known words put into texts (`Fn::Sub`)."""
    if isinstance(value, list):
        return [_resolved(each, mappings) for each in value]
    if not isinstance(value, dict):
        return value
    resolved = {key: _resolved(each, mappings) for key, each in value.items()}
    if resolved.keys() == {"Fn::FindInMap"}:
        return _found(resolved["Fn::FindInMap"], mappings)
    if resolved.keys() == {"Fn::Sub"}:
        text = resolved["Fn::Sub"]
        return _filled_in(text, {}) if isinstance(text, str) else _filled_in(*text)
    return resolved


def _found(keys: list[Any], mappings: Mapping[str, Any]) -> Any:
    found: Any = mappings
    for key in keys:
        if not isinstance(key, str) or key not in found:
            raise StackError(f"Fn::FindInMap finds nothing under {'.'.join(map(str, keys))}; name keys of a mapping")
        found = found[key]
    return found


def _filled_in(text: str, variables: Mapping[str, Any]) -> Any:
    """Return `Fn::Sub` of *text* with those *variables* put in that are words; plain text where nothing is left."""
    words = {name: value for name, value in variables.items() if isinstance(value, str)}
    others = {name: value for name, value in variables.items() if name not in words}
    for name, word in words.items():
        text = text.replace(f"${{{name}}}", word)
    if others:
        return {"Fn::Sub": [text, others]}
    return {"Fn::Sub": text} if "${" in text else text
