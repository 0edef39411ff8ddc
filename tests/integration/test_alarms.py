"""An alarm on a metric of our own watches what the code really reports."""

import json

import pytest

from devstack.emulator.transformed import transformed
from evalbook.observability import report_ledger_fault
from evalbook.services.judging.ports import LedgerFault

ALARMS = {
    name: each["Properties"]
    for name, each in transformed()["Resources"].items()
    if each["Type"] == "AWS::CloudWatch::Alarm"
}


@pytest.fixture
def blob(monkeypatch, capfd):
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "EvalBook")
    report_ledger_fault(LedgerFault.NEVER_SENT, "an-id")
    [blob] = [json.loads(line) for line in capfd.readouterr().out.splitlines() if "_aws" in line]
    return blob


def test_a_fault_of_the_ledger_is_what_its_alarm_watches(blob):
    alarm = ALARMS["LedgerFaultsAlarm"]

    [metrics] = blob["_aws"]["CloudWatchMetrics"]
    [dimension] = alarm["Dimensions"]
    assert (metrics["Namespace"], metrics["Dimensions"]) == (alarm["Namespace"], [[dimension["Name"]]])
    assert (blob[dimension["Name"]], blob[alarm["MetricName"]]) == (dimension["Value"], [1.0])


def test_a_fault_of_the_ledger_is_logged_with_its_kind_and_an_id_of_ours(monkeypatch, caplog):
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "EvalBook")

    with caplog.at_level("ERROR"):
        report_ledger_fault(LedgerFault.OTHER_CHARGE, "an-id")

    [record] = caplog.records
    assert (record.levelname, record.fault, record.about) == ("ERROR", "other_charge", "an-id")


@pytest.mark.parametrize("name", ALARMS)
def test_an_alarm_tells_the_topic(name):
    told = {"Fn::If": ["HasAlarmTopic", [{"Ref": "AlarmTopicArn"}], {"Ref": "AWS::NoValue"}]}

    assert ALARMS[name]["AlarmActions"] == told
