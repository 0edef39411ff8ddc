"""The vocabularies that are known, in the order in which they are asked about a span."""

import re
from typing import Final

from evalbook.traces.formats._spans.platform_vocabularies import (
    BRAINTRUST,
    GENKIT,
    LANGFUSE,
    LANGSMITH,
    MLFLOW,
    OPENAI_AGENTS,
    OTHERS,
    WEAVE,
)
from evalbook.traces.formats._spans.vocabulary import (
    AGENT,
    HANDOFF,
    LLM,
    OTHER,
    PART,
    RETRIEVAL,
    SILENT,
    TOOL,
    SpanVocabulary,
)

_FALSE: Final = frozenset({"false"})
_ERROR: Final = frozenset({"error", "failed", "failure"})
_ANY: Final[frozenset[str]] = frozenset()
"""An outcome whose attribute says it by being there."""

_MCP: Final = SpanVocabulary(
    name="mcp",
    marks=("mcp.",),
    kind=("mcp.method.name",),
    kinds={"tools/call": TOOL},
    closed=True,
    spans=((re.compile(r"tools/call (.+)"), TOOL),),
    harmless=("mcp.",),
)
_OPENINFERENCE: Final = SpanVocabulary(
    name="openinference",
    is_listed=True,
    marks=("openinference.", "llm.input_messages", "llm.output_messages", "retrieval.documents", "tool_call.function"),
    scopes=("openinference.instrumentation", "@arizeai/openinference"),
    kind=("openinference.span.kind",),
    kinds={
        "tool": TOOL, "retriever": RETRIEVAL, "agent": AGENT, "llm": LLM, "chain": OTHER, "reranker": OTHER,
        "embedding": OTHER, "guardrail": OTHER, "evaluator": OTHER, "prompt": OTHER, "unknown": SILENT,
    },
    evidence=("tool.name", "tool_call.function.name", "tool_call.id", "tool.id"),
    tool_names=("tool.name", "tool_call.function.name"),
    agent_names=("agent.name",),
    call_ids=("tool_call.id", "tool.id"),
    arguments=("tool_call.function.arguments", "input.value", "tool.parameters"),
    results=("output.value",),
    documents=("retrieval.documents",),
    messages=(("llm.input_messages", "llm.output_messages"), ("input.value", "output.value")),
    harmless=("llm.tools", "llm.invocation_parameters", "smolagents.tools_names", "tool.description",
              "tool.json_schema", "reranker", "embedding", "metadata", "graph.node", "llm.prompt_template"),
    names_span=True,
)  # fmt: skip
_TRACELOOP: Final = SpanVocabulary(
    name="openllmetry",
    spans_need_marks=True,
    is_listed=True,
    marks=("traceloop.", "llm.request.type", "gen_ai.prompt", "gen_ai.completion"),
    kind=("traceloop.span.kind",),
    kinds={"tool": TOOL, "agent": AGENT, "workflow": OTHER, "task": OTHER, "handoff": HANDOFF, "session": OTHER},
    tool_names=("traceloop.entity.name",),
    agent_names=("traceloop.entity.name",),
    arguments=("traceloop.entity.input",),
    results=("traceloop.entity.output",),
    documents=("gen_ai.task.output", "traceloop.entity.output"),
    sources=("gen_ai.handoff.from_agent",),
    targets=("gen_ai.handoff.to_agent",),
    messages=(("gen_ai.prompt", "gen_ai.completion"), ("llm.prompts", "llm.completions"),
              ("traceloop.entity.input", "traceloop.entity.output")),
    failed={"gen_ai.task.status": _ERROR},
    harmless=("llm.request", "traceloop.association", "traceloop.workflow", "traceloop.entity.path",
              "traceloop.entity.name", "gen_ai.task"),
    spans=((re.compile(r"(.+)\.tool"), TOOL), (re.compile(r".+ → .+\.handoff"), HANDOFF)),
)  # fmt: skip
_ADOT: Final = SpanVocabulary(
    name="adot",
    is_listed=True,
    marks=("aws.genai.",),
    kind=("aws.genai.span_kind",),
    kinds={
        "tool": TOOL, "llm": LLM, "agent": AGENT, "retriever": RETRIEVAL, "chain": OTHER, "embedding": OTHER,
        "workflow": OTHER, "task": OTHER, "reranker": OTHER, "guardrail": OTHER, "evaluator": OTHER, "prompt": OTHER,
        "unknown": SILENT,
    },
    harmless=("aws.",),
)  # fmt: skip
_AI_SDK: Final = SpanVocabulary(
    name="ai_sdk",
    marks=("ai.operationId", "ai.toolCall", "ai.response", "ai.prompt", "ai.model", "ai.settings", "ai.telemetry"),
    scopes=("ai",),
    kind=("ai.operationId", "operation.name"),
    kinds={
        "ai.toolcall": TOOL, "ai.generatetext": LLM, "ai.streamtext": LLM, "ai.generateobject": LLM,
        "ai.streamobject": LLM, "ai.generatetext.dogenerate": LLM, "ai.streamtext.dostream": LLM,
        "ai.generateobject.dogenerate": LLM, "ai.streamobject.dostream": LLM, "ai.embed": OTHER,
        "ai.embedmany": OTHER, "ai.embed.doembed": OTHER, "ai.embedmany.doembed": OTHER, "ai.rerank": OTHER,
    },
    evidence=("ai.toolCall.name", "ai.toolCall.id", "ai.toolCall.args"),
    tool_names=("ai.toolCall.name",),
    call_ids=("ai.toolCall.id",),
    arguments=("ai.toolCall.args", "ai.toolCall.input"),
    results=("ai.toolCall.result", "ai.toolCall.output"),
    messages=(("ai.prompt.messages", "ai.response.toolCalls"), ("ai.prompt",)),
    finishes=("ai.response.finishReason",),
    harmless=("ai.prompt.tools", "ai.prompt.toolChoice", "ai.settings", "ai.telemetry", "ai.request", "ai.usage",
              "ai.model", "operation.name", "resource.name", "ai.response.text", "ai.schema"),
    spans=((re.compile(r"ai\.toolCall"), TOOL),),
)  # fmt: skip
_SPRING: Final = SpanVocabulary(
    name="spring_ai",
    is_listed=True,
    marks=("spring.ai.", "db.vector."),
    kind=("spring.ai.kind",),
    kinds={"tool_call": TOOL, "vector_store": RETRIEVAL, "chat_client": OTHER, "advisor": OTHER},
    evidence=("spring.ai.tool.definition.name", "spring.ai.tool.call"),
    tool_names=("spring.ai.tool.definition.name",),
    call_ids=("spring.ai.tool.call.id",),
    arguments=("spring.ai.tool.call.arguments",),
    results=("spring.ai.tool.call.result",),
    documents=("db.vector.query.response.documents",),
    harmless=("spring.ai.chat.client", "spring.ai.advisor", "spring.ai.tool.definition", "spring.ai.model.request",
              "db."),
    spans=((re.compile(r"tool_call (.+)"), TOOL),),
)  # fmt: skip
_CLAUDE_CODE: Final = SpanVocabulary(
    name="claude_code",
    marks=("claude_code.",),
    scopes=("com.anthropic.claude_code",),
    kind=("claude_code.span", "claude_code.event"),
    kinds={
        "claude_code.tool": TOOL, "claude_code.tool_result": TOOL, "claude_code.tool_decision": PART,
        "claude_code.tool.execution": PART, "claude_code.tool.blocked_on_user": PART,
        "claude_code.interaction": AGENT, "claude_code.llm_request": LLM, "claude_code.hook": OTHER,
        "claude_code.user_prompt": OTHER, "claude_code.api_request": OTHER, "claude_code.api_error": OTHER,
        "claude_code.mcp_server_connection": OTHER, "claude_code.hook_execution_start": OTHER,
        "claude_code.hook_execution_complete": OTHER, "claude_code.auth": OTHER, "claude_code.compaction": OTHER,
    },
    evidence=("tool_use_id",),
    tool_names=("tool_name",),
    call_ids=("tool_use_id",),
    arguments=("tool_parameters",),
    failed={"success": _FALSE},
    refused={"decision": frozenset({"reject", "deny", "denied"})},
    harmless=("claude_code.", "response.has_tool_call", "tool_names", "span.type", "event.name"),
)  # fmt: skip
_ADK: Final = SpanVocabulary(
    name="adk",
    marks=("gcp.vertex.agent.",),
    scopes=("gcp.vertex.agent",),
    evidence=("gcp.vertex.agent.tool_call_args", "gcp.vertex.agent.tool_response"),
    arguments=("gcp.vertex.agent.tool_call_args",),
    results=("gcp.vertex.agent.tool_response",),
    messages=(("gcp.vertex.agent.llm_request", "gcp.vertex.agent.llm_response"), ("gcp.vertex.agent.data",)),
    harmless=("gcp.vertex.agent.invocation_id", "gcp.vertex.agent.event_id", "gcp.vertex.agent.session_id"),
    spans=((re.compile(r"call_llm|invocation|agent_run.*"), OTHER),),
)
_STRANDS: Final = SpanVocabulary(
    name="strands",
    scopes=("strands.telemetry",),
    failed={"gen_ai.tool.status": _ERROR},
    harmless=("event_loop", "agent.tools", "gen_ai.agent.tools", "tools", "agent.prompt", "system_prompt"),
    spans=((re.compile(r"execute_event_loop_cycle|Cycle .*"), OTHER),),
)
_PYDANTIC: Final = SpanVocabulary(
    name="pydantic_ai",
    marks=("pydantic_ai.", "logfire."),
    scopes=("pydantic-ai", "logfire"),
    evidence=("tool_arguments", "tool_response"),
    arguments=("tool_arguments",),
    results=("tool_response",),
    messages=(("pydantic_ai.all_messages",), ("all_messages_events",), ("events",)),
    refused={
        "pydantic_ai.tool.failure_stage": frozenset({"validation"}),
        "pydantic_ai.tool.deferral.name": _ANY,
    },
    harmless=("logfire.", "model_request_parameters", "pydantic_ai.new_message_index", "agent_name", "final_result",
              "tools", "code."),
    spans=((re.compile(r"running output function.*"), OTHER), (re.compile(r"running tool(?:: (.+))?"), TOOL),
           (re.compile(r"running \d+ tools?|running tools"), OTHER)),
)  # fmt: skip
_GENAI: Final = SpanVocabulary(
    name="otel_genai",
    marks=("gen_ai.",),
    kind=("gen_ai.operation.name",),
    is_operation=True,
    kinds={
        "execute_tool": TOOL, "retrieval": RETRIEVAL, "vector_db_retrieve": RETRIEVAL, "handoff": HANDOFF,
        "agent_handoff": HANDOFF, "invoke_agent": AGENT, "create_agent": AGENT, "chat": LLM, "generate_content": LLM,
        "text_completion": LLM, "completion": LLM, "response": LLM, "embeddings": OTHER, "plan": OTHER,
        "invoke_workflow": OTHER, "framework": SILENT, "agent_step": OTHER, "unknown": SILENT,
        "execute_event_loop_cycle": OTHER, "invoke_swarm": OTHER, "invoke_graph": OTHER, "chain": OTHER,
        "prompt": OTHER, "parser": OTHER, "tool": TOOL, "retriever": RETRIEVAL, "llm": LLM,
        "create_memory": OTHER, "search_memory": OTHER, "update_memory": OTHER, "upsert_memory": OTHER,
        "delete_memory": OTHER, "create_memory_store": OTHER, "delete_memory_store": OTHER, "guardrail": OTHER,
    },
    evidence=("gen_ai.tool.name", "gen_ai.tool.call.id", "gen_ai.tool.call.arguments", "gen_ai.tool.call.result"),
    tool_names=("gen_ai.tool.name",),
    agent_names=("gen_ai.agent.name",),
    call_ids=("gen_ai.tool.call.id",),
    arguments=("gen_ai.tool.call.arguments",),
    results=("gen_ai.tool.call.result",),
    documents=("gen_ai.retrieval.documents",),
    sources=("gen_ai.agent.handoff.source.name", "gen_ai.handoff.from_agent"),
    targets=("gen_ai.agent.handoff.target.name", "gen_ai.handoff.to_agent"),
    messages=(("gen_ai.input.messages", "gen_ai.output.messages"),),
    finishes=("gen_ai.response.finish_reasons",),
    harmless=("gen_ai.tool.definitions", "gen_ai.request", "gen_ai.response", "gen_ai.usage", "gen_ai.agent",
              "gen_ai.operation.name", "gen_ai.execute_tool.duration", "gen_ai.system", "gen_ai.conversation",
              "gen_ai.tool.description", "gen_ai.tool.type", "gen_ai.system_instructions", "gen_ai.aggregated_usage",
              "gen_ai.client", "gen_ai.workflow", "gen_ai.memory", "gen_ai.data_source", "gen_ai.handoff"),
    spans=((re.compile(r"execute_tool (.+)"), TOOL), (re.compile(r"retrieval(?: .+)?"), RETRIEVAL)),
)  # fmt: skip

VOCABULARIES: Final = (
    _OPENINFERENCE, _TRACELOOP, LANGSMITH, LANGFUSE, MLFLOW, OPENAI_AGENTS, BRAINTRUST, WEAVE, GENKIT,
    _AI_SDK, _SPRING, _CLAUDE_CODE, _ADOT, _ADK, _STRANDS, _PYDANTIC, OTHERS, _MCP, _GENAI,
)  # fmt: skip
"""All vocabularies; one export, and one span, may speak several."""

PLUMBING: Final = (
    "http", "url", "net", "server", "client", "network", "rpc", "db", "messaging", "faas", "aws", "code", "thread",
    "process", "host", "os", "telemetry", "session", "user", "user_agent", "exception", "service", "cloud", "k8s",
    "container", "deployment", "peer", "enduser", "otel", "span.kind", "PlatformType", "sentry", "next", "error",
    "jsonrpc", "llm.token_count", "llm.model_name", "llm.system", "llm.provider", "llm.usage", "llm.cost",
)  # fmt: skip
"""Beginnings of attributes of HTTP, databases and frameworks: no calls of tools, whatever words they hold."""
