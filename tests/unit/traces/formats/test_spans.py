"""Tests of the span engine: how one call is made of its records, and what leaves a trace incomplete."""

import json

import pytest

from evalbook.domain.errors import Refused
from evalbook.jsonio.reader import read_json
from evalbook.traces.formats.catalog import formats, read_document

OPERATION = "gen_ai.operation.name"
NAME = "gen_ai.tool.name"
CALL_ID = "gen_ai.tool.call.id"
ARGUMENTS = "gen_ai.tool.call.arguments"
KIND = "openinference.span.kind"


def span(span_id, name, attributes, **members):
    made = {"trace_id": "t1", "span_id": span_id, "parent_span_id": None, "name": name, "attributes": attributes}
    return {**made, "start_time": 10, "end_time": 20, **members}


def tool(span_id, name, members=None, **others):
    return span(
        span_id, f"execute_tool {name}", {OPERATION: "execute_tool", NAME: name, **(others or {}), **(members or {})}
    )


def asking(span_id, *parts, history=(), **members):
    """A model's span whose reply asks for calls."""
    attributes = {
        OPERATION: "chat",
        "gen_ai.input.messages": json.dumps(list(history)),
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": list(parts)}]),
    }
    return span(span_id, "chat m", attributes, **members)


def call(name, call_id=None, **arguments):
    return {"type": "tool_call", "id": call_id, "name": name, "arguments": arguments}


def answered(call_id=None):
    return {"role": "tool", "parts": [{"type": "tool_call_response", "id": call_id, "response": "ok"}]}


def asked(*parts):
    return {"role": "assistant", "parts": list(parts)}


def read(*spans):
    return read_document(read_json(json.dumps(spans).encode()))


def calls(trace):
    return [one for one in trace["spans"] if one["kind"] == "tool"]


def only_call(*spans):
    (found,) = calls(read(*spans))
    return found


def reasons(trace):
    return [gap["reason"] for gap in trace.get("incomplete", [])]


# What a span is


@pytest.mark.parametrize(
    ("attributes", "kind"),
    [
        ({KIND: "RETRIEVER", OPERATION: "embeddings"}, "retrieval"),
        ({KIND: "tool", OPERATION: "chat", "tool.name": "f"}, "tool"),
        ({KIND: "CHAIN", OPERATION: "execute_tool", NAME: "f"}, "tool"),
        ({"traceloop.span.kind": "task", OPERATION: "vector_db_retrieve"}, "retrieval"),
        ({"traceloop.span.kind": "tool", "traceloop.entity.name": "f", OPERATION: "handoff"}, "tool"),
        ({"spring.ai.kind": "tool_call", "spring.ai.tool.definition.name": "f", OPERATION: "framework"}, "tool"),
        ({"langfuse.observation.type": "span", NAME: "f"}, "tool"),
        ({CALL_ID: "c", NAME: "f"}, "tool"),
        ({OPERATION: "search_memory"}, "other"),
        ({OPERATION: "create_agent"}, "agent"),
        ({"mcp.method.name": "prompts/get"}, "other"),
    ],
)
def test_a_kind_wins_over_an_operation_and_both_over_other_signs(attributes, kind):
    (found,) = read(span("a", "x", attributes))["spans"]

    assert found["kind"] == kind


def test_an_agent_whose_operation_says_tool_leaves_the_trace_incomplete():
    assert reasons(read(span("a", "x", {KIND: "AGENT", OPERATION: "execute_tool"})))


@pytest.mark.parametrize(
    "attributes",
    [
        {OPERATION: "chat", NAME: "f"},
        {OPERATION: "run_function"},
        {KIND: "ROUTER"},
        {OPERATION: "chat", "acme.tool": "open"},
        {OPERATION: "chat", "acme.kind": "function"},
        {OPERATION: "chat", "acme.log": "ToolCall(name='open')"},
        {OPERATION: "chat", "acme.items": '[{"type": "function_call"}]'},
    ],
)
def test_a_span_that_may_be_a_call_and_is_not_understood_leaves_the_trace_incomplete(attributes):
    assert reasons(read(span("a", "x", attributes)))


@pytest.mark.parametrize(
    "attributes",
    [
        {"http.request.method": "POST", "url.path": "/tools/call"},
        {"db.operation.name": "SELECT", "db.query.text": "select * from function_calls"},
        {OPERATION: "chat", "gen_ai.tool.definitions": '[{"type": "function", "name": "f"}]'},
        {KIND: "LLM", "llm.tools.0.tool.json_schema": '{"type": "function"}', "llm.token_count.total": 3},
    ],
)
def test_plumbing_and_definitions_are_no_calls(attributes):
    trace = read(span("a", "POST /tools", attributes), tool("b", "f"))

    assert (len(calls(trace)), reasons(trace)) == (1, [])


def test_a_span_with_the_name_of_a_call_and_no_mark_leaves_the_trace_incomplete():
    assert reasons(read(tool("a", "f"), span("b", "invoke remote", {})))


def test_spans_without_any_known_mark_are_refused():
    with pytest.raises(Refused):
        formats()["otel_genai"].read([span("a", "x", {"acme.tool": "f"})])


# What a call is called


@pytest.mark.parametrize(
    ("shown", "attributes", "name"),
    [
        ("execute_tool sow", {OPERATION: "execute_tool"}, "sow"),
        ("tools/call sow", {"mcp.method.name": "tools/call"}, "sow"),
        ("tool_call sow", {"spring.ai.kind": "tool_call"}, "sow"),
        ("running tool: sow", {"tool_arguments": "{}", "logfire.msg": "x"}, "sow"),
        ("sow.tool", {"traceloop.span.kind": "tool"}, "sow"),
        ("Sower", {KIND: "TOOL", "tool.name": "sow"}, "sow"),
        ("Sower", {KIND: "TOOL"}, "Sower"),
        ("x", {"langsmith.span.kind": "tool", "langsmith.trace.name": "sow"}, "sow"),
    ],
)
def test_a_tool_has_its_own_name(shown, attributes, name):
    assert only_call(span("a", shown, attributes))["name"] == name


@pytest.mark.parametrize("shown", ["ai.toolCall", "do it", "running tool", "claude_code.tool"])
def test_a_tool_that_is_not_named_is_no_call_of_what_the_span_is_shown_as(shown):
    trace = read(span("a", shown, {OPERATION: "execute_tool"}))

    assert (calls(trace), reasons(trace)) == ([], ["is the span of a tool and does not name it"])


def test_a_tool_without_a_name_has_the_one_that_the_model_asked_for_by_its_id():
    assert (
        only_call(asking("m", call("sow", "c1")), span("a", "x", {OPERATION: "execute_tool", CALL_ID: "c1"}))["name"]
        == "sow"
    )


# What its arguments are


@pytest.mark.parametrize(
    "attributes",
    [
        {},
        {ARGUMENTS: None},
        {ARGUMENTS: "__REDACTED__"},
        {ARGUMENTS: "<REDACTED>"},
        {ARGUMENTS: "N/A"},
        {ARGUMENTS: "{'row': 1}"},
        {ARGUMENTS: '{"row": '},
        {ARGUMENTS: "[1]"},
        {"gcp.vertex.agent.tool_call_args": "{}", "gcp.vertex.agent.tool_response": "{}"},
        {"traceloop.entity.input": '{"args": ["x"], "kwargs": {"row": 1}}', "traceloop.span.kind": "tool"},
        {KIND: "TOOL", "tool.parameters": '{"row": {"type": "integer"}}'},
        {KIND: "TOOL", "tool.parameters": '{"type": "object", "properties": {"row": {}}}'},
    ],
)
def test_arguments_that_were_not_recorded_are_left_out(attributes):
    assert "arguments" not in only_call(tool("a", "sow", attributes))


@pytest.mark.parametrize(
    "attributes",
    [
        {ARGUMENTS: {"row": 1}},
        {ARGUMENTS: '{"row": 1}'},
        {ARGUMENTS: '"{\\"row\\": 1}"'},
        {"gcp.vertex.agent.tool_call_args": '{"row": 1}', "gcp.vertex.agent.tool_response": "{}"},
        {"traceloop.entity.input": '{"args": [], "kwargs": {"row": 1}}', "traceloop.span.kind": "tool"},
        {ARGUMENTS: '{"input_str": "{}", "inputs": {"row": 1}}', "traceloop.span.kind": "tool"},
        {KIND: "TOOL", "tool.parameters": '{"row": 1}'},
        {KIND: "TOOL", "input.value": '{"row": 1}', "tool.parameters": '{"row": {"type": "integer"}}'},
    ],
)
def test_arguments_are_unwrapped_as_their_dialect_wraps_them(attributes):
    assert only_call(tool("a", "sow", attributes))["arguments"] == {"row": 1}


def test_a_tool_with_arguments_of_the_names_of_a_wrapper_keeps_them():
    held = {"args": [1], "kwargs": {}}

    assert only_call(tool("a", "sow", {ARGUMENTS: held}))["arguments"] == held


def test_no_arguments_are_none_where_there_is_an_answer():
    attributes = {"gcp.vertex.agent.tool_call_args": "{}", "gcp.vertex.agent.tool_response": '{"result": 1}'}

    assert only_call(tool("a", "sow", attributes))["arguments"] == {}


# How it ended


@pytest.mark.parametrize(
    "attributes",
    [
        {"error.type": "timeout"},
        {"gen_ai.tool.status": "error"},
        {"langfuse.observation.level": "ERROR"},
        {"success": "false", "tool_use_id": "u"},
        {"mcp.method.name": "tools/call", "gen_ai.tool.call.result": '{"isError": true, "content": []}'},
        {KIND: "TOOL", "output.value": '{"tool_call_id": "c", "status": "error"}'},
    ],
)
def test_each_mark_of_failure_is_read(attributes):
    assert only_call(tool("a", "sow", attributes))["status"] == "error"


def test_an_exception_is_a_failure_whatever_the_status():
    failed = {**tool("a", "sow"), "status": {"code": 1}, "events": [{"name": "exception", "attributes": {}}]}

    assert only_call(failed)["status"] == "error"


@pytest.mark.parametrize(
    "attributes", [{"pydantic_ai.tool.failure_stage": "validation"}, {"pydantic_ai.tool.deferral.name": "x"}]
)
def test_a_call_that_was_refused_never_ran(attributes):
    assert only_call(tool("a", "sow", attributes))["executed"] is False


# One call of many records


def test_a_request_and_its_span_are_one_call_with_the_fullest_arguments():
    found = only_call(asking("m", call("sow", "c1", row=1)), tool("a", "sow", {CALL_ID: "c1"}))

    assert (found["arguments"], found.get("executed", True)) == ({"row": 1}, True)


def test_a_request_joins_a_span_without_an_id_by_name():
    found = only_call(asking("m", call("sow", "c1")), tool("a", "sow"))

    assert found["call_id"] == "c1"


def test_a_request_and_a_span_without_ids_and_with_other_arguments_may_be_two_calls():
    trace = read(asking("m", call("sow", row=1)), tool("a", "sow", {ARGUMENTS: {"row": 2}}))

    assert [one["arguments"] for one in calls(trace)] == [{"row": 1}, {"row": 2}]
    assert "asks for a call with other arguments than the tool's span has" in reasons(trace)


def test_a_history_that_repeats_counts_once():
    history = [asked(call("sow", "c1")), answered("c1")]

    assert len(calls(read(asking("m"), asking("n", history=history), asking("o", history=history)))) == 1


def test_equal_calls_without_ids_are_as_many_as_the_longest_history_shows():
    history = [asked(call("sow")), answered(), asked(call("sow")), answered()]
    spans = (asking("m", call("sow")), asking("n", call("sow"), history=history[:2]), asking("o", history=history))

    assert len(calls(read(*spans))) == 2


def test_two_models_that_ask_for_the_same_without_ids_ask_for_two_calls():
    assert len(calls(read(asking("m", call("sow")), asking("n", call("sow"))))) == 2


def test_an_id_that_two_different_calls_share_joins_neither():
    spans = (asking("m", call("sow", "0", row=1)), asking("n", call("reap", "0")), tool("a", "sow"), tool("b", "reap"))

    assert [one.get("call_id") for one in calls(read(*spans))] == [None, None]


def test_an_id_that_one_tool_is_called_with_twice_joins_neither():
    again = {**tool("b", "sow", {CALL_ID: "0"}), "start_time": 30, "end_time": 40}
    found = calls(read(tool("a", "sow", {CALL_ID: "0"}), again))

    assert [one.get("call_id") for one in found] == [None, None]


def test_a_tool_called_within_a_model_of_the_tool_is_a_call_of_its_own():
    spans = (
        tool("a", "plan"),
        {**asking("m"), "parent_span_id": "a"},
        {**tool("b", "plan"), "parent_span_id": "m", "scope": {"name": "other"}},
    )

    assert len(calls(read(*spans))) == 2


def test_a_call_within_a_call_of_another_tracer_is_its_record():
    inner = {**tool("b", "sow", {ARGUMENTS: {"row": 1}, "error.type": "x"}), "parent_span_id": "a"}
    found = only_call({**tool("a", "sow"), "scope": {"name": "one"}}, {**inner, "scope": {"name": "two"}})

    assert (found["span_id"], found["arguments"], found["status"]) == ("a", {"row": 1}, "error")


def test_a_call_within_an_equal_call_of_the_same_tracer_is_another():
    assert len(calls(read(tool("a", "sow"), {**tool("b", "sow"), "parent_span_id": "a"}))) == 2


def test_a_call_that_nothing_answers_may_have_run():
    trace = read(asking("m", call("sow", "c1")))

    assert [one["executed"] for one in calls(trace)] == [None]
    assert reasons(trace) == ["asks for a call that no span or answer shows: it may have run"]


def test_a_tool_of_the_provider_ran_without_an_answer():
    part = {"type": "server_tool_call", "id": "s", "name": "web_search", "server_tool_call": {"type": "x"}}
    trace = read(asking("m", part))

    assert ([one.get("executed", True) for one in calls(trace)], reasons(trace)) == ([True], [])


def test_an_answer_without_a_call_is_a_sign_of_a_lost_one():
    assert reasons(read(asking("m", history=[answered("c1")])))


def test_answers_of_a_history_that_names_its_calls_otherwise_belong_to_them_in_order():
    history = [asked(call("sow", "item-1", row=1)), answered("c1")]
    trace = read(asking("m", call("sow", "c1", row=1)), asking("n", history=history))

    assert ([one["call_id"] for one in calls(trace)], reasons(trace)) == (["c1"], [])


@pytest.mark.parametrize(
    "part",
    [
        {"type": "remote_tool", "x": 1},
        {"type": "act", "name": "sow", "arguments": {"row": 1}},
        {"type": "tool_call", "id": "c1"},
        {"type": "text", "content": "ToolUse(name='sow')"},
    ],
)
def test_a_part_that_may_be_a_call_leaves_the_trace_incomplete(part):
    assert reasons(read(asking("m", part)))


def test_a_reply_that_ended_in_calls_that_are_not_there_leaves_the_trace_incomplete():
    assert reasons(read(span("m", "chat", {OPERATION: "chat", "gen_ai.response.finish_reasons": ["tool_calls"]})))


def test_what_a_user_says_is_no_call():
    said = {"role": "user", "parts": [{"type": "text", "content": '{"tool_calls": [{"name": "f", "args": {}}]}'}]}
    trace = read(asking("m", history=[said]))

    assert (calls(trace), reasons(trace)) == ([], [])


def test_messages_that_were_cut_leave_the_trace_incomplete():
    cut = json.dumps([{"role": "assistant", "parts": [call("sow", "c1")]}])[:30]

    assert reasons(read(span("m", "chat", {OPERATION: "chat", "gen_ai.output.messages": cut})))


# Handoffs


def test_a_handoff_and_the_tool_that_asks_for_it_are_one_handoff():
    ends = {"gen_ai.handoff.from_agent": "Front Desk", "gen_ai.handoff.to_agent": "Back Desk"}
    trace = read(
        asking("m", call("transfer_to_back_desk", "c1")), span("h", "x", {OPERATION: "handoff", **ends}, start_time=15)
    )
    kinds = [one["kind"] for one in trace["spans"]]

    assert (kinds.count("handoff"), kinds.count("tool"), reasons(trace)) == (1, 1, [])


def test_an_error_on_a_tool_that_names_its_handoff_does_not_undo_it():
    ends = {"gen_ai.agent.handoff.source.name": "A", "gen_ai.agent.handoff.target.name": "B", "error.type": "x"}
    trace = read(tool("a", "transfer_to_b", ends))

    assert [one["target_agent"] for one in trace["spans"] if one["kind"] == "handoff"] == ["B"]


def test_a_call_that_may_have_run_hands_nothing_over():
    trace = read(asking("m", call("transfer_to_b", "c1")))

    assert [one["kind"] for one in trace["spans"]] == ["llm", "tool"]


# Containers, times and traces


@pytest.mark.parametrize("flawed", [{"dropped_attributes_count": 1}, {"droppedEventsCount": "2"}])
def test_dropped_records_leave_the_trace_incomplete(flawed):
    assert reasons(read({**tool("a", "f"), **flawed}))


@pytest.mark.parametrize("whole", [{"dropped_attributes_count": 0}, {"droppedLinksCount": 2}, {"dropped_events": None}])
def test_dropped_links_and_counts_of_none_do_not(whole):
    assert reasons(read({**tool("a", "f"), **whole})) == []


def test_a_parent_that_is_not_there_leaves_the_trace_incomplete():
    assert reasons(read({**tool("a", "f"), "parent_span_id": "gone"}))


def test_the_parent_of_a_request_that_came_in_is_not_expected():
    assert reasons(read({**tool("a", "f"), "parent_span_id": "gone", "kind": "SERVER"})) == []


@pytest.mark.parametrize("sign", [{"span_count": 5}, {"has_more": True}, {"meta": {"page": 1, "totalPages": 2}}])
def test_a_part_of_an_export_leaves_the_trace_incomplete(sign):
    assert reasons(read_document({"spans": [tool("a", "f")], **sign}))


def test_two_traces_are_refused_with_their_ids():
    with pytest.raises(Refused, match="t1, t2"):
        read(tool("a", "f"), {**tool("b", "g"), "trace_id": "t2"})


def test_one_of_two_traces_is_read_by_its_id():
    document = [tool("a", "f"), {**tool("a", "g"), "trace_id": "t2"}]

    assert [one["name"] for one in calls(read_document(document, trace_id="t2"))] == ["g"]


def test_a_trace_that_is_not_there_is_refused():
    with pytest.raises(Refused):
        read_document([tool("a", "f")], trace_id="t9")


def test_a_span_that_was_exported_twice_counts_once():
    trace = read(tool("a", "f"), tool("a", "f"))

    assert (len(calls(trace)), reasons(trace)) == (1, [])


def test_two_spans_of_one_id_are_both_kept():
    trace = read(tool("a", "f"), tool("a", "g"))

    assert ([one["name"] for one in calls(trace)], reasons(trace)) == (
        ["f", "g"],
        ["has the span_id of an earlier span"],
    )


@pytest.mark.parametrize(
    ("members", "times"),
    [
        ({"start_time": 10, "end_time": 20}, (10, 20)),
        ({"startTimeUnixNano": "10", "endTimeUnixNano": "20"}, (10, 20)),
        ({"startTime": [1, 5], "endTime": [2, 0]}, (1_000_000_005, 2_000_000_000)),
        ({"timestamp": 3, "duration": 4}, (3_000, 7_000)),
        ({"start_time": "2026-01-01T00:00:00Z", "end_time": None}, ("2026-01-01T00:00:00Z", None)),
        ({"start_time": "2026-01-01T00:00:00", "end_time": "2026-01-01T00:00:01"}, None),
        ({"startTime": 1790000000, "endTime": 1790000001}, None),
        ({"start_time": 10, "end_time": "soon"}, None),
    ],
)
def test_times_are_read_by_their_field_and_left_out_where_they_say_too_little(members, times):
    made = {name: value for name, value in tool("a", "f").items() if name not in ("start_time", "end_time")}
    found = only_call({**made, **members})

    assert (found["start_time"], found["end_time"]) == times if times else "start_time" not in found


@pytest.mark.parametrize("name", [name for name, one in formats().items() if one.family == "spans"])
def test_an_empty_export_in_its_container_is_a_recorded_trace(name):
    assert formats()[name].read({"resourceSpans": []}) == {"spans": []}


# What stored exports showed


def test_what_claude_code_says_of_a_prompt_or_a_request_is_no_call():
    prompted = {
        "body": "claude_code.user_prompt",
        "attributes": {"event.name": "user_prompt", "command_name": "review"},
    }
    trace = read(span("a", "claude_code.tool", {"tool_name": "Read"}), {**prompted, "timeUnixNano": 5})

    assert (len(calls(trace)), reasons(trace)) == (1, [])


def test_a_call_that_stands_in_a_message_of_role_tool_is_a_call():
    part = {"id": "c1", "type": "function", "function": {"name": "sow", "arguments": '{"row": 1}'}}
    history = [{"role": "tool", "content": [part]}, {"role": "tool", "content": "sown"}]
    trace = read(span("m", "chat", {OPERATION: "chat", "gen_ai.input.messages": json.dumps(history)}))

    assert ([one["arguments"] for one in calls(trace)], reasons(trace)) == ([{"row": 1}], [])


def test_definitions_that_are_listed_as_messages_are_no_answers():
    defined = {"role": "tool", "content": {"type": "function", "function": {"name": "sow", "parameters": {}}}}
    trace = read(span("m", "chat", {OPERATION: "chat", "gen_ai.input.messages": json.dumps([defined])}))

    assert (calls(trace), reasons(trace)) == ([], [])


def test_an_answer_that_its_record_wraps_once_more_belongs_to_the_call_of_another_record():
    used, result = (
        {"toolUse": {"toolUseId": "t", "name": "sow", "input": {"row": 1}}},
        {"toolResult": {"toolUseId": "t"}},
    )

    def record(span_id, body):
        return {"traceId": "t1", "spanId": span_id, "timeUnixNano": 5, "attributes": {}, "body": body}

    trace = read(
        record("m", {"output": {"messages": [{"role": "assistant", "content": {"message": json.dumps([used])}}]}}),
        record("n", {"input": {"messages": [{"role": "tool", "content": {"content": json.dumps([result])}}]}}),
    )

    assert ([one.get("executed", True) for one in calls(trace)], reasons(trace)) == ([True], [])


def test_a_function_call_of_before_tools_is_read_from_flattened_messages():
    message = "llm.output_messages.0.message"
    flat = {f"{message}.function_call_name": "sow", f"{message}.function_call_arguments_json": '{"row": 1}'}

    assert only_call(span("m", "x", {KIND: "LLM", **flat}))["arguments"] == {"row": 1}


def test_a_kind_beside_the_attributes_is_read():
    listed = {**span("a", "x", {"tool.name": "sow"}), "span_kind": "TOOL"}

    assert [one["name"] for one in calls(read_document({"data": [listed]}))] == ["sow"]


def observation(identity, kind, name, **members):
    made = {"id": identity, "traceId": "t", "type": kind, "name": name, "level": "DEFAULT", "startTime": None}
    return {**made, "endTime": None, **members}


def test_a_plain_observation_that_the_model_asked_for_by_name_is_the_tool():
    message = {
        "role": "assistant",
        "tool_calls": [{"id": "c1", "function": {"name": "sow", "arguments": '{"row": 1}'}}],
    }
    trace = read_document(
        {
            "observations": [
                observation("1", "GENERATION", "chat", output=message),
                observation("2", "SPAN", "tools"),
                observation("3", "SPAN", "sow", input={"row": 1}, parentObservationId="2"),
            ]
        }
    )

    assert ([one["span_id"] for one in calls(trace)], reasons(trace)) == (["3"], [])


def test_the_form_of_an_answer_is_no_call():
    scope = {"name": "pydantic-ai"}
    trace = read(
        {**asking("m", call("final_result", "c1")), "scope": scope}, {**tool("a", "final_result"), "scope": scope}
    )

    assert (calls(trace), reasons(trace)) == ([], [])


@pytest.mark.parametrize(
    "made",
    [
        span("a", "function_tool", {"lk.function_tool.name": "sow"}, scope={"name": "livekit-agents"}),
        span("a", "sow", {"genkit:metadata:subtype": "tool", "genkit:name": "sow"}),
        span("a", "Tool Usage", {"tool_name": "sow"}, scope={"name": "crewAI-telemetry"}),
        span("a", "x", {"flue.tool.name": "sow"}),
    ],
)
def test_vocabularies_of_their_own_are_read(made):
    assert only_call(made)["name"] == "sow"
