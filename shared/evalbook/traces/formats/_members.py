"""Members that hold no call, by name."""

from typing import Final

COMMON: Final = frozenset(
    {
        "annotations", "audio", "cache_control", "citations", "created", "createdAt", "created_at",
        "finishReason", "finish_reason", "id", "index", "logprobs", "metadata", "model", "name", "object",
        "phase", "providerMetadata", "providerOptions", "provider_metadata", "provider_options", "reasoning",
        "reasoning_content", "reasoning_details", "refusal", "response_metadata", "role", "sequence_number",
        "status", "stop_reason", "stop_sequence", "system_fingerprint", "thinking", "timestamp", "type",
        "usage", "usage_metadata", "uuid", "version", "weight",
    }
)  # fmt: skip
"""Members that hold no call in any dialect."""

REQUEST: Final = frozenset(
    {
        "additionalModelResponseFields", "additional_tools", "allowed_tools", "container", "context_management",
        "conversation", "error", "function_call_mode", "functions", "generationConfig", "generation_config",
        "incomplete_details", "inferenceConfig", "instructions", "max_tool_calls", "metrics", "moderation",
        "parallel_tool_calls", "promptFeedback", "prompt_filter_results", "response_format", "safetySettings",
        "safety_settings", "service_tier", "system", "systemInstruction", "system_instruction", "text",
        "toolConfig", "toolSpec", "tool_choice", "tool_config", "tool_definitions", "tool_resources", "tools",
        "trace_id", "truncation", "usageMetadata",
    }
)  # fmt: skip
"""Members beside a list of messages that define tools or say how to answer, and hold no call."""
