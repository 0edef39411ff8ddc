"""The demo's judged runs: a real model's recorded replies, three real runs an item, through the whole judge run."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from devstack.clients.authors import JudgeAuthors
from devstack.clients.judging import JudgeRun, JudgingClient
from devstack.clients.scoring import ScoredSet
from devstack.demo.data import DemoCase, DemoSet, JsonObject, demo_set
from devstack.demo.table import row
from devstack.standins.gateway import GatewayStandIn
from devstack.standins.gateway_catalog import RECORDED_MODEL
from devstack.standins.gateway_recorded import labelled_outputs

_SCORER: Final = "support-judge"
_FIELD: Final = "support"
_RUBRIC: Final = "full"
_CASES: Final = 6
_REPEATS: Final = 3
_PLENTY: Final = 5_000_000
_MICRO: Final = 1_000_000
_PARAMETERS: Final = {
    "model": f"recorded-{_RUBRIC}::{RECORDED_MODEL}",
    "prompt_template": "Does this answer do what a good support agent would do?\n\n{{output}}",
    "score_type": "binary",
    "repeat_count": _REPEATS,
}


def judged_set(title: str, scorer: str) -> DemoSet:
    """Build the set of judged cases: real answers with a person's labels."""
    return demo_set(title, scorer, "judge", dict(_PARAMETERS), tuple(_cases()))


def print_judged(authors: JudgeAuthors, client: JudgingClient, sso: GatewayStandIn) -> int:
    """Judge the cases with money enough and once more with half of it, print both rows; how many did not come back."""
    authors.activate(_SCORER, authors.create(_SCORER, dict(_PARAMETERS)))
    whole = JudgeRun(_SCORER, dict(_PARAMETERS), _PLENTY)
    missing, spent = _run(client, sso, whole, "judge: 3 repeats a case, majority")
    judge_run = _REPEATS * max(client.estimate(charge.logical_id) for charge in sso.charges)
    half = JudgeRun(_SCORER, dict(_PARAMETERS), spent // 2 + judge_run)
    lost, _ = _run(client, sso, half, "judge: the budget runs out half-way")
    return missing + lost


def _run(client: JudgingClient, sso: GatewayStandIn, run: JudgeRun, title: str) -> tuple[int, int]:
    """Judge, print; how many results are missing and how many micro-dollars were spent."""
    one = judged_set(title, run.scorer)
    before = len(sso.charges)
    client.open(run)
    started = time.monotonic()
    results = client.judge(run, [case.case for case in one.cases])
    seconds = time.monotonic() - started
    print(row(_as_far_as_judged(one, results), ScoredSet(dict(results), seconds)), flush=True)
    budget = client.budget(run)
    charges = sso.charges[before:]
    skipped = sum(result["outcome"] == "skipped" for result in results.values())
    print(
        f"  {len(charges)} calls, {sum(charge.input_tokens for charge in charges)} tokens read and "
        f"{sum(charge.output_tokens for charge in charges)} written (estimated from the texts); "
        f"${budget.spent / _MICRO:.4f} of ${budget.limit / _MICRO:.4f} spent, "
        f"the gateway charged ${sum(charge.micro_dollars for charge in charges) / _MICRO:.4f}; "
        f"{skipped} cases skipped without money.",
        flush=True,
    )
    return len(one.cases) - len(results), budget.spent


def _as_far_as_judged(one: DemoSet, results: Mapping[str, JsonObject]) -> DemoSet:
    """The set in which a case that nobody judged has no label to agree with."""

    def seen(case: DemoCase) -> DemoCase:
        outcome = results.get(case.case_id, {}).get("outcome")
        return replace(case, label=None) if outcome == "skipped" else case

    [version] = one.versions
    return replace(one, versions=(replace(version, cases=tuple(map(seen, version.cases))),))


def _cases() -> Iterator[DemoCase]:
    for case_id, output, label in list(labelled_outputs(_FIELD))[:_CASES]:
        yield DemoCase({"case_id": case_id, "output": output}, label == "pass")
