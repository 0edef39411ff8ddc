"""The answers of `evalbook prompt`: what a judge would be asked about the case of a line, without asking it."""

from collections.abc import Callable, Mapping
from typing import Final

from evalbook.contracts.case import read_case
from evalbook.domain.errors import CaseInvalid, ParametersRefused, Problem
from evalbook.domain.outcome import Code
from evalbook.jsonio.canonical import digest
from evalbook.jsonio.values import Json
from evalbook.judges.rubric import Rubric, read_rubric
from evalbook.judges.version import JudgeParameters, read_judge_parameters
from evalbook.services.registry.prompt_preview import preview
from evalbook.services.registry.rubrics import rubric_content
from evalbook.services.scoring.json_lines import case_of, id_of

_RUBRIC: Final = "/rubric"


def prompt(line: Mapping[str, Json], boundary: Callable[[], str]) -> dict[str, Json]:
    """Give the messages for one line `{"id", "judge", "case", "rubric"?}`: `{"id", "messages"}`.

    `{"id", "not_asked", "explanation"}` where the judge would not be asked about the case, `{"id", "refused"}` where no
    version could have these parameters, or the rubric is not the one that they name. *boundary* draws a fence's.
    """
    head = {"id": id_of(line)}
    try:
        parameters = read_judge_parameters(line.get("judge"))
        rubric = _rubric(line, parameters)
        shown = preview(parameters, read_case(case_of(line)), rubric, boundary)
    except ParametersRefused as refused:
        problems = [{"pointer": problem.pointer, "message": problem.message} for problem in refused.problems]
        return {**head, "refused": problems}
    except CaseInvalid as invalid:
        return {**head, "not_asked": Code.CASE_INVALID.value, "explanation": str(invalid)}
    if shown.not_asked is not None:
        return {**head, "not_asked": shown.not_asked.value, "explanation": shown.not_asked.meaning}
    return {**head, "messages": [{"role": each.role, "content": each.content} for each in shown.messages]}


def _rubric(line: Mapping[str, Json], parameters: JudgeParameters) -> Rubric | None:
    """The line's rubric, which has to be there where the judge names one, and to be that one."""
    named, given = parameters.rubric, line.get("rubric")
    if named is None and given is None:
        return None
    if named is None:
        raise ParametersRefused([Problem(_RUBRIC, "the line has a rubric, and the judge names none")])
    if given is None:
        raise ParametersRefused([Problem(_RUBRIC, "the judge names a rubric, and the line has none")])
    try:
        rubric = read_rubric(given)
    except ParametersRefused as refused:
        raise ParametersRefused([Problem(_RUBRIC + each.pointer, each.message) for each in refused.problems]) from None
    found = digest(rubric_content(rubric))
    if found != named.digest:
        raise ParametersRefused([Problem(f"{_RUBRIC}/digest", f"the line's rubric has the digest {found}")])
    return rubric
