import pytest

from devstack.emulator.loops import written_out
from devstack.errors import StackError

EXTENDED = {"Transform": ["AWS::LanguageExtensions", "AWS::Serverless-2016-10-31"]}
QUEUE = {"Type": "AWS::SQS::Queue"}


def resources(loop, **sections):
    return written_out({**EXTENDED, **sections, "Resources": {"Fn::ForEach::Loop": loop}})["Resources"]


def test_a_loop_makes_an_entry_for_each_word():
    assert resources(["X", ["A", "B"], {"${X}Queue": QUEUE}]) == {"AQueue": QUEUE, "BQueue": QUEUE}


def test_a_loop_may_make_several_entries_for_a_word():
    assert resources(["X", ["A"], {"${X}Queue": QUEUE, "${X}DeadQueue": QUEUE}]).keys() == {"AQueue", "ADeadQueue"}


def test_the_identifier_is_replaced_wherever_it_stands():
    body = {"${X}": {"Type": "T", "Properties": {"Name": {"Ref": "X"}, "List": [{"Sub${X}": "in-${X}"}]}}}

    assert resources(["X", ["A"], body]) == {
        "A": {"Type": "T", "Properties": {"Name": "A", "List": [{"SubA": "in-A"}]}}
    }


def test_a_reference_to_something_else_stays():
    assert resources(["X", ["A"], {"${X}": {"Ref": "Xylophone"}}]) == {"A": {"Ref": "Xylophone"}}


def test_a_loop_in_a_loop_makes_every_pair():
    inner = {"Fn::ForEach::Inner": ["Y", ["1", "2"], {"${X}${Y}": QUEUE}]}

    assert resources(["X", ["A", "B"], inner]).keys() == {"A1", "A2", "B1", "B2"}


def test_what_stands_beside_a_loop_stays():
    template = {**EXTENDED, "Outputs": {"Other": {"Value": 1}, "Fn::ForEach::L": ["X", ["A"], {"${X}": {"Value": 2}}]}}

    assert written_out(template)["Outputs"] == {"Other": {"Value": 1}, "A": {"Value": 2}}


MAPPINGS = {"Families": {"Text": {"Name": "text", "Size": 7}}}


def test_a_look_up_becomes_what_the_mapping_says():
    body = {"${X}": {"Fn::FindInMap": ["Families", {"Ref": "X"}, "Size"]}}

    assert resources(["X", ["Text"], body], Mappings=MAPPINGS) == {"Text": 7}


def test_a_word_that_is_known_is_put_into_a_text():
    name = {"Fn::FindInMap": ["Families", {"Ref": "X"}, "Name"]}
    body = {"${X}": {"Fn::Sub": ["${AWS::StackName}-${Name}", {"Name": name}]}}

    assert resources(["X", ["Text"], body], Mappings=MAPPINGS) == {"Text": {"Fn::Sub": "${AWS::StackName}-text"}}


def test_a_variable_that_is_not_known_stays_a_variable():
    sub = {"Fn::Sub": ["${Name}-${Size}", {"Name": {"Ref": "Parameter"}, "Size": "7"}]}

    assert resources(["X", ["A"], {"${X}": sub}]) == {"A": {"Fn::Sub": ["${Name}-7", {"Name": {"Ref": "Parameter"}}]}}


def test_a_text_without_variables_is_a_text():
    assert resources(["X", ["A"], {"${X}": {"Fn::GetAtt": [{"Fn::Sub": "${X}Queue"}, "Arn"]}}]) == {
        "A": {"Fn::GetAtt": ["AQueue", "Arn"]}
    }


def test_the_transform_for_loops_is_gone_and_so_are_the_mappings():
    plain = written_out({**EXTENDED, "Mappings": MAPPINGS, "Resources": {"Queue": QUEUE}})

    assert plain == {"Transform": "AWS::Serverless-2016-10-31", "Resources": {"Queue": QUEUE}}


@pytest.mark.parametrize("transform", [{}, {"Transform": "AWS::Serverless-2016-10-31"}])
def test_a_template_without_the_transform_is_returned_as_it_is(transform):
    template = {**transform, "Resources": {"Queue": {"Fn::Sub": "${Fn::ForEach}"}}}

    assert written_out(template) == template


def test_an_entry_that_is_there_already_is_refused():
    template = {**EXTENDED, "Resources": {"A": QUEUE, "Fn::ForEach::L": ["X", ["A"], {"${X}": QUEUE}]}}

    with pytest.raises(StackError, match="Resources has A twice; Fn::ForEach::L makes it again"):
        written_out(template)


def test_a_loop_whose_entries_have_one_name_is_refused():
    with pytest.raises(StackError, match="makes Queue more than once"):
        resources(["X", ["A", "B"], {"Queue": QUEUE}])


@pytest.mark.parametrize("keys", [["Families", "Code", "Name"], ["Families", {"Ref": "AWS::Region"}, "Name"]])
def test_a_look_up_that_finds_nothing_is_refused(keys):
    with pytest.raises(StackError, match="finds nothing under Families"):
        resources(["X", ["A"], {"${X}": {"Fn::FindInMap": keys}}], Mappings=MAPPINGS)
