"""Spell out the routes of an HTTP API.

The SAM transform writes them into an OpenAPI `Body`, which the emulator ignores without a word.
"""

from collections.abc import Container, Iterator
from typing import Any, Final

from devstack.emulator.template import Template

_API: Final = "AWS::ApiGatewayV2::Api"
_AUTHORIZER: Final = "x-amazon-apigateway-authorizer"
_INTEGRATION: Final = "x-amazon-apigateway-integration"
_DEFAULT: Final = "$default"
_ANY_METHOD: Final = "x-amazon-apigateway-any-method"

Resources = dict[str, dict[str, Any]]


def spell_out(template: Template) -> Template:
    """Return *template* with each HTTP API's `Body` replaced by Authorizer, Integration and Route resources."""
    resources: Resources = {}
    for name, resource in template["Resources"].items():
        properties = resource.get("Properties", {})
        if resource["Type"] == _API and "Body" in properties:
            resources |= _spelled_out(name, resource)
        else:
            resources[name] = resource
    return {**template, "Resources": resources}


def _spelled_out(api: str, resource: dict[str, Any]) -> Resources:
    body = resource["Properties"]["Body"]
    kept = {key: value for key, value in resource["Properties"].items() if key not in {"Body", "FailOnWarnings"}}
    schemes = body.get("components", {}).get("securitySchemes", {})
    resources: Resources = {api: {**resource, "Properties": {**kept, "Name": api, "ProtocolType": "HTTP"}}}
    for name, scheme in schemes.items():
        resources[_authorizer_id(api, name)] = _authorizer(api, name, scheme[_AUTHORIZER])
    for number, (verb, path, operation) in enumerate(_operations(body), start=1):
        integration = f"{api}Integration{number}"
        resources[integration] = _integration(api, operation[_INTEGRATION])
        key = _DEFAULT if path.removeprefix("/") == _DEFAULT else f"{verb} {path}"
        properties = {"RouteKey": key, **_target(integration), **_authorization(api, schemes, operation)}
        resources[f"{api}Route{number}"] = _route(api, properties)
    return resources


def _operations(body: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in body["paths"].items():
        for method, operation in methods.items():
            if isinstance(operation, dict) and _INTEGRATION in operation:
                yield "ANY" if method == _ANY_METHOD else method.upper(), path, operation


def _authorizer_id(api: str, name: str) -> str:
    return f"{api}Authorizer{name}"


def _authorizer(api: str, name: str, authorizer: dict[str, Any]) -> dict[str, Any]:
    configuration = authorizer["jwtConfiguration"]
    return {
        "Type": "AWS::ApiGatewayV2::Authorizer",
        "Properties": {
            "ApiId": {"Ref": api},
            "Name": name,
            "AuthorizerType": "JWT",
            "IdentitySource": [authorizer["identitySource"]],
            "JwtConfiguration": {"Issuer": configuration["issuer"], "Audience": configuration["audience"]},
        },
    }


def _integration(api: str, integration: dict[str, Any]) -> dict[str, Any]:
    return {
        "Type": "AWS::ApiGatewayV2::Integration",
        "Properties": {
            "ApiId": {"Ref": api},
            "IntegrationType": "AWS_PROXY",
            "IntegrationUri": integration["uri"],
            "IntegrationMethod": "POST",
            "PayloadFormatVersion": integration["payloadFormatVersion"],
        },
    }


def _route(api: str, properties: dict[str, Any]) -> dict[str, Any]:
    return {"Type": "AWS::ApiGatewayV2::Route", "Properties": {"ApiId": {"Ref": api}, **properties}}


def _target(integration: str) -> dict[str, Any]:
    return {"Target": {"Fn::Sub": f"integrations/${{{integration}}}"}}


def _authorization(api: str, schemes: Container[str], operation: dict[str, Any]) -> dict[str, Any]:
    for requirement in operation.get("security", []):
        for name, scopes in requirement.items():
            if name in schemes:  # the transform writes "NONE" for a route that is open on purpose
                authorizer = {"AuthorizationType": "JWT", "AuthorizerId": {"Ref": _authorizer_id(api, name)}}
                return authorizer | ({"AuthorizationScopes": scopes} if scopes else {})
    return {}
