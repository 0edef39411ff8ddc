import pytest

from devstack.emulator.emulator import REGION
from devstack.emulator.template import expand, load, packaged, with_numbers
from devstack.errors import StackError

TAGS = """
Ref: !Ref Queue
GetAtt: !GetAtt Queue.Arn
GetAttList: !GetAtt [Queue, Arn]
Sub: !Sub ${Queue.Arn}/*
If: !If [IsSet, !Ref Queue, !Ref AWS::NoValue]
Condition: !Condition IsSet
Map: !Transform {Name: x}
"""


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "template.yaml"
    path.write_text(TAGS)
    return load(path)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("Ref", {"Ref": "Queue"}),
        ("GetAtt", {"Fn::GetAtt": ["Queue", "Arn"]}),
        ("GetAttList", {"Fn::GetAtt": ["Queue", "Arn"]}),
        ("Sub", {"Fn::Sub": "${Queue.Arn}/*"}),
        ("If", {"Fn::If": ["IsSet", {"Ref": "Queue"}, {"Ref": "AWS::NoValue"}]}),
        ("Condition", {"Condition": "IsSet"}),
        ("Map", {"Fn::Transform": {"Name": "x"}}),
    ],
)
def test_a_short_form_is_written_out(written, short, long):
    assert written[short] == long


def function(**properties):
    return {"Type": "AWS::Serverless::Function", "Properties": properties}


def test_a_local_code_path_becomes_its_place_in_s3():
    template = {"Resources": {"Score": function(CodeUri="functions/score/")}}

    there = packaged(template, lambda name, path: f"s3://bucket/{name}/{path}")

    assert there["Resources"]["Score"]["Properties"]["CodeUri"] == "s3://bucket/Score/functions/score/"


def test_code_that_is_in_s3_stays_there():
    template = {"Resources": {"Score": function(CodeUri="s3://bucket/key")}}

    assert packaged(template, lambda *_: "s3://other/key") == template


def test_packaging_leaves_the_given_template_alone():
    template = {"Resources": {"Score": function(CodeUri="functions/score/")}}

    packaged(template, lambda *_: "s3://bucket/key")

    assert template["Resources"]["Score"]["Properties"]["CodeUri"] == "functions/score/"


NUMBERS = {
    "Parameters": {"Most": {"Type": "Number", "Default": 7}, "Name": {"Type": "String", "Default": "8"}},
    "Resources": {"A": {"Type": "T", "Properties": {"N": [{"Ref": "Most"}], "S": {"Ref": "Name"}}}},
}


def test_a_reference_to_a_number_becomes_its_default():
    properties = with_numbers(NUMBERS, {})["Resources"]["A"]["Properties"]

    assert properties == {"N": [7], "S": {"Ref": "Name"}}


def test_a_given_parameter_wins_over_the_default():
    properties = with_numbers(NUMBERS, {"Most": "9"})["Resources"]["A"]["Properties"]

    assert properties["N"] == [9]


def test_expanding_makes_a_lambda_function_of_a_serverless_one():
    code = function(CodeUri="s3://bucket/key", Handler="handler.f", Runtime="python3.13", Role="arn:aws:iam::1:role/r")

    expanded = expand({"Transform": "AWS::Serverless-2016-10-31", "Resources": {"Score": code}}, {}, REGION)

    assert expanded["Resources"]["Score"]["Type"] == "AWS::Lambda::Function"
    assert expanded["Resources"]["Score"]["Properties"]["Code"] == {"S3Bucket": "bucket", "S3Key": "key"}


def test_expanding_leaves_no_transform_behind():
    queue = {"Type": "AWS::SQS::Queue"}

    expanded = expand({"Transform": "AWS::Serverless-2016-10-31", "Resources": {"Queue": queue}}, {}, REGION)

    assert expanded == {"Resources": {"Queue": queue}}


def test_a_template_that_the_transform_refuses_is_named():
    with pytest.raises(StackError, match="Score"):
        expand({"Resources": {"Score": function(Handler="handler.f")}}, {}, REGION)
