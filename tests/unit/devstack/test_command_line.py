import signal

import pytest

from devstack import __main__ as command_line
from devstack.errors import StackError


@pytest.fixture(autouse=True)
def signal_handlers():
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def raising(error):
    def stay_up(port):
        raise error

    return stay_up


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 0), (StackError("no port"), 1)])
def test_the_exit_code_tells_a_stop_from_a_failure(monkeypatch, error, code):
    monkeypatch.setattr(command_line, "_stay_up", raising(error))

    assert command_line.main(["up"]) == code


def test_a_failure_is_told_on_standard_error(monkeypatch, capsys):
    monkeypatch.setattr(command_line, "_stay_up", raising(StackError("no port")))

    command_line.main(["up"])

    assert capsys.readouterr().err == "no port\n"


def test_the_port_is_handed_on(monkeypatch):
    ports = []
    monkeypatch.setattr(command_line, "_stay_up", ports.append)

    command_line.main(["up", "--port", "4566"])

    assert ports == [4566]
