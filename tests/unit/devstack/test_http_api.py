import copy

import pytest

from devstack.emulator.emulator import REGION
from devstack.emulator.http_api import spell_out
from devstack.emulator.template import expand

AUTHORIZER = {
    "IdentitySource": "$request.header.Authorization",
    "AuthorizationScopes": ["scorer.read"],
    "JwtConfiguration": {"issuer": {"Ref": "Issuer"}, "audience": ["evalbook"]},
}


def event(path, method, **more):
    return {"Type": "HttpApi", "Properties": {"ApiId": {"Ref": "Api"}, "Path": path, "Method": method, **more}}


TEMPLATE = {
    "Transform": "AWS::Serverless-2016-10-31",
    "Parameters": {"Issuer": {"Type": "String"}},
    "Resources": {
        "Api": {
            "Type": "AWS::Serverless::HttpApi",
            "Properties": {"Auth": {"Authorizers": {"Sso": AUTHORIZER}, "DefaultAuthorizer": "Sso"}},
        },
        "Registry": {
            "Type": "AWS::Serverless::Function",
            "Properties": {
                "CodeUri": "s3://bucket/key",
                "Handler": "handler.lambda_handler",
                "Runtime": "python3.13",
                "Role": "arn:aws:iam::000000000000:role/r",
                "Events": {
                    "Read": event("/scorers", "get"),
                    "Write": event("/scorers", "post", Auth={"AuthorizationScopes": ["scorer.write"]}),
                    "Models": event("/models", "any"),
                    "Open": event("/openapi.json", "get", Auth={"Authorizer": "NONE"}),
                    "Rest": {
                        "Type": "HttpApi",
                        "Properties": {"ApiId": {"Ref": "Api"}, "Auth": {"Authorizer": "NONE"}},
                    },
                },
            },
        },
    },
}


@pytest.fixture(scope="module")
def resources():
    return spell_out(expand(TEMPLATE, {}, REGION))["Resources"]


def properties_of(resources, kind):
    return [each["Properties"] for each in resources.values() if each["Type"] == f"AWS::ApiGatewayV2::{kind}"]


@pytest.fixture(scope="module")
def routes(resources):
    return {route["RouteKey"]: route for route in properties_of(resources, "Route")}


def test_each_event_becomes_a_route(routes):
    assert set(routes) == {"GET /scorers", "POST /scorers", "ANY /models", "GET /openapi.json", "$default"}


def test_the_api_keeps_no_body(resources):
    assert "Body" not in resources["Api"]["Properties"]
    assert resources["Api"]["Properties"]["ProtocolType"] == "HTTP"


def test_a_route_carries_the_authorizers_scopes(routes):
    assert routes["GET /scorers"]["AuthorizationScopes"] == ["scorer.read"]
    assert routes["GET /scorers"]["AuthorizationType"] == "JWT"


def test_a_route_carries_its_own_scopes(routes):
    assert routes["POST /scorers"]["AuthorizationScopes"] == ["scorer.write"]


def test_an_open_route_has_no_authorizer(routes):
    assert "AuthorizerId" not in routes["GET /openapi.json"]


def test_a_route_leads_to_an_integration_with_the_function(resources, routes):
    name = routes["GET /scorers"]["Target"]["Fn::Sub"].removeprefix("integrations/${").removesuffix("}")

    assert "${Registry.Arn}" in str(resources[name]["Properties"]["IntegrationUri"])
    assert resources[name]["Properties"]["PayloadFormatVersion"] == "2.0"


def test_the_authorizer_keeps_issuer_and_audience(resources):
    [authorizer] = properties_of(resources, "Authorizer")

    assert authorizer["JwtConfiguration"] == {"Issuer": {"Ref": "Issuer"}, "Audience": ["evalbook"]}


def test_an_authorized_route_names_its_authorizer(resources, routes):
    assert resources[routes["GET /scorers"]["AuthorizerId"]["Ref"]]["Type"] == "AWS::ApiGatewayV2::Authorizer"


def test_a_default_route_that_is_authorized_stays_the_default_route():
    template = copy.deepcopy(TEMPLATE)
    del template["Resources"]["Registry"]["Properties"]["Events"]["Rest"]["Properties"]["Auth"]

    routes = properties_of(spell_out(expand(template, {}, REGION))["Resources"], "Route")

    assert [route["AuthorizationType"] for route in routes if route["RouteKey"] == "$default"] == ["JWT"]


def test_a_template_without_an_api_stays_as_it_is():
    template = {"Resources": {"Queue": {"Type": "AWS::SQS::Queue"}}}

    assert spell_out(template) == template
