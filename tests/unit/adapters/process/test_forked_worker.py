import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evalbook.adapters.process.forked_worker import ForkedWorker
from evalbook.domain.errors import WorkerDied
from tests.unit.adapters.process import jobs
from tests.unit.adapters.process.jobs import Script

ROOT = Path(__file__).parents[4]
PLENTY = 3_600.0
MARGIN = 1.5
"""Seconds that the worker keeps back for sending results."""
TIMEOUT = b"timeout TIME_LIMIT"
FAILED = b"error SCORING_FAILED"


def answers(worker: ForkedWorker, job: Script, *, seconds_left: float = PLENTY, survive: bool = True) -> list[bytes]:
    results = list(worker.run(job, seconds_left=seconds_left, survive_crashes=survive))

    assert [number for number, _ in results] == list(range(len(results)))

    return [answer for _, answer in results]


def test_results_come_back_in_order(worker):
    found = answers(worker, Script((jobs.fine, jobs.big, jobs.fine)))

    assert found == [b"fine", b"x" * 300_000, b"fine"]


def test_a_job_without_items_starts_no_process(worker):
    assert answers(worker, Script(())) == []
    assert worker._process is None


def test_one_process_serves_many_jobs(worker):
    first = answers(worker, Script((jobs.process,)))

    assert answers(worker, Script((jobs.process,))) == first


def test_a_job_of_ten_megabytes_reaches_the_process(worker):
    assert answers(worker, Script((jobs.fine,), payload=b"x" * 10_000_000)) == [b"fine"]


def test_ten_thousand_results_come_back(worker):
    assert answers(worker, Script((jobs.fine,) * 10_000)) == [b"fine"] * 10_000


def test_a_job_costs_one_request_and_few_answers_however_many_items_it_has(worker):
    worker.start()
    connection = worker._process.connection = Counted(worker._process.connection)

    answers(worker, Script((jobs.fine,) * 1_000))

    assert connection.sent == 1
    assert connection.received < 20


@pytest.mark.parametrize("stuck", [jobs.hang, jobs.sleep_in_c])
def test_an_item_stuck_in_a_c_function_times_out_and_the_others_do_not(worker, stuck):
    assert answers(worker, Script((jobs.fine, stuck, jobs.fine), limit_ms=100)) == [b"fine", TIMEOUT, b"fine"]


def test_a_time_limit_holds_for_the_first_item_after_a_preparation_with_a_longer_one(worker):
    worker.start()
    started = time.monotonic()

    found = answers(worker, Script((jobs.hang,), limit_ms=200, preparation=jobs.fine))

    assert found == [TIMEOUT]
    assert 0.2 <= time.monotonic() - started < 0.6


def test_a_time_limit_holds_after_items_that_could_have_taken_longer(worker):
    job = Limits((5_000, 5_000, 200), (jobs.fine, jobs.fine, jobs.hang))
    worker.start()
    started = time.monotonic()

    found = answers(worker, job)

    assert found == [b"fine", b"fine", TIMEOUT]
    assert time.monotonic() - started < 0.6


def test_an_item_that_is_late_times_out_although_it_ends_before_anybody_looks(worker):
    job = Limits((5_000, 3, 5_000), (jobs.fine, jobs.a_moment, jobs.fine))

    assert answers(worker, job) == [b"fine", TIMEOUT, b"fine"]


def test_every_stuck_item_of_a_job_times_out(worker):
    assert answers(worker, Script((jobs.hang,) * 3, limit_ms=30)) == [TIMEOUT] * 3


def test_items_that_keep_their_limits_pass_however_long_they_take_together(worker):
    assert answers(worker, Script((jobs.a_moment,) * 40, limit_ms=300)) == [b"fine"] * 40


def test_the_next_job_after_a_timeout_is_served(worker):
    answers(worker, Script((jobs.hang,), limit_ms=30))

    assert answers(worker, Script((jobs.fine,))) == [b"fine"]


def test_a_preparation_over_its_limit_fails_every_item(worker):
    assert answers(worker, Script((jobs.fine,) * 2, preparation=jobs.hang, preparation_ms=50)) == [FAILED] * 2


@pytest.mark.parametrize("deadly", [jobs.exit_now, jobs.kill_itself, jobs.take_all_memory, jobs.fail])
def test_the_first_time_that_an_item_ends_the_process_its_job_fails(worker, deadly):
    with pytest.raises(WorkerDied):
        answers(worker, Script((jobs.fine, deadly, jobs.fine)), survive=False)


@pytest.mark.parametrize("deadly", [jobs.exit_now, jobs.kill_itself, jobs.take_all_memory, jobs.fail])
def test_where_crashes_are_survived_only_the_deadly_item_fails(worker, deadly):
    assert answers(worker, Script((jobs.fine, deadly, jobs.fine))) == [b"fine", FAILED, b"fine"]


def test_where_crashes_are_survived_a_deadly_preparation_fails_every_item(worker):
    assert answers(worker, Script((jobs.fine,) * 2, preparation=jobs.exit_now)) == [FAILED] * 2


def test_the_next_job_after_a_crash_is_served(worker):
    with pytest.raises(WorkerDied):
        answers(worker, Script((jobs.exit_now,)), survive=False)

    assert answers(worker, Script((jobs.fine,))) == [b"fine"]


def test_a_process_that_died_between_jobs_costs_nothing(worker):
    worker.start()
    os.kill(worker._process._pid, signal.SIGKILL)
    os.waitid(os.P_PID, worker._process._pid, os.WEXITED | os.WNOWAIT)

    assert answers(worker, Script((jobs.fine,)), survive=False) == [b"fine"]


def test_an_item_that_fails_although_it_was_decided_ends_the_job(worker):
    with pytest.raises(WorkerDied, match="decided before"):
        answers(worker, Deaf())


def test_an_exception_in_a_job_says_nothing(worker, capfd):
    with pytest.raises(WorkerDied) as caught:
        answers(worker, Script((jobs.fail,)), survive=False)

    assert "canary" not in "".join([*capfd.readouterr(), str(caught.value), str(caught.value.__cause__)])


def test_results_of_a_job_that_nobody_read_to_its_end_are_not_the_next_jobs(worker):
    abandoned = worker.run(Script((jobs.big, jobs.big, jobs.big)), seconds_left=PLENTY, survive_crashes=True)
    next(abandoned)
    abandoned.close()

    assert answers(worker, Script((jobs.fine,))) == [b"fine"]


def test_no_item_starts_that_the_time_left_cannot_hold(worker):
    assert answers(worker, Script((jobs.fine,), limit_ms=60_000), seconds_left=60.0) == []


def test_items_stop_when_the_time_left_is_used_up(worker):
    job = Script((jobs.a_moment,) * 200, limit_ms=100, preparation_ms=50)

    found = answers(worker, job, seconds_left=MARGIN + 0.1 + 0.3)

    assert 5 <= len(found) < 60


def test_an_item_that_timed_out_is_answered_although_the_time_left_would_not_hold_it_again(worker):
    job = Script((jobs.hang, jobs.fine), limit_ms=600, preparation_ms=50)

    found = answers(worker, job, seconds_left=MARGIN + 1.1)

    assert found == [TIMEOUT]


def test_the_process_holds_the_standard_streams_and_its_pipe_only(worker, tmp_path):
    with (tmp_path / "held").open("w"):
        (found,) = answers(worker, Script((jobs.descriptors,)))

    links = json.loads(found)
    assert set(links) - {"0", "1", "2"} == {name for name, link in links.items() if link.startswith("socket:")}
    assert len(links) == 4


def test_the_process_ends_with_its_parent_even_in_the_middle_of_an_item():
    program = (
        "from evalbook.adapters.process.forked_worker import ForkedWorker\n"
        "from tests.unit.adapters.process import jobs\n"
        "worker = ForkedWorker()\n"
        "worker.start()\n"
        "print(worker._process._pid, flush=True)\n"
        "list(worker.run(jobs.Script((jobs.hang,), limit_ms=600_000), seconds_left=9e9, survive_crashes=True))\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, **_project()) as parent:
        child = int(parent.stdout.readline())
        time.sleep(0.2)

        parent.kill()

    assert _gone(child)


def test_the_worker_needs_no_semaphore_and_no_shared_memory_file():
    """On Lambda there is no /dev/shm: here it is read-only where that may be done, and semaphores are gone anywhere."""
    program = (
        "import ctypes, _multiprocessing\n"
        "del _multiprocessing.SemLock\n"
        "libc = ctypes.CDLL(None)\n"
        "if libc.unshare(0x20000) == 0:\n"
        "    libc.mount(b'none', b'/', None, 0x44000, None)\n"
        "    libc.mount(b'none', b'/dev/shm', b'tmpfs', 1, None)\n"
        "from evalbook.adapters.process.forked_worker import ForkedWorker\n"
        "from tests.unit.adapters.process import jobs\n"
        "job = jobs.Script((jobs.fine, jobs.hang, jobs.fine), limit_ms=50)\n"
        "print(len(list(ForkedWorker().run(job, seconds_left=9e9, survive_crashes=True))))\n"
    )

    found = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, **_project())

    assert found.stdout == b"3\n"


class Counted:
    """A connection that counts what passes."""

    def __init__(self, connection) -> None:
        self._connection = connection
        self.sent = self.received = 0

    def __getattr__(self, name):
        return getattr(self._connection, name)

    def send(self, value):
        self.sent += 1
        self._connection.send(value)

    def recv(self):
        self.received += 1
        return self._connection.recv()


class Limits(Script):
    """A script whose items have limits of their own."""

    def __init__(self, limits, items) -> None:
        super().__init__(items)
        object.__setattr__(self, "limits", limits)

    def results(self, begin, decided, mark):
        def own(index, limit_ms):
            mark(index, self.limits[index] if index >= 0 else limit_ms)

        return super().results(begin, decided, own)


class Deaf(Script):
    """A script that tries its item again whatever was decided."""

    def __init__(self) -> None:
        super().__init__((jobs.exit_now,))

    def results(self, begin, _decided, mark):
        return super().results(begin, {}, mark)


def _project() -> dict[str, object]:
    return {"cwd": ROOT, "env": {"PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT / 'shared'}{os.pathsep}{ROOT}"}}


def _gone(pid: int) -> bool:
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False
