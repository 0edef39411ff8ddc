"""The rest of a batch: what was not started goes back on the queue as a smaller batch with the same ids."""

import orjson

from evalbook.contracts.case import case_id_of
from evalbook.contracts.score_batch import CaseText, ReadBatch
from evalbook.strict_json import split_array, split_object


def rest_of(read: ReadBatch, done: int) -> bytes:
    """The body of a batch with all but the first *done* cases of *read*.

    It remembers the original indexes and which ids occurred before, so that every case keeps its result_id; and the
    cases stand as they were sent, to the byte, so that every case keeps its result: some scorers look at their order.
    """
    batch = read.head
    head = batch.model_dump(mode="json", exclude={"cases"}, exclude_none=True)
    if batch.cases_ref:
        head["cases_ref"]["start"] = batch.cases_ref.start + done
        return orjson.dumps(head)
    head["first_index"] = batch.first_index + done
    head["repeated"] = _repeated(read, done)
    cases = split_array(dict(split_object(read.body))["cases"])[done:]
    return orjson.dumps(head)[:-1] + b',"cases":[' + b",".join(cases) + b"]}"


def _repeated(read: ReadBatch, done: int) -> list[int]:
    """The indexes of the rest's cases whose id occurred in no earlier case of the rest, but before it."""
    first, known = read.head.first_index, set(read.head.repeated)
    before, seen = set[str](), set[str]()
    indexes: list[int] = []
    for position, case in enumerate(read.cases):
        case_id = case.case_id if type(case) is CaseText else case_id_of(case)
        if case_id is None:
            continue
        if position < done:
            before.add(case_id)
        elif case_id not in seen:
            seen.add(case_id)
            if case_id in before or first + position in known:
                indexes.append(first + position)
    return indexes
