"""text_length (X-07): the output text has as many characters, words or lines as allowed."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Final, Literal

from pydantic import Field

from evalbook.domain.case import Case
from evalbook.domain.errors import Problem
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Grade, failed, passed
from evalbook.domain.parameters import ReadsOutput, Whole
from evalbook.jsonio.values import Json, is_number
from evalbook.scorer_kit.reading import STRING, output_reader
from evalbook.scorer_kit.text_options import words_of

_LINE_BREAK: Final = re.compile(r"\r\n|\n|\r")


class TextLengthParameters(ReadsOutput):
    """What is counted, and how much of it is allowed."""

    unit: Literal["characters", "words", "lines"] = Field(description="What is counted.")
    minimum: Annotated[Whole, Field(ge=0)] | None = Field(None, description="The least count that passes.")
    maximum: Annotated[Whole, Field(ge=0)] | None = Field(None, description="The largest count that passes.")

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse bounds that every text keeps, or none."""
        least, most = raw.get("minimum"), raw.get("maximum")
        if "minimum" not in raw and "maximum" not in raw:
            yield Problem("", "one of minimum and maximum is required")
        for name in ("minimum", "maximum"):
            if name in raw and raw[name] is None:
                yield Problem(f"/{name}", "must be a number, not null")
        if is_number(least) and least == 0 and "maximum" not in raw:
            yield Problem("/minimum", "every text has 0 or more; write 1 or more, or give a maximum")
        if least is not None and most is not None and is_number(least) and is_number(most) and least > most:
            yield Problem("/minimum", "is larger than maximum: no text could pass")


@scorer(parameters=TextLengthParameters, needs=(Need.OUTPUT,))
def text_length(parameters: TextLengthParameters) -> ScoreFunction:
    """Passes when the output text has as many characters, words or lines as allowed."""
    output_of, unit, count_of = output_reader(parameters, STRING), parameters.unit, _COUNTS[parameters.unit]
    least, most = parameters.minimum or 0, parameters.maximum
    bounds = f"{least} or more" if most is None else f"{least} to {most}"

    def score(case: Case) -> Grade:
        count = count_of(output_of(case))
        explanation = f"The output has {count} {unit}; allowed are {bounds}."
        return passed(explanation) if count >= least and (most is None or count <= most) else failed(explanation)

    return score


def _lines(text: str) -> int:
    """Count lines; a line break ends a line and begins none, so that one at the very end adds nothing."""
    breaks = [found.end() for found in _LINE_BREAK.finditer(text)]
    return len(breaks) + (len(text) > (breaks[-1] if breaks else 0))


_COUNTS: Final[Mapping[str, Callable[[str], int]]] = {
    "characters": len,
    "words": lambda text: len(words_of(text)),
    "lines": _lines,
}
