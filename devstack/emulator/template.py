"""Read the SAM template and expand it to plain CloudFormation, offline."""

import copy
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import boto3
import yaml
from samtranslator.model.exceptions import InvalidDocumentException
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator

from devstack.emulator.loops import written_out
from devstack.errors import StackError

Template = dict[str, Any]

Locate = Callable[[str, str], str]
"""Takes a resource's logical id and its local path; gives the `s3://bucket/key` where the code of it lies."""

_CODE: Final = {
    "AWS::Serverless::Function": "CodeUri",
    "AWS::Serverless::LayerVersion": "ContentUri",
    "AWS::Serverless::StateMachine": "DefinitionUri",
}


class _Loader(yaml.SafeLoader):
    """YAML with CloudFormation's short forms."""


def _short_form(loader: _Loader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    value: Any
    if isinstance(node, yaml.ScalarNode):
        value = loader.construct_scalar(node)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    else:
        assert isinstance(node, yaml.MappingNode)
        value = loader.construct_mapping(node, deep=True)
    if suffix == "GetAtt" and isinstance(value, str):
        value = value.split(".", 1)
    return {suffix if suffix in {"Ref", "Condition"} else f"Fn::{suffix}": value}


_Loader.add_multi_constructor("!", _short_form)


def load(path: Path) -> Template:
    """Return the template at *path* with short forms (`!Ref x`) and loops written out (`{"Ref": "x"}`).

    Raises:
        StackError: a loop or a look-up in a mapping cannot be written out; the message says which.
    """
    return written_out(yaml.load(path.read_text(), _Loader))  # noqa: S506  (a SafeLoader with more tags)


def packaged(template: Template, locate: Locate) -> Template:
    """Return a copy of *template* whose local code paths are replaced by what *locate* says."""
    template = copy.deepcopy(template)
    for name, resource in template["Resources"].items():
        key = _CODE.get(resource["Type"])
        properties = resource.get("Properties", {})
        if key and isinstance(properties.get(key), str) and not properties[key].startswith("s3://"):
            properties[key] = locate(name, properties[key])
    return template


def with_numbers(template: Template, parameters: Mapping[str, str]) -> Template:
    """Return *template* with each reference to a parameter of type Number replaced by its value, as a number.

    CloudFormation turns the text of such a parameter into what the property needs; the emulator passes the text on.
    """
    numbers = {
        name: int(parameters.get(name, parameter["Default"]))
        for name, parameter in template.get("Parameters", {}).items()
        if parameter["Type"] == "Number"
    }

    def replaced(value: Any) -> Any:
        if isinstance(value, dict):
            if value.keys() == {"Ref"} and value["Ref"] in numbers:
                return numbers[value["Ref"]]
            return {key: replaced(each) for key, each in value.items()}
        return [replaced(each) for each in value] if isinstance(value, list) else value

    return {**template, "Resources": replaced(template["Resources"])}


def expand(template: Template, parameters: Mapping[str, str], region: str) -> Template:
    """Return *template*, whose code is in S3, as CloudFormation makes it of the SAM transform in *region*.

    Raises:
        StackError: the transform refuses the template; the message says where.
    """
    translator = Translator(None, Parser(), boto_session=boto3.Session(region_name=region))
    try:
        expanded: Template = translator.translate(copy.deepcopy(template), parameter_values=dict(parameters))
    except InvalidDocumentException as error:
        raise StackError("\n".join(cause.message for cause in error.causes)) from error
    translator.metrics.publish()  # to nobody; without it a warning about them is logged
    expanded.pop("Transform", None)
    return expanded
