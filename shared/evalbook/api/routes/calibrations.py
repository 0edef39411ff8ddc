"""Routes about calibrations."""

from http import HTTPStatus
from typing import Annotated, Final

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Path
from pydantic import StringConstraints

from evalbook.api.request_context import CursorText, Limit, NamePart, RouteGroup, answer, page, paged
from evalbook.api.route_table import Route, Scope
from evalbook.api.schemas.calibrations import CalibrationReportView, CalibrationsView, NewCalibrationBody
from evalbook.api.views import calibrations as views
from evalbook.domain.refusals import DeclineReason
from evalbook.services.calibration.calibrations import Calibrations
from evalbook.services.calibration.staleness import StalenessCheck

CalibrationPart = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{1,64}$"), Path()]


_EXAMPLE: Final = {
    "scorer": {"name": "tone", "version": 2},
    "cases": [{"case": {"case_id": "greeting-1", "output": "Good morning."}, "human": "polite"}],
    "split": "test",
    "budget_limit": 2_000_000,
}


class CalibrationRoutes(RouteGroup):
    """Calibrations of judges."""

    tag = "Calibrations"
    function = "Calibrations"

    def __init__(self, calibrations: Calibrations, check: StalenessCheck) -> None:
        self._calibrations = calibrations
        self._check = check

    @Route(
        "POST",
        "/calibrations",
        Scope.CALIBRATION_RUN,
        CalibrationReportView,
        "Calibrate a judge",
        status=HTTPStatus.ACCEPTED,
        problems=(
            DeclineReason.SCORER_NOT_FOUND,
            DeclineReason.VERSION_NOT_FOUND,
            DeclineReason.ONLY_FOR_JUDGES,
            DeclineReason.BUDGET_NOT_FOUND,
            DeclineReason.BUDGET_CLOSED,
        ),
        example=_EXAMPLE,
    )
    def start_calibration(self, body: Annotated[NewCalibrationBody, Body()]) -> Response[str]:
        """Ask a judge about labelled cases; poll the calibration for the report."""
        context = self._context
        record = self._calibrations.start(context.project, body.asked(), context.caller.subject)
        return answer(
            views.with_report(record, self._check.of(record)),
            HTTPStatus.ACCEPTED,
            f"/calibrations/{record.calibration_id}",
        )

    @Route(
        "GET",
        "/calibrations/{calibration}",
        Scope.SCORER_READ,
        CalibrationReportView,
        "Get a calibration",
        problems=(DeclineReason.CALIBRATION_NOT_FOUND,),
    )
    def get_calibration(self, calibration: CalibrationPart) -> Response[str]:
        """Get a calibration, its progress, and its report once it is finished."""
        context = self._context
        record = self._calibrations.get(context.project, calibration)
        found = views.with_report(record, self._check.of(record))
        if Scope.READ_BODY.value in context.caller.scopes:
            found["rows"] = self._calibrations.rows(record)
        return answer(found)

    @Route(
        "GET",
        "/scorers/{scorer}/calibrations",
        Scope.SCORER_READ,
        CalibrationsView,
        "List a scorer's calibrations",
        problems=(DeclineReason.SCORER_NOT_FOUND,),
    )
    def list_calibrations(self, scorer: NamePart, limit: Limit = 50, cursor: CursorText = None) -> Response[str]:
        """List a scorer's calibrations, newest first, without their reports."""
        project, asked = self._context.project, page(cursor, limit)
        found = self._calibrations.list(project, scorer, asked)
        standing = self._check.of_all(project.scorer(scorer), found)
        listed = list(zip(found, standing, strict=True))
        return paged(listed, asked, lambda each: views.calibration(*each), lambda each: each[0].calibration_id)
