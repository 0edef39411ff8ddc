"""Gemini's contents, which also stand in ADK's events."""

from typing import Final

from evalbook.traces.formats._rules import (
    Answer,
    Dialect,
    End,
    Ending,
    MessageCall,
    MessageVocabulary,
    Rule,
    Speech,
    speech,
)

_CALL: Final = MessageCall(arguments=("args",))
_RESPONSE: Final = Answer(call_id=("id",), members=frozenset({"response", "parts", "scheduling", "will_continue"}))
_BY_SERVICE: Final = MessageCall(name=("toolType", "tool_type"), arguments=("args",), ends=End.RAN)
_SERVICE_RESPONSE: Final = Answer(
    call_id=("id",), name=("toolType", "tool_type"), members=frozenset({"response", "result"})
)
_CODE: Final = MessageCall(
    named="code_execution", name=(), arguments=(), ends=End.RAN, members=frozenset({"code", "language"})
)
_CODE_RESULT: Final = Answer(
    call_id=("id",),
    name=(),
    named="code_execution",
    endings=(Ending("outcome", End.OK, frozenset({"OUTCOME_OK"})), Ending("outcome", End.FAILED)),
    members=frozenset({"output"}),
)
_RULES: Final[dict[str, tuple[Rule, ...]]] = {
    **dict.fromkeys(("functionCall", "function_call"), (_CALL,)),
    **dict.fromkeys(("functionResponse", "function_response"), (_RESPONSE,)),
    **dict.fromkeys(("toolCall", "tool_call"), (_BY_SERVICE,)),
    **dict.fromkeys(("toolResponse", "tool_response"), (_SERVICE_RESPONSE,)),
    **dict.fromkeys(("executableCode", "executable_code"), (_CODE,)),
    **dict.fromkeys(("codeExecutionResult", "code_execution_result"), (_CODE_RESULT,)),
    **speech("text", "thought"),
    **dict.fromkeys(("inlineData", "inline_data", "fileData", "file_data"), (Speech(anything=True),)),
}
PARTS: Final = MessageVocabulary(
    key=None,
    rules=_RULES,
    members=frozenset(
        {"videoMetadata", "video_metadata", "mediaResolution", "media_resolution", "partMetadata", "part_metadata"}
    ),
)
ROLES: Final[dict[str, tuple[Rule, ...]]] = dict.fromkeys(("user", "model", "function", "system"), ())

GEMINI: Final = Dialect(
    containers=("contents", "history", "messages", "candidates/*/content"),
    around=frozenset({"modelVersion", "responseId", "model_version", "response_id", "createTime", "cachedContent"}),
    role_of=lambda _, message: message.get("role") or ("model" if "parts" in message else None),
    roles=ROLES,
    parts={"parts": PARTS},
)
