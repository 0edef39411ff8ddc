import pytest

from evalbook.adapters.process.watched_process import Progress, WatchedProcess


@pytest.mark.parametrize("index", [0, 1, -1, 2**25 - 1, -(2**25)])
def test_an_item_that_was_started_is_the_current_one(index):
    progress = Progress()

    progress.start(index, 1_000)

    assert progress.current() == index


def test_without_an_item_nothing_is_current():
    progress = Progress()
    progress.start(7, 1_000)

    progress.idle()

    assert (progress.current(), progress.time_left(), Progress().time_left()) == (None, None, None)


def test_an_item_has_at_most_its_limit_and_a_millisecond_left():
    progress = Progress()

    progress.start(3, 60_000)

    index, seconds = progress.time_left()
    assert index == 3
    assert 50 < seconds <= 60.001


def test_a_reader_sees_an_item_and_its_own_end_or_nothing():
    child = WatchedProcess(write_for_ever, memory_mb=64)
    while child.progress.current() is None:
        pass

    seen = {child.progress.time_left() for _ in range(50_000)}

    child.kill()
    assert len(seen) > 2
    assert [item for item in seen if item and not is_as_written(*item)] == []


def write_for_ever(_, progress):
    while True:
        progress.start(5, 5_000)
        progress.idle()
        progress.start(-7, 70_000)


def is_as_written(index, seconds):
    return (index == 5 and 3 < seconds <= 5.001) or (index == -7 and 60 < seconds <= 70.001)


def test_a_killed_process_is_not_alive():
    child = WatchedProcess(lambda connection, _: connection.recv(), memory_mb=64)
    before = child.alive()

    child.kill()

    assert (before, child.alive()) == (True, False)
