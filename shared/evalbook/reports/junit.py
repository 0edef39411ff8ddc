"""Results as JUnit XML: a suite a scorer, a test case a case."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final
from xml.sax.saxutils import quoteattr

Result = Mapping[str, object]

_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ELEMENTS: Final = {"fail": "failure", "error": "error", "timeout": "error"}


def junit_xml(results: Mapping[str, Iterable[Result]]) -> str:
    """Return the document for the results of each scorer: `{"case_id", "outcome", "code", "explanation"}`.

    A fail is a failure, an error or timeout an error; what could not be decided is skipped, with its code. Characters
    that XML cannot hold are replaced.
    """
    suites = [_suite(name, list(each)) for name, each in results.items()]
    return '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n' + "".join(suites) + "</testsuites>\n"


def _suite(name: str, results: list[Result]) -> str:
    counts = Counter(_element(result) for result in results)
    head = f'name={_attribute(name)} tests="{len(results)}" failures="{counts["failure"]}" '
    head += f'errors="{counts["error"]}" skipped="{counts["skipped"]}"'
    return f"<testsuite {head}>\n" + "".join(_case(name, result) for result in results) + "</testsuite>\n"


def _case(name: str, result: Result) -> str:
    opening = f"  <testcase classname={_attribute(name)} name={_attribute(str(result['case_id']))}"
    element = _element(result)
    if element is None:
        return f"{opening}/>\n"
    kind = _attribute(str(result["code"] or result["outcome"]))
    message = _attribute(str(result["explanation"]))
    typed = "" if element == "skipped" else f" type={kind}"
    said = message if element != "skipped" else _attribute(f"{result['code']}: {result['explanation']}")
    return f"{opening}><{element} message={said}{typed}/></testcase>\n"


def _element(result: Result) -> str | None:
    outcome = str(result["outcome"])
    return None if outcome == "pass" else _ELEMENTS.get(outcome, "skipped")


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", text), {"\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})
