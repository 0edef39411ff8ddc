"""Sandbox runs on DynamoDB: `pk` is the run, `sk` the run itself, a case or a result; all of it expires."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from evalbook.adapters.dynamodb.items import project_pk, scorer_version_of
from evalbook.adapters.dynamodb.table import Item, Table, key, number, text
from evalbook.domain.errors import StoreUnavailable
from evalbook.domain.records import AuditStamp
from evalbook.services.sandbox.ports import CaseGroup, RunJudging, RunKey, SandboxRun

_MAX_CASES: Final = 20
_RATE_SECONDS: Final = 120


class DynamoDbSandbox:
    """A `SandboxStore`."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def count(self, caller: str, minute: str, limit: int) -> bool:
        """Count a run of the caller in this minute; False where there were *limit* already."""
        expires = int(datetime.fromisoformat(f"{minute}:00+00:00").timestamp()) + _RATE_SECONDS
        return self._table.update(
            key(f"RATE#{caller}", f"SANDBOX#{minute}"),
            "ADD runs :one SET expires_at = :expires",
            "attribute_not_exists(runs) OR runs < :limit",
            {":one": number(1), ":limit": number(limit), ":expires": number(expires)},
        )

    def create(self, run: SandboxRun, cases: Mapping[int, bytes]) -> None:
        """Store a run, and those of its cases that are still to be scored."""
        for index, case in cases.items():
            self._table.put({**_member_key(run.key, "CASE", index), "content": {"B": case}, **_expiry(run)})
        self._table.put(_run_item(run))

    def run(self, run_key: RunKey) -> SandboxRun | None:
        """The run, or None."""
        item = self._table.read(key(_pk(run_key), "RUN"))
        return _run_of(run_key, item) if item else None

    def cases(self, group: CaseGroup) -> Sequence[bytes]:
        """The cases of a group."""
        return [self._case(group.key, index) for index in range(group.begin, group.end)]

    def put_results(self, run: SandboxRun, results: Mapping[int, bytes]) -> None:
        """Store results by the numbers of their cases."""
        for index, result in results.items():
            item = {**_member_key(run.key, "RESULT", index), "content": {"B": result}, **_expiry(run)}
            self._table.put(item, condition=None)  # scored twice, it is the same

    def results(self, run_key: RunKey) -> Mapping[int, bytes]:
        """The results that there are, by the numbers of their cases."""
        found = self._table.query(_pk(run_key), "RESULT#", None, _MAX_CASES)
        return {int(item["sk"]["S"].rpartition("#")[2]): item["content"]["B"] for item in found}

    def _case(self, run_key: RunKey, index: int) -> bytes:
        item = self._table.read(_member_key(run_key, "CASE", index))
        if item is None:
            raise StoreUnavailable("a case of the run is not there")
        content: bytes = item["content"]["B"]
        return content


def _pk(run_key: RunKey) -> str:
    return f"SANDBOX#{project_pk(run_key.project)}#RUN#{run_key.run_id}"


def _member_key(run_key: RunKey, kind: str, index: int) -> Item:
    return key(_pk(run_key), f"{kind}#{index:02d}")


def _expiry(run: SandboxRun) -> Item:
    return {"expires_at": number(int(datetime.fromisoformat(run.expires_at).timestamp()))}


def _run_item(run: SandboxRun) -> Item:
    stored = {} if run.number is None else {"number": number(run.number)}
    judging = run.judging
    judged = (
        {}
        if judging is None
        else {"budget_id": text(judging.budget_id), "panels": {"L": [*map(text, judging.judge_runs)]}}
    )
    return {
        **key(_pk(run.key), "RUN"),
        "scorer": text(run.version.scorer.name),
        "implementation": text(run.version.implementation),
        "parameters": text(run.version.parameters),
        "time_limit_ms": number(run.version.time_limit_ms),
        "digest": text(run.version.digest),
        "state": text(run.version.state.value),
        "cases": number(run.cases),
        "repeated": {"L": [number(each) for each in sorted(run.repeated)]},
        "created_by": text(run.created.by),
        "created_at": text(run.created.at),
        "deadline_at": text(run.deadline_at),
        "ends_at": text(run.expires_at),
        **stored,
        **judged,
        **_expiry(run),
    }


def _run_of(run_key: RunKey, item: Item) -> SandboxRun:
    ordinal = int(item["number"]["N"]) if "number" in item else None
    version = scorer_version_of(run_key.project.scorer(item["scorer"]["S"]), ordinal or 0, item)
    return SandboxRun(
        run_key,
        version,
        ordinal,
        int(item["cases"]["N"]),
        AuditStamp(item["created_by"]["S"], item["created_at"]["S"]),
        item["deadline_at"]["S"],
        item["ends_at"]["S"],
        frozenset(int(each["N"]) for each in item["repeated"]["L"]),
        RunJudging(item["budget_id"]["S"], tuple(each["S"] for each in item["panels"]["L"]))
        if "panels" in item
        else None,
    )
