"""Routes about calibrations."""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Path
from pydantic import StringConstraints

from evalbook.api.request_context import CursorText, Limit, NamePart, RouteGroup, answer, answered, page, paged
from evalbook.api.route_table import Scope
from evalbook.api.schemas.calibrations import CalibrationReportView, CalibrationsView, NewCalibrationBody
from evalbook.api.views import calibrations as views
from evalbook.services.calibration.calibrations import Calibrations
from evalbook.services.calibration.staleness import StalenessCheck

CalibrationPart = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{1,64}$"), Path()]


class CalibrationRoutes(RouteGroup):
    """Calibrations of judges."""

    def __init__(self, app: APIGatewayHttpResolver, calibrations: Calibrations, check: StalenessCheck) -> None:
        super().__init__(app)
        self._calibrations = calibrations
        self._check = check
        accepted = answered("Calibrate a judge", CalibrationReportView, HTTPStatus.ACCEPTED)
        app.post("/calibrations", **accepted)(self.start)
        app.get("/calibrations/<calibration>", **answered("Get a calibration", CalibrationReportView))(self.get)
        listed = answered("List a scorer's calibrations", CalibrationsView)
        app.get("/scorers/<scorer>/calibrations", **listed)(self.list)

    def start(self, body: Annotated[NewCalibrationBody, Body()]) -> Response[str]:
        """Ask a judge about labelled cases; poll the calibration for the report."""
        exchange = self._exchange
        record = self._calibrations.start(exchange.project, body.asked(), exchange.caller.subject)
        return answer(
            views.with_report(record, self._check.of(record)),
            HTTPStatus.ACCEPTED,
            f"/calibrations/{record.calibration_id}",
        )

    def get(self, calibration: CalibrationPart) -> Response[str]:
        """Get a calibration, its progress, and its report once it is finished."""
        exchange = self._exchange
        record = self._calibrations.get(exchange.project, calibration)
        found = views.with_report(record, self._check.of(record))
        if Scope.READ_BODY.value in exchange.caller.scopes:
            found["rows"] = self._calibrations.rows(record)
        return answer(found)

    def list(self, scorer: NamePart, limit: Limit = 50, cursor: CursorText = None) -> Response[str]:
        """List a scorer's calibrations, newest first, without their reports."""
        project, asked = self._exchange.project, page(cursor, limit)
        found = self._calibrations.list(project, scorer, asked)
        standing = self._check.of_all(project.scorer(scorer), found)
        listed = list(zip(found, standing, strict=True))
        return paged(listed, asked, lambda each: views.calibration(*each), lambda each: each[0].calibration_id)
