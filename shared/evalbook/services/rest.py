"""The rest of a batch: what was not started goes back on the queue as a smaller batch with the same ids."""

import orjson

from evalbook.canonical import canonical_json
from evalbook.contracts.case import case_id_of
from evalbook.contracts.score_batch import CaseText, CaseValue, ReadBatch


def rest_of(read: ReadBatch, done: int) -> bytes:
    """The body of a batch with all but the first *done* cases of *read*.

    It remembers the original indexes and which ids occurred before, so that every case keeps its result_id.
    """
    batch = read.head
    head = batch.model_dump(mode="json", exclude={"cases"}, exclude_none=True)
    if batch.cases_ref:
        head["cases_ref"]["start"] = batch.cases_ref.start + done
        return orjson.dumps(head)
    head["first_index"] = batch.first_index + done
    head["repeated"] = _repeated(read, done)
    cases = b",".join(_text_of(case) for case in read.cases[done:])
    return orjson.dumps(head)[:-1] + b',"cases":[' + cases + b"]}"


def _repeated(read: ReadBatch, done: int) -> list[int]:
    first, seen, known = read.head.first_index, set[str](), set(read.head.repeated)
    indexes: list[int] = []
    for position, case in enumerate(read.cases):
        case_id = case.case_id if type(case) is CaseText else case_id_of(case)
        if position >= done and (first + position in known or case_id in seen):
            indexes.append(first + position)
        if case_id is not None:
            seen.add(case_id)
    return indexes


def _text_of(case: CaseValue) -> bytes:
    return case.text if type(case) is CaseText else canonical_json(case)
