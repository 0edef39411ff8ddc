"""Judge runs that are over as soon as they are started: the real steps, one after the other, over stores in memory."""

import json
from dataclasses import dataclass, field
from typing import Any

from evalbook.adapters.dynamodb.rubrics import DynamoDbRubrics
from evalbook.adapters.dynamodb.versions import DynamoDbVersions
from evalbook.services.judging.aggregate import AggregateJudgeRun
from evalbook.services.judging.ask import AskJudgeRun, AskRequest
from evalbook.services.judging.planner import Planner
from evalbook.services.judging.ports import BodyRef, LedgerFault
from evalbook.services.judging.prepare import PrepareJudgeRun
from evalbook.services.judging.stores import JudgeRunStores
from tests.fakes.http_api import HttpApi
from tests.fakes.judge_runs import MemoryJudgeRunBodies, ScriptedGateway
from tests.fakes.traces import MemoryTraces


@dataclass
class InstantJudgeRuns:
    """Starts judge runs over the API's own ledger, records and registry; `held` keeps them from being asked."""

    api: HttpApi
    gateway: ScriptedGateway = field(default_factory=ScriptedGateway)
    bodies: MemoryJudgeRunBodies = field(default_factory=MemoryJudgeRunBodies)
    traces: MemoryTraces | None = None
    held: bool = False
    started: list[str] = field(default_factory=list)

    def start(self, judge_run_id: str, entry: str) -> None:
        if judge_run_id in self.started:
            return
        self.started.append(judge_run_id)
        job = json.loads(entry)["job"]
        if not self.held:
            self._run(judge_run_id, BodyRef(job["key"], job["sha256"]))

    def _run(self, judge_run_id: str, job: BodyRef) -> None:
        api, stores = self.api, JudgeRunStores(self.bodies, self.api.records)
        planner = Planner(
            versions=DynamoDbVersions(api.house.client, api.house.name),
            rubrics=DynamoDbRubrics(api.house.table),
            catalogs=api.catalogs,
            traces=self.traces,
            bodies=self.bodies,
            boundary=lambda: "0123456789abcdef" * 2,
        )
        prepare = PrepareJudgeRun(stores, planner, api.ledger, api.milliseconds, lambda: 0.0, no_fault)
        said: dict[str, Any] = prepare.run(judge_run_id, job, 0)
        for repeat in said["repeats"]:
            asked = AskRequest(judge_run_id, job, repeat, said["deadline_at"])
            AskJudgeRun(stores, self.gateway, api.ledger, api.milliseconds, no_fault).run(asked)
        AggregateJudgeRun(stores, api.ledger).run(judge_run_id, job)


def no_fault(fault: LedgerFault, about: str) -> None:
    """Is never told of anything: nothing here can make ledger and answer disagree."""
    raise AssertionError(fault, about)
