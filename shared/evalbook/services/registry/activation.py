"""Activating deterministic versions: only what its fixtures agree with becomes active."""

from dataclasses import dataclass

from evalbook.domain.errors import Problem
from evalbook.domain.records import Activation, AuditStamp, Project
from evalbook.domain.refusals import Declined, DeclineReason
from evalbook.services.registry.fixtures import Fixtures, Report


@dataclass(frozen=True, slots=True)
class Activations:
    """The use case of activating a version, or an earlier one again."""

    fixtures: Fixtures

    def activate(self, project: Project, name: str, number: int, by: str) -> Activation:
        """Run the version's fixtures, freeze them, and make it the scorer's only active version.

        Raises:
            Declined: The version is not there, is a judge's, has no fixtures, or one of them disagrees.
        """
        report = self.fixtures.run(project, name, number)
        _insist_on_agreement(report)
        scorers = self.fixtures.scorers
        activation = scorers.store.activate(report.version, AuditStamp(by, scorers.clock()))
        if activation is None:
            raise Declined(DeclineReason.FIXTURES_CHANGED, "The fixtures were replaced while they were run.")
        return activation


def _insist_on_agreement(report: Report) -> None:
    problems = [
        Problem(f"/fixtures/{verdict.index}", "does not give what it must give")
        for verdict in report.verdicts
        if verdict.agrees is False
    ]
    if problems:
        count = f"{len(problems)} of {len(report.verdicts)} fixtures"
        raise Declined(DeclineReason.FIXTURES_DISAGREE, f"{count} do not give what they must give.", problems)
    if left := report.count(agrees=None):
        raise Declined(DeclineReason.FIXTURES_UNFINISHED, f"There was no time to run {left} fixtures; use faster ones.")
