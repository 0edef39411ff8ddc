"""The rest of a batch: what was not started goes back on the queue as a smaller batch with the same ids."""

import orjson

from evalbook.contracts.case import case_id_of
from evalbook.contracts.score_batch import CaseText, ReadBatch
from evalbook.jsonio.reader import split_array, split_object


def remaining_batch(read: ReadBatch, done: int) -> bytes:
    """Return the body of a batch with all but the first *done* cases of *read*.

    It remembers the original indexes and which ids occurred before, so that every case keeps its result_id; and it
    holds the cases as they were written, so that every case keeps its result.
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
    """The indexes of the cases that the rest alone would not know as repeated: the first of each id that went before.

    Each stands for a case that is no longer there, so the rest is never larger than the batch.
    """
    known = set(read.head.repeated)
    ids = [case.case_id if type(case) is CaseText else case_id_of(case) for case in read.cases]
    before, indexes = {case_id for case_id in ids[:done] if case_id is not None}, list[int]()
    for index, case_id in enumerate(ids[done:], read.head.first_index + done):
        if index in known or case_id in before:
            indexes.append(index)
            before.discard(case_id or "")
    return indexes
