import sys
from types import ModuleType

import pytest

from devstack.emulator import faulty_handler
from devstack.emulator.faulty_handler import Broken
from devstack.emulator.function_faults import FunctionFault, FunctionFaults


@pytest.fixture
def book(tmp_path, monkeypatch):
    own = ModuleType("own_handler")
    own.done = []
    own.lambda_handler = lambda event, _: own.done.append(event) or "done"
    monkeypatch.setitem(sys.modules, "own_handler", own)
    monkeypatch.setenv("DEVSTACK_FAULTS", str(tmp_path))
    monkeypatch.setenv("DEVSTACK_HANDLER", "own_handler.lambda_handler")
    monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", "ask")
    return FunctionFaults(tmp_path)


def invoked(judge_run_id="a"):
    return faulty_handler.lambda_handler({"judge_run_id": judge_run_id}, None)


def done():
    return len(sys.modules["own_handler"].done)


@pytest.mark.parametrize(("moment", "work"), [("before", 0), ("after", 1)])
def test_a_function_fails_before_or_after_its_work(book, moment, work):
    book.add("ask", "a", FunctionFault("failed", moment))

    with pytest.raises(Broken):
        invoked()

    assert done() == work


def test_a_fault_is_taken_once(book):
    book.add("ask", "a", FunctionFault("failed", "before"))
    with pytest.raises(Broken):
        invoked()

    assert (invoked(), book.waiting) == ("done", 0)


@pytest.mark.parametrize(("function", "key"), [("ask", "b"), ("prepare", "a")])
def test_a_fault_of_another_judge_run_or_function_waits(book, function, key):
    book.add(function, key, FunctionFault("failed", "before"))

    assert (invoked(), book.waiting) == ("done", 1)


def test_what_is_about_no_judge_run_meets_no_fault(book):
    book.add("ask", "a", FunctionFault("failed", "before"))

    assert faulty_handler.lambda_handler({"Records": []}, None) == "done"


def test_a_killed_function_ends_by_the_signal_that_nothing_can_catch(book, monkeypatch):
    killed = []
    monkeypatch.setattr("os.kill", lambda _, number: killed.append(number) or (_ for _ in ()).throw(SystemExit))
    book.add("ask", "a", FunctionFault("killed", "before"))

    with pytest.raises(SystemExit):
        invoked()

    assert (killed, done()) == ([9], 0)
